/**
 * Prints a contract for openapi-typescript: the parts that have types, in the words of OpenAPI 3.1 that it knows.
 */
import {
  type Body,
  type Content,
  type Contract,
  type Header,
  type Json,
  type JsonObject,
  type Operation,
  type Parameter,
  present,
  type Response,
  type Schema
} from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'
import { connectionHeaders } from '@contract-first/engine/model'
import type { Place, SchemaPrinter } from './schema-printer.ts'
import type { Entry, Section } from './transform.ts'

/** Methods that openapi-typescript knows. */
const knownMethods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])

const isKnown = ({ method }: Operation): boolean => knownMethods.has(method.toUpperCase())

/** Returns the field of a path item that holds the operation. One of another method is GET of an item of its own. */
const fieldOf = (operation: Operation): string =>
  isKnown(operation) ? operation.method.toLowerCase() : 'get'
const itemOf = (operation: Operation): string =>
  isKnown(operation) ? operation.path : `${operation.method} ${operation.path}`

/** Returns the name of the type of an operation; openapi-typescript writes `#` as `/`. */
export const operationName = ({ id, direction }: Pick<Operation, 'id' | 'direction'>): string =>
  `${direction === 'sent' ? 'sent ' : ''}${id}`.replaceAll('#', '/')

const received: Place = { isReceived: true }
const sent: Place = { isReceived: false }

/** Places of requests and responses. */
const directions = { served: [received, sent], sent: [sent, received] } as const

export class DocumentPrinter {
  readonly #contract: Contract
  readonly #schemas: SchemaPrinter
  readonly #itemOf: (content: Content) => Schema | undefined

  /** @param itemOf returns the schema of the items of a sequence, as handlers see them */
  constructor(contract: Contract, schemas: SchemaPrinter, itemOf: (content: Content) => Schema | undefined) {
    this.#contract = contract
    this.#schemas = schemas
    this.#itemOf = itemOf
  }

  *entries(): Iterable<Entry> {
    const { components, operations, webhooks } = this.#contract
    const declared = [...operations, ...webhooks]
    const callbacks = declared.flatMap((each) => each.callbacks.map(({ operation }) => operation))
    const further = new Set(callbacks).difference(new Set(webhooks))
    const reused = declared.filter((each) => isKnown(each) && each.pathItem.component !== undefined)
    const reusedBy = Map.groupBy(reused, ({ pathItem }) => String(pathItem.component))
    const item = (group: readonly Operation[]) => this.#item(group)
    yield* printed('paths', Map.groupBy(operations, itemOf), item)
    yield* printed('webhooks', Map.groupBy(webhooks, itemOf), item)
    yield* printed('responses', components.responses, (each) => this.#response(each, sent))
    yield* printed('parameters', components.parameters, (each) => this.#parameter(each, received))
    yield* printed('requestBodies', components.bodies, (each) => this.#body(each, received))
    yield* printed('headers', components.headers, (each) => this.#header(each, sent))
    yield* printed('pathItems', reusedBy, (group) => this.#item(group, false))
    yield* printed('pathItems', Map.groupBy(further, operationName), item)
    // The others add schemas, and these add aliases.
    yield* printed('schemas', this.#schemas.components(), (each) => each)
    yield* printed('aliases', this.#schemas.aliases, (each) => each)
  }

  /** Prints a path item. Only operations with an `operationId` have types of their own. */
  #item(group: readonly Operation[], hasIds = true): JsonObject {
    return {
      parameters: group
        .slice(0, 1)
        .flatMap((each) => this.#parameters(each.pathItem.parameters, directions[each.direction][0])),
      ...Object.fromEntries(
        group.map((each) => [
          fieldOf(each),
          { ...this.#operation(each), ...(hasIds && { operationId: operationName(each) }) }
        ])
      )
    }
  }

  #operation(operation: Operation): JsonObject {
    const { summary, description, deprecated, parameters, body, responses, pathItem, direction } = operation
    const [request, answer] = directions[direction]
    const own = parameters.filter((each) => !pathItem.parameters.includes(each))
    return present({
      summary,
      description,
      deprecated: deprecated || undefined,
      parameters: this.#parameters(own, request),
      requestBody: body && this.#use('requestBodies', body, request, this.#body),
      responses: Object.fromEntries(
        [...responses].map(([status, each]) => [status, this.#use('responses', each, answer, this.#response)])
      )
    })
  }

  #parameters(parameters: readonly Parameter[], place: Place): Json[] {
    return parameters.map((each) => this.#use('parameters', each, place, this.#parameter))
  }

  #parameter = (parameter: Parameter, place: Place): JsonObject =>
    present({
      name: parameter.name,
      // The whole query is one parameter of it.
      in: parameter.in === 'querystring' ? 'query' : parameter.in,
      ...this.#value(parameter, place)
    })

  #header = (header: Header, place: Place): JsonObject => this.#value(header, place)

  /** Prints the value with a media type as its schema, because openapi-typescript would type it as text. */
  #value(
    { required, deprecated, description, schema, content }: Parameter | Header,
    place: Place
  ): JsonObject {
    const own = content === undefined ? schema : content.schema
    return present({
      description,
      required,
      deprecated: deprecated || undefined,
      schema: own === undefined ? content && {} : this.#schemas.schema(own, place)
    })
  }

  #body = ({ required, description, contents }: Body, place: Place): JsonObject =>
    present({ required, description, content: this.#contents(contents, place) })

  #response = ({ summary, description, headers, contents }: Response, place: Place): JsonObject =>
    present({
      summary,
      description,
      headers: Object.fromEntries(
        [...headers].map(([name, header]) => [name, this.#responseHeader(name, header, place)])
      ),
      content: this.#contents(contents, place)
    })

  /** openapi-typescript takes each reference for required. The server gives most lengths, Node what concerns connections. */
  #responseHeader(name: string, header: Header, place: Place): JsonObject {
    const lower = name.toLowerCase()
    const isGiven = lower === 'content-length' || connectionHeaders.has(lower)
    const printed = this.#use('headers', header, place, this.#header)
    if (header.required && !isGiven) return printed
    return '$ref' in printed ? { schema: printed } : { ...printed, required: false }
  }

  #contents(contents: readonly Content[], place: Place): JsonObject {
    return Object.fromEntries(
      contents.map((content) => {
        const schema = content.sequence === undefined ? content.schema : this.#itemOf(content)
        const part = { part: 'body', isStreamed: place.isReceived && content.isStreamed } as const
        const inner = content.kind === 'multipart' ? { ...place, ...part } : place
        return [content.mediaType, present({ schema: schema && this.#schemas.schema(schema, inner) })]
      })
    )
  }

  /** Prints a reference to a component, unless the component is printed for the other side. */
  #use<Node extends { readonly component?: string }>(
    section: string,
    node: Node,
    place: Place,
    print: (node: Node, place: Place) => JsonObject
  ): JsonObject {
    const isReceived = section === 'parameters' || section === 'requestBodies'
    return node.component !== undefined && place.isReceived === isReceived
      ? { $ref: `#/components/${section}/${escapePointer(node.component)}` }
      : print(node, place)
  }
}

/** Prints each as text, because the objects of a whole contract would take more memory than its model. */
function* printed<T>(
  section: Section,
  named: Iterable<readonly [name: string, value: T]>,
  print: (value: T) => Json
): Iterable<Entry> {
  for (const [name, value] of named) yield { section, name, text: JSON.stringify(print(value)) }
}
