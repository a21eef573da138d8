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
import { isStatus, operationNodes, operationsIn, statusName } from '../document/operation-objects.ts'
import { fragmentOf } from '../document/pointer.ts'
import { atPointer, dereference, pointerOf } from '../document/reference.ts'
import { holdsBytes } from '../document/schema-object.ts'
import { namedMembers } from '../document/walk.ts'
import type { SentOperation } from '../operations/sent-operations.ts'
import { anyItem, sequenceOf } from '../operations/sequence.ts'
import { isStreamed } from '../operations/streamed-content.ts'
import { Shapes } from '../shapes/shape.ts'
import { asParameter, composed, headerView, int64, members, values } from './schema-view.ts'
import { Sides } from './sides.ts'

/** Keys that do not affect types, and the discriminator, for which openapi-typescript drops and invents properties. */
const dropped = new Set([
  ...['example', 'examples', 'default', 'discriminator', 'xml', 'externalDocs', 'links'],
  ...['security', 'securitySchemes', 'servers', 'tags', 'jsonSchemaDialect'],
  // Their operations have types of their own.
  ...['webhooks', 'callbacks'],
  // The properties of the other side are left out (sides.ts).
  ...['readOnly', 'writeOnly'],
  // openapi-typescript would make a property of `$defs`; schemas that are referred to are hoisted.
  ...['$defs', 'definitions']
])

/** Place of a string in a multipart body: strings of fields may be bytes; deeper strings are JSON. */
type MultipartPart = 'body' | 'field' | 'streamed body' | 'streamed field' | undefined

/** Keywords that hold the fields of a body. */
const fields = new Set(['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'])

/** Keywords whose schemas describe what a handler receives, unless a service sends the operation. */
const received = new Set(['requestBody', 'requestBodies', 'parameters'])

/** Methods that openapi-typescript knows. */
const knownMethods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Returns the field of a path item that holds the operation in the view. */
const knownField = (method: string): string =>
  knownMethods.has(method.toLowerCase()) ? method.toLowerCase() : 'get'

/** Returns the type of an operation of a webhook or callback, by its position in the list. */
export const sentType = ({ method }: SentOperation, index: number): string =>
  `components["pathItems"]["sent ${index}"]["${knownField(method)}"]`

/** A schema that becomes a component. */
interface Added {
  readonly name: string
  readonly node: JsonObject
  readonly part: MultipartPart
  readonly isReceived: boolean
}

interface Place {
  readonly part?: MultipartPart
  readonly isReceived?: boolean
  readonly isSent?: boolean
}

/** The document for openapi-typescript, and the names of component schemas that a handler receives with another type. */
interface View {
  readonly document: JsonObject
  /** Name of the received type, by the name of the schema. */
  readonly received: ReadonlyMap<string, string>
}

export class TypesView {
  readonly #document: JsonObject
  readonly #shapes: Shapes
  readonly #hoisted = new Map<string, string>()
  #added: Added[] = []
  readonly #sides: Sides
  #part: MultipartPart
  #isReceived = false
  /** True in a webhook or callback: the service sends the request, and receives the responses. */
  #isSent = false

  constructor(document: JsonObject) {
    this.#document = document
    this.#shapes = new Shapes(document)
    this.#sides = new Sides(document)
  }

  /**
   * @param nameOf returns the name of an operation's type
   * @param sent operations of webhooks and callbacks
   */
  of(nameOf: (operationId: string) => string, sent: readonly SentOperation[]): View {
    const written = this.#node(this.#document)
    const view = { ...written, paths: this.#paths(nameOf), webhooks: this.#webhooks() }
    const components = objectOf(own(view, 'components'))
    const schemas = { ...objectOf(own(components, 'schemas')) }
    const received = this.#receivedSchemas(Object.keys(schemas))
    const pathItems = { ...objectOf(own(components, 'pathItems')) }
    for (const [index, { method, pathItem, node }] of sent.entries())
      pathItems[`sent ${index}`] = this.#sentOperation(pathItem, method, node)
    // Hoisting a schema may add further ones.
    for (let next = this.#added.pop(); next !== undefined; next = this.#added.pop()) {
      const { name, node } = next
      define(
        schemas,
        name,
        this.#within(next, () => this.#node(node))
      )
    }
    return { document: { ...view, components: { ...components, schemas, pathItems } }, received }
  }

  #receivedSchemas(names: readonly string[]): Map<string, string> {
    const pairs = names.map((name) => {
      const own = fragmentOf(['components', 'schemas', name])
      const reference = this.#within({ isReceived: true }, () => this.#reference(own))
      return [name, own === reference ? '' : String(reference.split('/').at(-1))] as const
    })
    return new Map(pairs.filter(([, hoisted]) => hoisted !== ''))
  }

