/** Builds bodies, responses, headers, media types and examples: what a message holds, and how it is read. */
import { bodyKind, framingOf, isPatternOnly, parseMediaType } from '@contract-first/engine/media-types'
import type { Body, Content, ContentKind, Encoding, Header, PartEncodings } from '../model/contract.ts'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  membersOf,
  objectOf,
  own,
  stringOf
} from '../model/json.ts'
import { type Example, make, noExamples, type Schema } from '../model/schema.ts'
import { anyValue, merged } from '../views/merged.ts'
import { endOf } from '../views/parts.ts'
import { extensionsOf, type Mutable, type SourceDocument, textsOf } from './document.ts'
import type { SchemaBuilder } from './schemas.ts'

/** Extension of a media type whose bodies handlers read as streams. */
export const streamKey = 'x-stream'

export class ContentBuilder {
  readonly #document: SourceDocument
  readonly #schemas: SchemaBuilder
  readonly #headers = new Map<JsonObject, Header>()
  readonly #bodies = new Map<JsonObject, Body>()
  /** Contents of sequential media types; what their items are depends on schemas that are not known yet. */
  readonly #sequential: Mutable<Content>[] = []

  constructor(schemas: SchemaBuilder) {
    this.#document = schemas.document
    this.#schemas = schemas
  }

