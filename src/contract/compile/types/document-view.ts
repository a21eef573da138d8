/**
 * The document as openapi-typescript reads it right: without what it crashes on or takes for something else.
 * Nothing of this reaches the validators.
 */
import { bodyKind } from '../../media-types/body-kind.ts'
import {
  arrayOf,
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../document/json-value.ts'
import { isStatus, operationNodes, statusName } from '../document/operation-objects.ts'
import { atPointer, dereference, pointerOf } from '../document/reference.ts'
import { holdsBytes } from '../document/schema-object.ts'
import { namedMembers } from '../document/walk.ts'
import { composed, int64, values } from './schema-view.ts'

/** Of no meaning to a type, or harmful: a discriminator makes it drop and invent properties. */
const dropped = new Set([
  ...['example', 'examples', 'default', 'discriminator', 'xml', 'externalDocs', 'links'],
  ...['security', 'securitySchemes', 'servers', 'tags', 'jsonSchemaDialect'],
  // It would make a member of it; what is referred to is hoisted.
  ...['$defs', 'definitions']
])

/** In a multipart body the strings of its fields may be bytes; those further inside are of JSON. */
type MultipartPart = 'body' | 'field' | undefined

/** Keywords that lead from a body to its fields. */
const fields = new Set(['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'])

/** A schema that becomes a component of its own. */
interface Added {
  readonly name: string
  readonly node: JsonObject
  readonly part: MultipartPart
}

export class TypesView {
  readonly #document: JsonObject
  readonly #hoisted = new Map<string, string>()
  #added: Added[] = []
  #part: MultipartPart

  constructor(document: JsonObject) {
    this.#document = document
  }

  /** @param nameOf the name of an operation's type */
  document(nameOf: (operationId: string) => string): JsonObject {
    const view = { ...this.#node(this.#document), paths: this.#paths(nameOf) }
    const components = objectOf(own(view, 'components'))
    // Hoisting may find more to hoist.
    for (let next = this.#added.pop(); next !== undefined; next = this.#added.pop()) {
      const { name, node } = next
      const schema = this.#within(next.part, () => this.#node(node))
      components['schemas'] = { ...objectOf(own(components, 'schemas')), [name]: schema }
    }
    return { ...view, components }
  }

  /** Each operation in a path item of its own, under its name; methods that openapi-typescript does not know as GET. */
  #paths(nameOf: (operationId: string) => string): JsonObject {
    const paths: JsonObject = {}
    for (const { path, method, pathItem, node } of operationNodes(this.#document)) {
      const key = method === 'QUERY' ? `QUERY ${path}` : path
      const own = { ...this.#operation(node), operationId: nameOf(String(node['operationId'])) }
      const shared = this.#list(pathItem['parameters'], 'parameters')
      define(paths, key, {
        parameters: shared,
        ...objectOf(paths[key]),
        [method === 'QUERY' ? 'get' : method.toLowerCase()]: own
      })
    }
    return paths
  }

  #operation(node: JsonObject): JsonObject {
    const { callbacks: _callbacks, ...view } = this.#node(node)
    const responses = Object.entries(objectOf(own(node, 'responses'))).filter(([status]) => isStatus(status))
    const body = own(node, 'requestBody')
    return {
      ...view,
      parameters: this.#list(own(node, 'parameters'), 'parameters'),
      responses: Object.fromEntries(
        responses.map(([status, response]) => [statusName(status), this.#component(response, 'responses')])
      ),
      ...(body === undefined ? {} : { requestBody: this.#component(body, 'requestBodies') })
    }
  }

  #list(parts: Json | undefined, section: string): Json[] {
    return arrayOf(parts).map((part) => this.#component(part, section))
  }

  /** A reference is kept where it leads to a component of its own kind; anything else has no type of its own. */
  #component(part: Json, section: string): Json {
    const pointer = pointerOf(objectOf(part))
    const isNamed =
      pointer?.startsWith(`#/components/${section}/`) === true && pointer.split('/').length === 4
    const target = isNamed ? atPointer(this.#document, pointer) : undefined
    const isDirect = isObject(target) && pointerOf(target) === undefined
    return this.#any(isDirect ? part : objectOf(dereference(this.#document, part)))
  }

  #any(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#any(item))
    return isObject(value) ? this.#node(value) : value
  }

  #map(members: JsonObject, read: (member: JsonObject) => Json = (member) => member): JsonObject {
    const result: JsonObject = {}
    for (const [name, member] of Object.entries(members))
      define(result, name, this.#any(isObject(member) ? read(member) : member))
    return result
  }

  #node(written: JsonObject): JsonObject {
    const node = isParameter(written) ? withSchema(written) : written
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('x-') || dropped.has(key) || key === 'operationId') continue
      if (key === '$ref') result['$ref'] = this.#reference(String(value))
      else if (key === 'enum' || key === 'const') result[key] = value
      else if (key === 'content' && isObject(value)) result[key] = this.#content(value)
      else
        define(
          result,
          key,
          this.#within(this.#partIn(key), () => this.#member(key, value))
        )
    }
    const view = this.#part === 'field' && holdsBytes(result) ? { ...result, 'x-bytes': true } : result
    return composed(values(int64(view)))
  }

  #member(key: string, value: Json): Json {
    if (key === 'headers' && isObject(value)) return this.#map(value, withSchema)
    return namedMembers.has(key) && isObject(value) ? this.#map(value) : this.#any(value)
  }

  #partIn(key: string): MultipartPart {
    if (!fields.has(key)) return this.#part
    return this.#part === 'body' ? 'field' : undefined
  }

  #content(content: JsonObject): JsonObject {
    const types = Object.entries(content).map(([mediaType, media]) => {
      const view = this.#within(bodyKind(mediaType) === 'multipart' ? 'body' : undefined, () =>
        this.#any(media)
      )
      return [mediaType, view]
    })
    return Object.fromEntries(types)
  }

  #within<T>(part: MultipartPart, view: () => T): T {
    const before = this.#part
    this.#part = part
    const result = view()
    this.#part = before
    return result
  }

  /** A reference into the middle of a schema becomes one to a schema of its own. */
  #reference(reference: string): string {
    const isNamed = /^#\/components\/[^/]+\/[^/]+$/.test(reference)
    if (!reference.startsWith('#/') || (isNamed && this.#part === undefined)) return reference
    // Of a schema that is `true` or `false` a type says no more than of one that says nothing.
    const target = objectOf(atPointer(this.#document, reference))
    if (own(target, 'in') !== undefined || own(target, 'content') !== undefined) return reference
    const part = this.#part
    const key = part === undefined ? reference : `multipart ${part} ${reference}`
    const name = this.#hoisted.get(key) ?? key.replace(/^#\//, '').replaceAll(/[^A-Za-z0-9]+/g, '_')
    if (!this.#hoisted.has(key)) this.#added.push({ name, node: target, part })
    this.#hoisted.set(key, name)
    return `#/components/schemas/${name}`
  }
}

const isParameter = (node: JsonObject): boolean =>
  typeof own(node, 'name') === 'string' && typeof own(node, 'in') === 'string'

/** Of a parameter or header by content, openapi-typescript sees the text; a handler gets the value. */
function withSchema(parameter: JsonObject): JsonObject {
  const { content, ...rest } = parameter
  const [media] = Object.values(objectOf(content))
  return media === undefined ? parameter : { ...rest, schema: own(objectOf(media), 'schema') ?? {} }
}
