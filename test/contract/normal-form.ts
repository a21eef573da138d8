/**
 * Normal form of an OpenAPI document, written apart from the reader of contracts: what a document says, without the ways
 * to say it. References are numbers of what they lead to, in the order in which they are met; defaults are written out;
 * `$defs`, anchors and unknown keywords are gone.
 */
import { stringify } from '@contract-first/engine/json'

type Value = null | boolean | number | bigint | string | readonly Value[] | Node
interface Node {
  readonly [name: string]: Value
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const node = (value: Value | undefined): Node => (isNode(value) ? value : {})
const list = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : [])
const own = (holder: Value | undefined, key: string): Value | undefined =>
  isNode(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
const entries = (value: Value | undefined) => Object.entries(node(value)).sort(([a], [b]) => (a < b ? -1 : 1))
const named = (value: Value | undefined) => entries(value).filter(([name]) => !name.startsWith('x-'))
const map = (value: Value | undefined, normal: (member: Value) => unknown) =>
  entries(value).map(([name, member]) => [name, normal(member)])
const objects = (value: Value | undefined) => entries(value).filter(([, member]) => isNode(member))
const pick = (holder: Node, ...keys: readonly string[]) =>
  keys.flatMap((key) => (own(holder, key) === undefined ? [] : [[key, own(holder, key)]]))
const extensions = (holder: Node) => entries(holder).filter(([name]) => name.startsWith('x-'))
const isTrue = (holder: Node, key: string) => own(holder, key) === true

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie']
}

/** @param names component schemas to compare, whether something refers to them or not */
export function normalForm(document: unknown, names: readonly string[]): string {
  return stringify(new Normal(document as Node).document(names), 2)
}

class Normal {
  readonly #root: Node
  readonly #schemas = new Map<unknown, number>()
  readonly #sent = new Map<Node, number>()

  constructor(root: Node) {
    this.#root = root
  }

