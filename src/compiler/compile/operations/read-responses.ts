/** Reads the responses of an operation: their headers, and the check and serializer of each media type. */
import {
  anyValue,
  type Content,
  type Response as DeclaredResponse,
  type Header,
  type Operation,
  type OwnFormats,
  type Schema
} from '@contract-first/contract'
import { bodyKind, isPatternOnly } from '@contract-first/engine/media-types'
import {
  connectionHeaders,
  type Int64Plan,
  type Items,
  type Response,
  type ResponseContent,
  type ResponseHeader
} from '@contract-first/engine/model'
import type { Serializers } from '../shapes/serializers.ts'
import type { Validators } from '../validators/validators.ts'
import { Int64Plans } from './int64-plan.ts'
import { schemaOf, textShape } from './parameter-spec.ts'
import { type Sequence, sequenceOf } from './sequence.ts'

export class ResponseReader {
  readonly #validators: Validators
  readonly #serializers: Serializers
  readonly #int64: Int64Plans
  readonly #hasFormats: boolean

  constructor(formats: OwnFormats | undefined, validators: Validators, serializers: Serializers) {
    this.#validators = validators
    this.#serializers = serializers
    this.#int64 = new Int64Plans(formats)
    this.#hasFormats = formats !== undefined
  }

  /** @param label prefix for the names of validators and serializers */
  read({ responses }: Operation, label: string): Record<string, Response> {
    const read = [...responses].map(([status, response]) => [
      status,
      this.#response(response, `${label}_${status}`)
    ])
    return Object.fromEntries(read)
  }

  #response({ headers, contents }: DeclaredResponse, label: string): Response {
    const sent = [...headers].filter(([name]) => !connectionHeaders.has(name.toLowerCase()))
    const content = contents.filter(({ mediaType }) => !isPatternOnly(mediaType))
    return {
      headers: sent.map(([name, header], index) => this.#header(name, header, `${label}_header${index}`)),
      content: content.map((each, index) => this.#content(each, `${label}_${index || ''}`))
    }
  }

  #header(name: string, header: Header, label: string): ResponseHeader {
    const schema = schemaOf(header)
    const isJson = header.content?.kind === 'json'
    const plan = isJson ? this.#int64Of(schema, label) : this.#formatsOf(schema, label)
    return {
      name: name.toLowerCase(),
      required: header.required,
      ...(schema !== anyValue && { validate: this.#validators.add('response', schema, label) }),
      ...(isJson ? { json: true } : this.#shapeOf(schema, plan.int64 !== undefined)),
      ...plan,
      ...(header.explode && { explode: true })
    }
  }

  /** Returns the plan of a text, which has int64 by its shape. */
  #formatsOf(schema: Schema, label: string): { readonly int64?: Int64Plan } {
    const found = this.#hasFormats ? this.#int64Of(schema, label) : {}
    return found.int64?.formats ? found : {}
  }

  /** A text that is not parsed needs no shape. */
  #shapeOf(schema: Schema, isParsed: boolean): Pick<ResponseHeader, 'shape'> {
    const shape = textShape([schema])
    const { types, ...parts } = shape
    const isText = types.every((type) => type === 'string') && Object.keys(parts).length === 0
    return isText && !isParsed ? {} : { shape }
  }

  #content(declared: Content, label: string): ResponseContent {
    const { mediaType, isRange, isStreamed, schema = anyValue } = declared
    const kind = bodyKind(mediaType)
    if (kind === 'json' || isRange) {
      const validate = this.#validators.add('response', schema, label)
      const serialize = this.#serializers.add(schema, labelOf(label))
      return { mediaType, kind, validate, serialize, ...this.#int64Of(schema, label) }
    }
    const sequence = sequenceOf(declared)
    if (sequence !== undefined) return { mediaType, kind, items: this.#items(sequence, label) }
    if (kind === 'text') {
      const validate = this.#validators.add('response', schema, label)
      return { mediaType, kind, validate, ...this.#formatsOf(schema, label) }
    }
    return { mediaType, kind, ...(isStreamed && { stream: true as const }) }
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

  #int64Of(schema: Schema, label: string): { readonly int64?: Int64Plan } {
    const plan = this.#int64.add(schema, (branch) =>
      this.#validators.add('response', branch, `${label}_branch`)
    )
    return plan === undefined ? {} : { int64: plan }
  }
}

export function labelOf(name: string): string {
  return `_${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`.replace(/^_(?=[A-Za-z])/, '')
}
