/** Reads the responses of an operation: their headers, and the check and serializer of each media type. */
import { bodyKind, isPatternOnly } from '@contract-first/engine/media-types'
import {
  connectionHeaders,
  type Int64Plan,
  type Items,
  type Response,
  type ResponseContent,
  type ResponseHeader
} from '@contract-first/engine/model'
import { type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { isStatus, statusName } from '../document/operation-objects.ts'
import { dereference } from '../document/reference.ts'
import type { LoadedContract } from '../load/load.ts'
import type { Serializers } from '../shapes/serializers.ts'
import { Shapes } from '../shapes/shape.ts'
import type { Validators } from '../validators/validators.ts'
import { Int64Plans } from './int64-plan.ts'
import { textShape } from './parameter-spec.ts'
import { type Sequence, sequenceOf } from './sequence.ts'
import { isStreamed } from './streamed-content.ts'

export class ResponseReader {
  readonly #document: JsonObject
  readonly #shapes: Shapes
  readonly #validators: Validators
  readonly #serializers: Serializers
  readonly #int64: Int64Plans
  readonly #hasFormats: boolean

  constructor(
    { document, formats }: Pick<LoadedContract, 'document' | 'formats'>,
    validators: Validators,
    serializers: Serializers
  ) {
    this.#document = document
    this.#shapes = new Shapes(document)
    this.#validators = validators
    this.#serializers = serializers
    this.#int64 = new Int64Plans(document, formats?.formats)
    this.#hasFormats = formats !== undefined
  }

  /** @param label prefix for the names of validators and serializers */
  read(nodes: JsonObject, label: string): Record<string, Response> {
    const entries = Object.entries(nodes).filter(([status]) => isStatus(status))
    return Object.fromEntries(
      entries.map(([status, value]) => {
        const node = objectOf(dereference(this.#document, value))
        return [statusName(status), this.#response(node, `${label}_${status}`)]
      })
    )
  }

  #response(node: JsonObject, label: string): Response {
    const headers = Object.entries(objectOf(own(node, 'headers'))).filter(
      ([name]) => name.toLowerCase() !== 'content-type' && !connectionHeaders.has(name.toLowerCase())
    )
    const content = Object.entries(objectOf(own(node, 'content'))).filter(([type]) => !isPatternOnly(type))
    return {
      headers: headers.map(([name, value], index) =>
        this.#header(name, objectOf(dereference(this.#document, value)), `${label}_header${index}`)
      ),
      content: content.map(([mediaType, value], index) =>
        this.#responseContent(
          mediaType,
          objectOf(dereference(this.#document, value)),
          `${label}_${index || ''}`
        )
      )
    }
  }

  #header(name: string, node: JsonObject, label: string): ResponseHeader {
    const content = objectOf(own(node, 'content'))
    const [media] = Object.values(content)
    const schema = own(node, 'schema') ?? own(dereference(this.#document, media) ?? {}, 'schema')
    const isJson = Object.keys(content).some((mediaType) => bodyKind(mediaType) === 'json')
    const plan = isJson ? this.#int64Of(schema ?? true, label) : this.#formatsOf(schema ?? true, label)
    return {
      name: name.toLowerCase(),
      required: own(node, 'required') === true,
      ...(schema === undefined ? {} : { validate: this.#validators.add('response', schema, label) }),
      ...(isJson ? { json: true } : this.#shapeOf(schema, plan.int64 !== undefined)),
      ...plan,
      ...(own(node, 'explode') === true ? { explode: true } : {})
    }
  }

  /** Returns the plan of a text, which has int64 by its shape. */
  #formatsOf(schema: Json, label: string): { readonly int64?: Int64Plan } {
    const found = this.#hasFormats ? this.#int64Of(schema, label) : {}
    return found.int64?.formats ? found : {}
  }

  /** A text that is not parsed needs no shape. */
  #shapeOf(schema: Json | undefined, isParsed: boolean): Pick<ResponseHeader, 'shape'> {
    const shape = textShape([schema ?? true], this.#shapes)
    const { types, ...parts } = shape
    const isText = types.every((type) => type === 'string') && Object.keys(parts).length === 0
    return isText && !isParsed ? {} : { shape }
  }

  #responseContent(mediaType: string, media: JsonObject, label: string): ResponseContent {
    const kind = bodyKind(mediaType)
    const schema = own(media, 'schema') ?? true
    if (kind === 'json' || mediaType.includes('*')) {
      const validate = this.#validators.add('response', schema, label)
      const serialize = this.#serializers.add(schema, labelOf(label))
      return { mediaType, kind, validate, serialize, ...this.#int64Of(schema, label) }
    }
    const sequence = sequenceOf(mediaType, media, { document: this.#document, shapes: this.#shapes })
    if (sequence !== undefined) return { mediaType, kind, items: this.#items(sequence, label) }
    if (kind === 'text') {
      const validate = this.#validators.add('response', schema, label)
      return { mediaType, kind, validate, ...this.#formatsOf(schema, label) }
    }
    return { mediaType, kind, ...(isStreamed(media, mediaType) && { stream: true as const }) }
  }

  #items({ forms, ...sequence }: Sequence, label: string): Items {
    const items = forms.map(({ isText, schema, data }) => {
      const validate = this.#validators.add('response', schema, `${label}_item`)
      return isText
        ? { isText, validate }
        : {
            validate,
            serialize: this.#serializers.add(data, labelOf(`${label}_item`)),
            ...this.#int64Of(schema, label)
          }
    })
    return { ...sequence, forms: items }
  }

  #int64Of(schema: Json, label: string): { readonly int64?: Int64Plan } {
    const plan = this.#int64.add(schema, (branch) =>
      this.#validators.add('response', branch, `${label}_branch`)
    )
    return plan === undefined ? {} : { int64: plan }
  }
}

export function labelOf(name: string): string {
  return `_${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`.replace(/^_(?=[A-Za-z])/, '')
}