  document(names: readonly string[]) {
    const components = own(this.#root, 'components')
    const section = (name: string, normal: (member: Value) => unknown) => map(own(components, name), normal)
    const info = node(own(this.#root, 'info'))
    const result = {
      info: [String(own(info, 'title')), String(own(info, 'version')), own(info, 'description')],
      servers: this.#servers(this.#root),
      tags: list(own(this.#root, 'tags')).map((tag) => [
        pick(node(tag), 'name', 'summary', 'description', 'parent', 'kind'),
        extensions(node(tag))
      ]),
      extensions: extensions(this.#root),
      paths: named(own(this.#root, 'paths')).map(([path, item]) => [path, this.#pathItem(item)]),
      webhooks: this.#webhooks(),
      schemas: names.map((name) => [name, this.#target(`#/components/schemas/${escaped(name)}`)]),
      parameters: section('parameters', (each) => this.#parameter(each)).filter(
        ([, each]) => each !== undefined
      ),
      headers: section('headers', (each) => this.#header(each)),
      bodies: section('requestBodies', (each) => this.#body(each)),
      responses: section('responses', (each) => this.#response(each)),
      securitySchemes: section('securitySchemes', (each) => this.#scheme(each))
    }
    const sent: unknown[] = []
    for (const [operation] of this.#sent)
      sent.push(this.#operation(operation, this.#holders.get(operation) ?? {}, true))
    const schemas: unknown[] = []
    for (const [schema] of this.#schemas)
      schemas.push(this.#schema(typeof schema === 'string' ? this.#at(schema) : (schema as Value)))
    return { ...result, sent, targets: schemas }
  }

  readonly #holders = new Map<Node, Node>()

  #at(reference: string): Value | undefined {
    const segments = reference.slice(2).split('/')
    let value: Value | undefined = this.#root
    for (const segment of segments) {
      const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
      value = Array.isArray(value) ? value[Number(key)] : own(value, key)
    }
    return value
  }

  #resolved(value: Value | undefined): Node {
    let next = value
    for (let steps = 0; steps < 100; steps++) {
      const reference = own(next, '$ref')
      if (typeof reference !== 'string') break
      next = this.#at(reference)
    }
    return node(next)
  }

  /** Returns the name under which a section has the object itself. */
  #component(section: string, value: Node) {
    const members = Object.entries(node(own(own(this.#root, 'components'), section)))
    return members.findLast(([, member]) => member === value)?.[0]
  }

  #webhooks() {
    const hooks = named(own(this.#root, 'webhooks'))
    return hooks.flatMap(([name, item]) =>
      this.#operationsIn(this.#resolved(item)).flatMap(([method, operation]) =>
        this.#sent.has(operation) ? [] : [[name, method, this.#sentNumber(operation, this.#resolved(item))]]
      )
    )
  }

  #sentNumber(operation: Node, pathItem: Node): number {
    const known = this.#sent.get(operation) ?? this.#sent.size
    this.#sent.set(operation, known)
    if (!this.#holders.has(operation)) this.#holders.set(operation, pathItem)
    return known
  }

  #operationsIn(item: Node): [string, Node][] {
    const fixed = methods.map((name): [string, Value | undefined] => [name.toUpperCase(), own(item, name)])
    return [...fixed, ...entries(own(item, 'additionalOperations'))].flatMap(([method, each]) =>
      isNode(each) ? [[method, each]] : []
    )
  }

  #pathItem(value: Value) {
    // Members beside a reference are joined with those of its target (OpenAPI 3.2.0, section 4.9).
    const { $ref: _reference, ...beside } = node(value)
    const item: Node = { ...this.#resolved(value), ...beside }
    const operations = this.#operationsIn(item)
    // A path item without operations says nothing.
    return operations.map(([method, each]) => [method, this.#operation(each, item, false)])
  }

  #operation(operation: Node, item: Node, isSent: boolean) {
    const listed = (holder: Node) =>
      list(own(holder, 'parameters'))
        .flatMap((each) => this.#parameter(each) ?? [])
        .filter((each) => !isIgnored(each))
    const [mine, shared] = [listed(operation), listed(item)]
    const security = own(operation, 'security') ?? (isSent ? undefined : own(this.#root, 'security'))
    return {
      texts: pick(operation, 'operationId', 'summary', 'description'),
      item: [pick(item, 'summary', 'description'), extensions(item), shared.toSorted(byKey)],
      deprecated: isTrue(operation, 'deprecated'),
      tags: list(own(operation, 'tags')),
      parameters: [...new Map([...shared, ...mine].map((each) => [keyOf(each), each])).values()].sort(byKey),
      body:
        own(operation, 'requestBody') === undefined ? undefined : this.#body(own(operation, 'requestBody')),
      responses: map(own(operation, 'responses'), (each) => this.#response(each)).flatMap(([status, each]) =>
        /^([1-5](\d\d|XX)|default)$/i.test(String(status)) ? [[String(status).toUpperCase(), each]] : []
      ),
      callbacks: entries(own(operation, 'callbacks')).flatMap(([name, callback]) =>
        named(this.#resolved(callback)).flatMap(([expression, target]) => {
          const pathItem = this.#resolved(target)
          return this.#operationsIn(pathItem).map(([method, each]) => [
            name,
            expression,
            method,
            this.#sentNumber(each, pathItem)
          ])
        })
      ),
      security: list(security).map((each) => map(each, (scopes) => scopes)),
      servers: this.#servers(operation, item, this.#root),
      extensions: extensions(operation)
    }
  }

  #servers(...holders: readonly Node[]) {
    const found = holders.map((holder) => list(own(holder, 'servers'))).find((each) => each.length > 0)
    return (found ?? [{ url: '/' }]).map((server) => [
      pick(node(server), 'url', 'name', 'description'),
      map(own(server, 'variables'), (each) => [
        String(own(each, 'default')),
        own(each, 'enum') === undefined ? undefined : list(own(each, 'enum')).map(String)
      ])
    ])
  }

  #parameter(value: Value) {
    const parameter = this.#resolved(value)
    const place = String(own(parameter, 'in'))
    const allowed = styles[place]
    if (allowed === undefined) return undefined
    const style = allowed.find((each) => each === own(parameter, 'style')) ?? allowed[0]
    return {
      component: this.#component('parameters', parameter),
      name: String(own(parameter, 'name')),
      in: place,
      required: place === 'path' || isTrue(parameter, 'required'),
      deprecated: isTrue(parameter, 'deprecated'),
      style,
      explode: own(parameter, 'explode') ?? (style === 'form' || style === 'cookie'),
      flags: ['allowReserved', 'allowEmptyValue'].map((flag) => isTrue(parameter, flag)),
      ...this.#value(parameter)
    }
  }

  #header(value: Value): unknown {
    const header = this.#resolved(value)
    return {
      component: this.#component('headers', header),
      flags: ['required', 'deprecated', 'explode'].map((flag) => isTrue(header, flag)),
      ...this.#value(header)
    }
  }

  #headers(holder: Node): unknown {
    const written = entries(own(holder, 'headers')).filter(([name]) => name.toLowerCase() !== 'content-type')
    return written.map(([name, each]) => [name, this.#header(each)])
  }

  #value(holder: Node): Record<string, unknown> {
    const [content] = Object.entries(node(own(holder, 'content')))
    return {
      description: pick(holder, 'description'),
      schema: own(holder, 'schema') === undefined ? undefined : this.#schema(own(holder, 'schema')),
      content: content && [content[0], this.#media(content[1])],
      examples: this.#examples(holder),
      extensions: extensions(holder)
    }
  }

  #body(value: Value | undefined) {
    const body = this.#resolved(value)
    return {
      component: this.#component('requestBodies', body),
      required: isTrue(body, 'required'),
      description: pick(body, 'description'),
      content: map(own(body, 'content'), (each) => this.#media(each)),
      extensions: extensions(body)
    }
  }

  #response(value: Value) {
    const response = this.#resolved(value)
    return {
      component: this.#component('responses', response),
      texts: pick(response, 'summary', 'description'),
      headers: this.#headers(response),
      content: map(own(response, 'content'), (each) => this.#media(each)),
      links: objects(own(response, 'links')).map(([name, each]) => [name, this.#link(this.#resolved(each))]),
      extensions: extensions(response)
    }
  }

  /** Returns the parts of a link; it leads to the method and path of an operation, or nowhere. */
  #link(link: Node) {
    const [id, reference] = [own(link, 'operationId'), own(link, 'operationRef')]
    const all = named(own(this.#root, 'paths')).flatMap(([path, item]) =>
      this.#operationsIn(this.#resolved(item)).map(([method, operation]) => ({ path, method, operation }))
    )
    const found =
      id === undefined
        ? all.find(({ path, method }) => {
            const at = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`
            return decodeURIComponent(String(reference)).endsWith(at)
          })
        : all.find(({ operation }) => own(operation, 'operationId') === id)
    return [found?.method, found?.path, entries(own(link, 'parameters')), pick(link, 'requestBody')]
  }

  #media(value: Value): unknown {
    const media = this.#resolved(value)
    return {
      schema: own(media, 'schema') === undefined ? undefined : this.#schema(own(media, 'schema')),
      item: own(media, 'itemSchema') === undefined ? undefined : this.#schema(own(media, 'itemSchema')),
      encoding: named(own(media, 'encoding')).map(([name, each]) => {
        const rules = node(each)
        const types = String(own(rules, 'contentType') ?? '').split(',')
        return [
          name,
          types.map((type) => type.trim()).filter((type) => type !== ''),
          pick(rules, 'style', 'explode', 'allowReserved'),
          this.#headers(rules),
          extensions(rules)
        ]
      }),
      examples: this.#examples(media),
      extensions: extensions(media)
    }
  }

  #examples(holder: Node) {
    const examples = objects(own(holder, 'examples')).map(([name, each]) => {
      const example = this.#resolved(each)
      // An example that is not there is a warning, and one without a value says nothing.
      const values = ['dataValue', 'value', 'serializedValue', 'externalValue']
      if (values.every((key) => own(example, key) === undefined)) return []
      return [
        name,
        own(example, 'dataValue') ?? own(example, 'value'),
        pick(example, 'serializedValue', 'externalValue')
      ]
    })
    return [pick(holder, 'example'), examples.filter((each) => each.length > 0)]
  }

  #scheme(value: Value) {
    const scheme = this.#resolved(value)
    return [
      pick(scheme, 'type', 'description', 'name', 'in', 'scheme', 'bearerFormat', 'openIdConnectUrl'),
      isTrue(scheme, 'deprecated'),
      map(own(scheme, 'flows'), (flow) => [
        pick(node(flow), 'authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl'),
        map(own(flow, 'scopes'), String)
      ]),
      extensions(scheme)
    ]
  }

  #target(reference: string): number | undefined {
    const value = this.#at(reference)
    if (value === undefined) return undefined
    const key = isNode(value) ? value : reference
    const number = this.#schemas.get(key) ?? this.#schemas.size
    this.#schemas.set(key, number)
    return number
  }

  #schema(value: Value | undefined): unknown {
    if (value === false) return false
    const schema = node(value)
    const inner = (key: string) =>
      own(schema, key) === undefined ? [] : [[key, this.#schema(own(schema, key))]]
    const all = (key: string) =>
      own(schema, key) === undefined ? [] : [[key, list(own(schema, key)).map((each) => this.#schema(each))]]
    const sorted = (key: string, values: readonly Value[]) => [[key, values.map(String).sort()]]
    const type = own(schema, 'type')
    const earlier = Object.entries(node(own(schema, 'dependencies')))
    const lists = earlier.filter(([, each]) => Array.isArray(each))
    const schemas = earlier.filter(([, each]) => !Array.isArray(each))
    const dependentRequired = { ...node(own(schema, 'dependentRequired')), ...Object.fromEntries(lists) }
    const dependentSchemas = { ...node(own(schema, 'dependentSchemas')), ...Object.fromEntries(schemas) }
    const reference = own(schema, '$ref')
    const examples = [...pick(schema, 'example').map(([, each]) => each), ...list(own(schema, 'examples'))]
    const flags = ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated'].filter((flag) =>
      isTrue(schema, flag)
    )
    return [
      ...(reference === undefined ? [] : [['ref', this.#target(String(reference))]]),
      ...(type === undefined ? [] : sorted('type', Array.isArray(type) ? type : [type])),
      ...pick(schema, 'title', 'description', 'const', 'enum', 'default', 'format', 'pattern'),
      ...pick(schema, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
      ...pick(schema, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
      ...pick(schema, 'contentEncoding', 'contentMediaType'),
      ...flags,
      // Malformed keywords are problems of the schema.
      ...(!Array.isArray(own(schema, 'required')) ? [] : sorted('required', list(own(schema, 'required')))),
      ...(own(schema, 'contains') === undefined
        ? []
        : [...inner('contains'), own(schema, 'minContains') ?? 1, own(schema, 'maxContains')]),
      ...['items', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'].flatMap(inner),
      ...['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'].flatMap(inner),
      ...['prefixItems', 'allOf', 'anyOf', 'oneOf'].flatMap(all),
      ...['properties', 'patternProperties'].flatMap((key) =>
        own(schema, key) === undefined ? [] : [[key, map(own(schema, key), (each) => this.#schema(each))]]
      ),
      ...entries(dependentRequired).map(([name, each]) => ['requires', name, list(each)]),
      ...entries(dependentSchemas).map(([name, each]) => ['depends', name, this.#schema(each)]),
      ...this.#discriminator(own(schema, 'discriminator')),
      ...(own(schema, 'xml') === undefined ? [] : [this.#xml(node(own(schema, 'xml')))]),
      ...(examples.length === 0 ? [] : [['examples', examples]]),
      ...extensions(schema)
    ]
  }

  #discriminator(discriminator: Value | undefined): unknown[] {
    if (discriminator === undefined) return []
    const target = (text: Value | undefined) => {
      if (text === undefined) return undefined
      const component = own(own(own(this.#root, 'components'), 'schemas'), String(text))
      return this.#target(
        component === undefined ? String(text) : `#/components/schemas/${escaped(String(text))}`
      )
    }
    // A value that is mapped to nothing is a problem of the schema.
    const mapping = map(own(discriminator, 'mapping'), target)
    if (mapping.some(([, number]) => number === undefined)) return []
    return [
      'discriminator',
      own(discriminator, 'propertyName'),
      mapping,
      target(own(discriminator, 'defaultMapping'))
    ]
  }

  #xml(xml: Node) {
    const flags = ['attribute', 'wrapped'].filter((flag) => isTrue(xml, flag))
    return ['xml', ...pick(xml, 'nodeType', 'name', 'namespace', 'prefix'), ...flags]
  }
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

interface Key {
  readonly name: string
  readonly in: string
}
const keyOf = ({ name, in: place }: Key) => `${place} ${place === 'header' ? name.toLowerCase() : name}`
const byKey = (a: Key, b: Key) => (keyOf(a) < keyOf(b) ? -1 : 1)
const isIgnored = (key: Key) =>
  ['header accept', 'header content-type', 'header authorization'].includes(keyOf(key))
