/** Prints the model of a contract as one OpenAPI document with everything that the model knows. */
import { escapePointer } from '@contract-first/engine/json'
import {
  type Body,
  type Content,
  type Contract,
  type Encoding,
  type Example,
  type Header,
  type Json,
  type JsonObject,
  type Link,
  type LinkValue,
  type Operation,
  type Parameter,
  type PartEncodings,
  type PathItem,
  present,
  type Response,
  type SecurityScheme,
  type Server
} from '../../src/contract/contract.ts'
import { componentReference, SchemaPrinter } from './print-schema.ts'

/**
 * Returns a document of OpenAPI 3.2. Schemas that are referred to and are no components become some; path items of
 * callbacks, too. Defaults of parameters and operations are written out; unknown keywords, `$defs` and anchors are gone.
 */
export const print = (contract: Contract): JsonObject => new Printer(contract).document()

const methods: ReadonlySet<string> = new Set(
  ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'].map((name) =>
    name.toUpperCase()
  )
)

class Printer {
  readonly #contract: Contract
  readonly #schemas: SchemaPrinter
  /** Path items of callbacks, which may lead back to themselves. */
  readonly #pathItems = new Map<PathItem, { readonly name: string; readonly operations: Set<Operation> }>()

  constructor(contract: Contract) {
    this.#contract = contract
    this.#schemas = new SchemaPrinter(contract.components.schemas)
  }

  document(): JsonObject {
    const { title, version, description, servers, tags, operations, webhooks, extensions } = this.#contract
    const paths = this.#byPath(operations)
    const hooks = this.#byPath(webhooks)
    return {
      openapi: '3.2.0',
      info: present({ title, version, description }),
      ...(servers.length > 0 && { servers: servers.map(serverOf) }),
      ...(tags.length > 0 && {
        tags: tags.map(({ name, summary, description, parent, kind, extensions }) =>
          present({ name, summary, description, parent, kind, ...extensions })
        )
      }),
      paths,
      ...(webhooks.length > 0 && { webhooks: hooks }),
      components: this.#components(),
      ...extensions
    }
  }

  #components(): JsonObject {
    const { parameters, headers, bodies, responses, securitySchemes } = this.#contract.components
    const sections = {
      parameters: this.#section('parameters', parameters, (each) => this.#parameter(each)),
      headers: this.#section('headers', headers, (each) => this.#header(each)),
      requestBodies: this.#section('requestBodies', bodies, (each) => this.#body(each)),
      responses: this.#section('responses', responses, (each) => this.#response(each)),
      securitySchemes: mapped(securitySchemes, schemeOf)
    }
    const pathItems: Record<string, Json> = {}
    // Printing one may add further ones.
    for (const { name, operations } of this.#pathItems.values())
      pathItems[name] = this.#pathItem([...operations])
    return { ...sections, pathItems, schemas: this.#schemas.components() }
  }

  /** Prints a component that only refers to another one as that. */
  #section<Node extends Component>(
    section: string,
    components: ReadonlyMap<string, Node>,
    print: (node: Node) => Json
  ): JsonObject {
    return Object.fromEntries(
      [...components].map(([name, node]) => [
        name,
        node.component === name ? print(node) : this.#use(section, node, print)
      ])
    )
  }

  #byPath(operations: readonly Operation[]): JsonObject {
    const groups = Map.groupBy(operations, ({ path }) => path)
    return mapped(groups, (group) => this.#pathItem(group))
  }

