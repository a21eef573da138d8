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
import { hasSides, type Place, type SchemaPrinter } from './schema-printer.ts'

/** Methods that openapi-typescript knows. */
const knownMethods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Returns the field of a path item that holds the operation in the printed document. */
const fieldOf = ({ method }: Pick<Operation, 'method'>): string =>
  knownMethods.has(method.toLowerCase()) ? method.toLowerCase() : 'get'

/** Returns the type of an operation that is sent, by its position in the list. */
export const sentType = (operation: Pick<Operation, 'method'>, index: number): string =>
  `components["pathItems"]["sent ${index}"]["${fieldOf(operation)}"]`

const received: Place = { isReceived: true }
const sent: Place = { isReceived: false }

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

  /**
   * @param nameOf returns the name of an operation's type
   * @param operations webhooks and callbacks that are sent
   */
  print(nameOf: (operationId: string) => string, operations: readonly Operation[]) {
    const { components, operations: served, webhooks } = this.#contract
    const shared = [...served, ...webhooks].filter(({ pathItem }) => pathItem.component !== undefined)
    const pathItems = Map.groupBy(shared, ({ pathItem }) => String(pathItem.component))
    const document = {
      paths: this.#byPath(served, (each) => ({ operationId: nameOf(each.id) })),
      webhooks: this.#byPath(webhooks),
      components: {
        parameters: mapped(components.parameters, (each) => this.#parameter(each, received)),
        requestBodies: mapped(components.bodies, (each) => this.#body(each, received)),
        responses: mapped(components.responses, (each) => this.#response(each, sent)),
        headers: mapped(components.headers, (each) => this.#header(each, sent)),
        pathItems: {
          ...mapped(pathItems, (group) => this.#pathItem(group)),
          ...Object.fromEntries(operations.map((each, index) => [`sent ${index}`, this.#pathItem([each])]))
        }
      }
    }
    // Printing them adds schemas.
    const { schemas, aliases } = this.#schemas.components()
    return { document: { ...document, components: { ...document.components, schemas } }, aliases }
  }

  /** Gives an operation of a method that openapi-typescript does not know a path item of its own, as GET. */
  #byPath(operations: readonly Operation[], name?: (operation: Operation) => JsonObject): JsonObject {
    const groups = Map.groupBy(operations, ({ method, path }) =>
      knownMethods.has(method.toLowerCase()) ? path : `${method} ${path}`
    )
    return mapped(groups, (group) => this.#pathItem(group, name))
  }

  #pathItem(
    operations: readonly Operation[],
    name: (operation: Operation) => JsonObject = () => ({})
  ): JsonObject {
    const [first] = operations
    const parameters = first?.pathItem.parameters ?? []
    return {
      parameters: this.#parameters(parameters, { isReceived: first?.direction !== 'sent' }),
      ...Object.fromEntries(
        operations.map((each) => [fieldOf(each), { ...this.#operation(each), ...name(each) }])
      )
    }
  }

  #operation({
    summary,
    description,
    deprecated,
    direction,
    body,
    responses,
    ...operation
  }: Operation): JsonObject {
    const [request, answer] = direction === 'sent' ? [sent, received] : [received, sent]
    const own = operation.parameters.filter((each) => !operation.pathItem.parameters.includes(each))
    return present({
      summary,
      description,
      deprecated: deprecated || undefined,
      parameters: this.#parameters(own, request),
      requestBody: body && this.#use('requestBodies', body, request, this.#body),
      responses: mapped(responses, (each) => this.#use('responses', each, answer, this.#response))
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
        const part = place.isReceived && content.isStreamed ? 'streamed body' : 'body'
        const inner = content.kind === 'multipart' ? ({ ...place, part } as const) : place
        return [content.mediaType, present({ schema: schema && this.#schemas.schema(schema, inner) })]
      })
    )
  }

  /** Prints a reference to a component, unless the component is printed for the other side. */
  #use<Node extends Part>(
    section: string,
    node: Node,
    place: Place,
    print: (node: Node, place: Place) => JsonObject
  ): JsonObject {
    const isReceived = section === 'parameters' || section === 'requestBodies'
    const isShared = place.isReceived === isReceived || !schemasIn(node).some(hasSides)
    return node.component !== undefined && isShared
      ? { $ref: `#/components/${section}/${escapePointer(node.component)}` }
      : print(node, place)
  }
}

/** Members of components that lead to schemas. */
interface Part {
  readonly component?: string
  readonly schema?: Schema
  readonly item?: Schema
  readonly content?: Content
  readonly contents?: readonly Content[]
  readonly headers?: ReadonlyMap<string, Header>
}

function schemasIn({ schema, item, content, contents = [], headers = new Map() }: Part): Schema[] {
  const inner = [...(content ? [content] : []), ...contents, ...headers.values()]
  return [schema, item, ...inner.flatMap(schemasIn)].filter((each) => each !== undefined)
}

const mapped = <T>(map: ReadonlyMap<string, T>, print: (value: T) => Json): JsonObject =>
  Object.fromEntries([...map].map(([name, value]) => [name, print(value)]))