  /** @param operation its limit holds for a body that sets none */
  body(value: Json | undefined, operation: JsonObject = {}): Body | undefined {
    const isShared = own(operation, limitKey) === undefined
    return this.#document.once(isShared ? this.#bodies : new Map(), value, (node) => ({
      required: own(node, 'required') === true,
      contents: this.contents(node, (media) => this.#limitOf([media, node, operation])),
      ...this.#document.common(node, 'requestBodies')
    }))
  }

  header(value: Json | undefined): Header | undefined {
    return this.#document.once(this.#headers, value, (node) => ({
      required: own(node, 'required') === true,
      deprecated: own(node, 'deprecated') === true,
      explode: own(node, 'explode') === true,
      ...this.value(node),
      examples: this.examples(node),
      ...this.#document.common(node, 'headers')
    }))
  }

  headers(node: JsonObject): Map<string, Header> {
    const found = new Map<string, Header>()
    for (const [name, value] of Object.entries(objectOf(own(node, 'headers')))) {
      const header = name.toLowerCase() === 'content-type' ? undefined : this.header(value)
      if (header !== undefined) found.set(name, header)
    }
    return found
  }

  /** Returns the schema of a parameter or header, or the media type that it has instead. */
  value(node: JsonObject): { schema?: Schema; content?: Content } {
    const schema = own(node, 'schema')
    const [content] = this.contents(node)
    return {
      ...(schema !== undefined && { schema: this.#schemas.schema(schema, node, 'schema') }),
      ...(content !== undefined && { content })
    }
  }

  /** @param limitOf returns the largest body of a media type; only bodies of requests have one */
  contents(
    node: JsonObject,
    limitOf: (media: JsonObject) => number | undefined = () => undefined
  ): Content[] {
    return Object.entries(objectOf(own(node, 'content'))).flatMap(([mediaType, value]) => {
      const media = this.#document.resolve(value)
      return media === undefined ? [] : [this.#content(mediaType, media, limitOf(media))]
    })
  }

  /**
   * Returns the largest body in bytes; a wrong one is a problem.
   * @param nodes objects that may set it, the most specific one first
   */
  #limitOf(nodes: readonly JsonObject[]): number | undefined {
    const node = nodes.find((each) => own(each, limitKey) !== undefined)
    if (node === undefined) return undefined
    const limit = own(node, limitKey)
    if (Number.isSafeInteger(limit) && Number(limit) > 0) return Number(limit)
    const message = `${limitKey} must be a number of bytes, at least 1`
    this.#document.report('error', 'body-limit', message, this.#document.origin(node).at(limitKey))
    return undefined
  }

  examples(node: JsonObject): readonly Example[] {
    const [example, examples] = [own(node, 'example'), own(node, 'examples')]
    if (example === undefined && examples === undefined) return noExamples
    const single =
      example === undefined ? [] : [{ value: example, origin: this.#document.origin(node).at('example') }]
    const named = Object.entries(objectOf(examples)).flatMap(([name, value]) => {
      const found = this.#document.resolve(value)
      return found === undefined ? [] : [this.#example(name, found)]
    })
    return [...single, ...named]
  }

  /** Decides what the items of sequences are, when all schemas are known. */
  finish(): void {
    for (const content of this.#sequential) {
      const framing = framingOf(content.mediaType)
      const item = itemOf(content)
      if (framing === undefined || item === undefined) continue
      const { types, properties } = merged([item])
      // An event is an object with `data`; any other schema is that of the data.
      const isEvent = properties.has('data') && types?.size === 1 && types.has('object')
      content.sequence = { framing, item, isEvent: framing === 'events' && isEvent }
    }
  }

  #content(mediaType: string, node: JsonObject, limit: number | undefined): Content {
    const [schema, item] = [own(node, 'schema'), own(node, 'itemSchema')]
    const content: Mutable<Content> = {
      mediaType,
      isRange: mediaType.includes('*'),
      kind: kindOf(mediaType),
      ...(schema !== undefined && { schema: this.#schemas.schema(schema, node, 'schema') }),
      ...(item !== undefined && { item: this.#schemas.schema(item, node, 'itemSchema') }),
      ...this.#encodings(node),
      isStreamed: own(node, streamKey) === true && isStreamable(mediaType),
      ...(limit !== undefined && { limit }),
      examples: this.examples(node),
      extensions: extensionsOf(node),
      origin: this.#document.origin(node)
    }
    if (framingOf(mediaType) !== undefined) this.#sequential.push(content)
    return content
  }

  #encodings(node: JsonObject): PartEncodings {
    const item = own(node, 'itemEncoding')
    return {
      fields: new Map(membersOf(own(node, 'encoding')).map(([name, rules]) => [name, this.#encoding(rules)])),
      prefixEncodings: arrayOf(own(node, 'prefixEncoding')).map((rules) => this.#encoding(objectOf(rules))),
      ...(isObject(item) && { itemEncoding: this.#encoding(item) })
    }
  }

  #encoding(rules: JsonObject): Encoding {
    const types = (stringOf(own(rules, 'contentType')) ?? '').split(',').map((type) => type.trim())
    const [explode, reserved] = [own(rules, 'explode'), own(rules, 'allowReserved')]
    return {
      contentTypes: types.filter((type) => type !== ''),
      ...textsOf(rules, 'style'),
      ...(typeof explode === 'boolean' && { explode }),
      ...(typeof reserved === 'boolean' && { allowReserved: reserved }),
      headers: this.headers(rules),
      ...this.#encodings(rules),
      extensions: extensionsOf(rules),
      origin: this.#document.origin(rules)
    }
  }

  #example(name: string, node: JsonObject): Example {
    const key = own(node, 'dataValue') === undefined ? 'value' : 'dataValue'
    const value = own(node, key)
    const [text, external] = ['serializedValue', 'externalValue'].map((each) => stringOf(own(node, each)))
    return {
      name,
      ...(value !== undefined && { value }),
      ...(text !== undefined && { text }),
      ...(external !== undefined && { external }),
      origin: this.#document.origin(node).at(key)
    }
  }
}

const limitKey = 'x-body-limit'

function kindOf(mediaType: string): ContentKind {
  const kind = bodyKind(mediaType)
  if (kind === 'binary') return 'bytes'
  if (kind !== undefined) return kind
  return isPatternOnly(mediaType) || parseMediaType(mediaType) === undefined ? 'none' : 'xml'
}

/** Returns true for bytes, ranges of them included, and for forms with files. */
const isStreamable = (mediaType: string): boolean =>
  parseMediaType(mediaType)?.type === 'multipart/form-data' || bodyKind(mediaType) === 'binary'

/** Before 3.2 `schema` is that of an item, or of all items as an array; one of a string describes the bytes. */
function itemOf({ schema, item }: Content): Schema | undefined {
  if (item !== undefined || schema === undefined) return item
  const { types, items } = merged([schema])
  if (types?.has('string') && types.isSubsetOf(texts)) return undefined
  if (types === undefined || !types.isSubsetOf(list)) return schema
  const [first = anyValue, ...others] = items
  const single = endOf(schema).items ?? (others.length === 0 ? first : undefined)
  if (single === undefined) return make({ anyOf: items }, schema)
  return single === anyValue ? make({}, schema) : single
}

const texts: ReadonlySet<string> = new Set(['string', 'null'])
const list: ReadonlySet<string> = new Set(['array'])