  /** Names each operation. A method that openapi-typescript does not know becomes GET of a path item of its own. */
  #paths(nameOf: (operationId: string) => string): JsonObject {
    const paths: JsonObject = {}
    for (const { path, method, pathItem, node } of operationNodes(this.#document)) {
      const field = method.toLowerCase()
      const isKnown = knownMethods.has(field)
      const key = isKnown ? path : `${method} ${path}`
      const own = { ...this.#operation(node), operationId: nameOf(String(node['operationId'])) }
      const shared = this.#list(pathItem['parameters'], 'parameters')
      define(paths, key, {
        parameters: shared,
        ...objectOf(paths[key]),
        [isKnown ? field : 'get']: own
      })
    }
    return paths
  }

  #sentOperation(pathItem: JsonObject, method: string, node: JsonObject): JsonObject {
    return this.#within({ isSent: true }, () => {
      const parameters = this.#list(pathItem['parameters'], 'parameters')
      return { parameters, [knownField(method)]: this.#operation(node) }
    })
  }

  /** Gives each operation of a method that openapi-typescript does not know a path item of its own, as GET. */
  #webhooks(): JsonObject {
    const webhooks: JsonObject = {}
    for (const [name, item] of Object.entries(objectOf(own(this.#document, 'webhooks')))) {
      const pathItem = objectOf(dereference(this.#document, item))
      define(webhooks, name, {})
      for (const { method, node } of operationsIn(pathItem)) {
        const key = knownMethods.has(method.toLowerCase()) ? name : `${method} ${name}`
        const written = this.#sentOperation(pathItem, method, node)
        define(webhooks, key, { ...objectOf(own(webhooks, key)), ...written })
      }
    }
    return webhooks
  }

  #operation(node: JsonObject): JsonObject {
    const view = this.#node(node)
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
    const isReceived = (section === 'responses') === this.#isSent
    const isShared = isDirect && !(this.#isSent && this.#sides.differ(target))
    const component = isShared ? part : objectOf(dereference(this.#document, part))
    return this.#within({ isReceived }, () => this.#any(component))
  }

  #any(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#any(item))
    return isObject(value) ? this.#node(value) : value
  }

  #map(
    members: JsonObject,
    read: (member: JsonObject, name: string) => Json = (member) => member
  ): JsonObject {
    const result: JsonObject = {}
    for (const [name, member] of Object.entries(members))
      define(result, name, this.#any(isObject(member) ? read(member, name) : member))
    return result
  }

  #node(written: JsonObject): JsonObject {
    const node = this.#sides.of(
      isParameter(written) ? asParameter(written, this.#document) : written,
      this.#isReceived
    )
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
          this.#within(
            { part: this.#partIn(key), isReceived: this.#isReceived || (received.has(key) && !this.#isSent) },
            () => this.#member(key, value)
          )
        )
    }
    const bytes = this.#part === 'streamed field' ? 'UploadedFile' : 'FilePart'
    const isField = this.#part === 'field' || this.#part === 'streamed field'
    const view = isField && holdsBytes(result) ? { ...result, 'x-bytes': bytes } : result
    return composed(members(values(int64(view))), () => this.#shapes.of([written]).types)
  }

  #member(key: string, value: Json): Json {
    if (key === 'headers' && isObject(value))
      return this.#map(value, (header, name) => headerView(name, header, this.#document))
    return namedMembers.has(key) && isObject(value) ? this.#map(value) : this.#any(value)
  }

  #partIn(key: string): MultipartPart {
    if (!fields.has(key)) return this.#part
    if (this.#part === 'streamed body') return 'streamed field'
    return this.#part === 'body' ? 'field' : undefined
  }

  #content(content: JsonObject): JsonObject {
    const types = Object.entries(content).map(([mediaType, media]) => {
      const target = objectOf(dereference(this.#document, media))
      const isUpload = this.#isReceived && isStreamed(target, mediaType)
      const part = bodyKind(mediaType) === 'multipart' ? (isUpload ? 'streamed body' : 'body') : undefined
      const view = this.#within({ part }, () => this.#any(this.#itemView(mediaType, media)))
      return [mediaType, view]
    })
    return Object.fromEntries(types)
  }

  /** Gives a sequence the schema of its items as `schema`, because openapi-typescript does not know `itemSchema`. */
  #itemView(mediaType: string, media: Json): Json {
    const [document, shapes] = [this.#document, this.#shapes]
    const sequence = sequenceOf(mediaType, objectOf(dereference(document, media)), { document, shapes })
    return sequence === undefined ? media : { schema: anyItem(sequence) }
  }

  #within<T>({ part, isReceived, isSent }: Place, view: () => T): T {
    const before = [this.#part, this.#isReceived, this.#isSent] as const
    this.#part = part
    this.#isReceived = isReceived ?? this.#isReceived
    this.#isSent = isSent ?? this.#isSent
    try {
      return view()
    } finally {
      ;[this.#part, this.#isReceived, this.#isSent] = before
    }
  }

  /** Makes a component of the target of a reference that leads into a schema. */
  #reference(reference: string): string {
    // A boolean schema has the type of an empty one.
    const target = objectOf(atPointer(this.#document, reference))
    const isNamed = /^#\/components\/[^/]+\/[^/]+$/.test(reference)
    const isMisplaced = own(target, 'type') !== undefined && !reference.startsWith('#/components/schemas/')
    const isParameterOrBody = own(target, 'in') !== undefined || own(target, 'content') !== undefined
    if (!reference.startsWith('#/') || isParameterOrBody) return reference
    const part = this.#part
    const isReceived = this.#isReceived && this.#sides.differ(target)
    if (isNamed && part === undefined && !isMisplaced && !isReceived) return reference
    const key = [isReceived ? 'received' : '', part === undefined ? '' : `multipart ${part}`, reference]
      .filter((word) => word !== '')
      .join(' ')
    const name = this.#hoisted.get(key) ?? this.#freeName(key)
    if (!this.#hoisted.has(key)) this.#added.push({ name, node: target, part, isReceived })
    this.#hoisted.set(key, name)
    return `#/components/schemas/${name}`
  }

  #freeName(key: string): string {
    const base = key
      .replace(/^received #\/components\/schemas\/|^#\//, (start) => (start.length > 2 ? 'received ' : ''))
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
    const declared = objectOf(own(objectOf(own(this.#document, 'components')), 'schemas'))
    const taken = new Set([...this.#hoisted.values(), ...Object.keys(declared)])
    let name = base
    for (let serial = 2; taken.has(name); serial++) name = `${base}_${serial}`
    return name
  }
}

const isParameter = (node: JsonObject): boolean =>
  typeof own(node, 'name') === 'string' && typeof own(node, 'in') === 'string'