  #pathItem(operations: readonly Operation[]): Json {
    const [first] = operations
    const fixed = operations.filter(({ method }) => methods.has(method))
    const further = operations.filter(({ method }) => !methods.has(method))
    const { summary, description, parameters = [], extensions } = first?.pathItem ?? {}
    const print = (each: Operation) => this.#operation(each)
    return present({
      summary,
      description,
      parameters: listOf(parameters.map((each) => this.#parameterUse(each))),
      ...Object.fromEntries(fixed.map((each) => [each.method.toLowerCase(), print(each)])),
      additionalOperations:
        further.length === 0
          ? undefined
          : Object.fromEntries(further.map((each) => [each.method, print(each)])),
      ...extensions
    })
  }

  #operation(operation: Operation): Json {
    const { id, isNamed, summary, description, deprecated, tags, servers, security, extensions } = operation
    const own = operation.parameters.filter((each) => !operation.pathItem.parameters.includes(each))
    return present({
      operationId: isNamed ? id : undefined,
      summary,
      description,
      deprecated: deprecated || undefined,
      tags: listOf([...tags]),
      parameters: listOf(own.map((each) => this.#parameterUse(each))),
      requestBody: operation.body && this.#use('requestBodies', operation.body, (each) => this.#body(each)),
      responses: mapped(operation.responses, (response) =>
        this.#use('responses', response, (each) => this.#response(each))
      ),
      callbacks: this.#callbacks(operation),
      security: security.map((alternative) =>
        Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme.key, [...scopes]]))
      ),
      servers: servers.map(serverOf),
      ...extensions
    })
  }

  #callbacks({ callbacks }: Operation): Json | undefined {
    if (callbacks.length === 0) return undefined
    const byName = Map.groupBy(callbacks, ({ name }) => name)
    return mapped(byName, (group) =>
      mapped(
        Map.groupBy(group, ({ expression }) => expression),
        (uses) => {
          const names = uses.map(({ operation }) => this.#pathItemName(operation))
          return { $ref: `#/components/pathItems/${names[0]}` }
        }
      )
    )
  }

  #pathItemName(operation: Operation): string {
    const known = this.#pathItems.get(operation.pathItem)
    const entry = known ?? { name: `callback${this.#pathItems.size}`, operations: new Set() }
    entry.operations.add(operation)
    this.#pathItems.set(operation.pathItem, entry)
    return entry.name
  }

  #parameterUse = (parameter: Parameter): Json =>
    this.#use('parameters', parameter, (each) => this.#parameter(each))

  #parameter(parameter: Parameter): Json {
    const { name, in: place, style, explode, required, description, extensions } = parameter
    return present({
      name,
      in: place,
      description,
      required,
      deprecated: parameter.deprecated || undefined,
      style,
      explode,
      allowReserved: parameter.allowReserved || undefined,
      allowEmptyValue: parameter.allowEmptyValue || undefined,
      ...this.#value(parameter),
      ...extensions
    })
  }

  #header(header: Header): Json {
    const { required, deprecated, explode, description, extensions } = header
    return present({
      description,
      required,
      deprecated: deprecated || undefined,
      explode,
      ...this.#value(header),
      ...extensions
    })
  }

  #value({ schema, content, examples }: Parameter | Header): Record<string, Json | undefined> {
    return {
      schema: schema && this.#schemas.schema(schema),
      content: content && this.#contents([content]),
      ...examplesOf(examples)
    }
  }

  #headers(headers: ReadonlyMap<string, Header>): Json | undefined {
    if (headers.size === 0) return undefined
    return mapped(headers, (header) => this.#use('headers', header, (each) => this.#header(each)))
  }

  #body({ required, contents, description, extensions }: Body): Json {
    return present({ description, required, content: this.#contents(contents), ...extensions })
  }

  #response({ summary, description, headers, contents, links, extensions }: Response): Json {
    return present({
      summary,
      description,
      headers: this.#headers(headers),
      content: contents.length === 0 ? undefined : this.#contents(contents),
      links:
        links.length === 0 ? undefined : Object.fromEntries(links.map((each) => [each.name, linkOf(each)])),
      ...extensions
    })
  }

  #contents(contents: readonly Content[]): Json {
    return Object.fromEntries(
      contents.map(({ mediaType, schema, item, examples, extensions, ...encodings }) => [
        mediaType,
        present({
          schema: schema && this.#schemas.schema(schema),
          itemSchema: item && this.#schemas.schema(item),
          ...this.#encodings(encodings),
          ...examplesOf(examples),
          ...extensions
        })
      ])
    )
  }

  #encodings({ fields, prefixEncodings, itemEncoding }: PartEncodings): Record<string, Json | undefined> {
    return {
      encoding: fields.size === 0 ? undefined : mapped(fields, (each) => this.#encoding(each)),
      prefixEncoding: listOf(prefixEncodings.map((each) => this.#encoding(each))),
      itemEncoding: itemEncoding && this.#encoding(itemEncoding)
    }
  }

  #encoding(encoding: Encoding): Json {
    const { contentTypes, style, explode, allowReserved, headers, extensions } = encoding
    const contentType = contentTypes.length === 0 ? undefined : contentTypes.join(', ')
    return present({
      contentType,
      style,
      explode,
      allowReserved,
      headers: this.#headers(headers),
      ...this.#encodings(encoding),
      ...extensions
    })
  }

  /** Prints a reference where the node is a component. */
  #use<Node extends Component>(section: string, node: Node, print: (node: Node) => Json): Json {
    const { component } = node
    return component === undefined ? print(node) : { $ref: componentReference(section, component) }
  }
}

interface Component {
  readonly component?: string
}

const listOf = (list: Json[]): Json | undefined => (list.length === 0 ? undefined : list)

const mapped = <T>(map: ReadonlyMap<string, T>, print: (value: T) => Json): JsonObject =>
  Object.fromEntries([...map].map(([name, value]) => [name, print(value)]))

function serverOf({ url, name, description, variables }: Server): Json {
  const printed = mapped(variables, ({ default: standard, enum: values }) =>
    present({ default: standard, enum: values })
  )
  return present({ url, name, description, variables: variables.size === 0 ? undefined : printed })
}

function examplesOf(examples: readonly Example[]): Record<string, Json | undefined> {
  const single = examples.find(({ name }) => name === undefined)
  const named = examples.flatMap(({ name, value, text, external }) =>
    name === undefined
      ? []
      : [[name, present({ dataValue: value, serializedValue: text, externalValue: external })] as const]
  )
  return { example: single?.value, examples: named.length === 0 ? undefined : Object.fromEntries(named) }
}

function linkOf({ operation, parameters, body }: Link): Json {
  const place = operation && `#/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}`
  return present({
    operationRef: place,
    parameters: parameters.size === 0 ? undefined : mapped(parameters, linkValue),
    requestBody: body && linkValue(body)
  })
}

const linkValue = (value: LinkValue): Json => ('expression' in value ? value.expression : value.value)

function schemeOf(scheme: SecurityScheme): Json {
  const { type, in: place, parameter, flows, deprecated, extensions, description } = scheme
  return present({
    type,
    description,
    name: parameter,
    in: place,
    scheme: scheme.scheme,
    bearerFormat: scheme.bearerFormat,
    openIdConnectUrl: scheme.openIdConnectUrl,
    flows:
      flows.size === 0
        ? undefined
        : mapped(flows, ({ scopes, ...urls }) => present({ ...urls, scopes: Object.fromEntries(scopes) })),
    deprecated: deprecated || undefined,
    ...extensions
  })
}
