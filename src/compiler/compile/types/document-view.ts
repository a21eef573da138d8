/**
 * Rewrites the document for openapi-typescript, without the parts on which it crashes or that it misreads. Validators
 * never see the result.
 */
import { bodyKind } from '@contract-first/engine/media-types'
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
import { Shapes } from '../shapes/shape.ts'
import { composed, int64, values, withSchema } from './schema-view.ts'

/** Keys that do not affect types, and the discriminator, for which openapi-typescript drops and invents properties. */
const dropped = new Set([
  ...['example', 'examples', 'default', 'discriminator', 'xml', 'externalDocs', 'links'],
  ...['security', 'securitySchemes', 'servers', 'tags', 'jsonSchemaDialect'],
  // openapi-typescript would make a property of `$defs`; schemas that are referred to are hoisted.
  ...['$defs', 'definitions']
])

/** Place of a string in a multipart body: strings of fields may be bytes; deeper strings are JSON. */
type MultipartPart = 'body' | 'field' | undefined

/** Keywords that hold the fields of a body. */
const fields = new Set(['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'])

/** A schema that becomes a component. */
interface Added {
  readonly name: string
  readonly node: JsonObject
  readonly part: MultipartPart
}

export class TypesView {
  readonly #document: JsonObject
  readonly #shapes: Shapes
  readonly #hoisted = new Map<string, string>()
  #added: Added[] = []
  #part: MultipartPart

  constructor(document: JsonObject) {
    this.#document = document
    this.#shapes = new Shapes(document)
  }

  /** @param nameOf returns the name of an operation's type */
  document(nameOf: (operationId: string) => string): JsonObject {
    const view = { ...this.#node(this.#document), paths: this.#paths(nameOf) }
    const components = objectOf(own(view, 'components'))
    // Hoisting a schema may add further ones.
    for (let next = this.#added.pop(); next !== undefined; next = this.#added.pop()) {
      const { name, node } = next
      const schema = this.#within(next.part, () => this.#node(node))
      components['schemas'] = { ...objectOf(own(components, 'schemas')), [name]: schema }
    }
    return { ...view, components }
  }

  /** Names each operation. QUERY, which openapi-typescript does not know, becomes GET of a path item of its own. */
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

  /** Keeps a reference to a component of its own kind, and replaces any other reference by its target. */
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
    return composed(values(int64(view)), () => this.#shapes.of([written]).types)
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
    try {
      return view()
    } finally {
      this.#part = before
    }
  }

  /** Makes a component of the target of a reference that leads into a schema. */
  #reference(reference: string): string {
    // A boolean schema has the type of an empty one.
    const target = objectOf(atPointer(this.#document, reference))
    const isNamed = /^#\/components\/[^/]+\/[^/]+$/.test(reference)
    const isMisplaced = own(target, 'type') !== undefined && !reference.startsWith('#/components/schemas/')
    if (!reference.startsWith('#/') || (isNamed && this.#part === undefined && !isMisplaced)) return reference
    if (own(target, 'in') !== undefined || own(target, 'content') !== undefined) return reference
    const part = this.#part
    const key = part === undefined ? reference : `multipart ${part} ${reference}`
    const name = this.#hoisted.get(key) ?? this.#freeName(key)
    if (!this.#hoisted.has(key)) this.#added.push({ name, node: target, part })
    this.#hoisted.set(key, name)
    return `#/components/schemas/${name}`
  }

  #freeName(key: string): string {
    const base = key.replace(/^#\//, '').replaceAll(/[^A-Za-z0-9]+/g, '_')
    const taken = new Set(this.#hoisted.values())
    let name = base
    for (let serial = 2; taken.has(name); serial++) name = `${base}_${serial}`
    return name
  }
}

const isParameter = (node: JsonObject): boolean =>
  typeof own(node, 'name') === 'string' && typeof own(node, 'in') === 'string'
