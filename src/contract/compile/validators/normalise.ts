/**
 * Normalises the schemas of a contract to what the validator compiles: JSON Schema draft 2020-12, whatever version of
 * OpenAPI they were written in (OpenAPI 3.0.3, section 4.7.24; 3.1.0, section 4.8.24), plus a few keywords of our own
 * (vocabulary.ts) for what JSON Schema cannot express: int64, read-only, binary.
 *
 * The result is one schema per view whose `$defs` hold every schema that is referred to.
 */

import type { ContractProblem } from '../diagnostics/problem.ts'
import {
  arrayOf,
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { holdsBytes } from '../document/schema-object.ts'
import type { LoadedContract } from '../load/load.ts'
import { isNearMiss } from '../load/near-miss.ts'
import { box } from './bigint-box.ts'
import { encodedText, isEncodingKnown } from './content-encoding.ts'
import { bytes, exactNumbers, exclusiveBounds, nullable, nullUnion, protoProperty } from './dialect.ts'
import { discriminated } from './discriminator.ts'
import {
  annotations,
  contentKeywords,
  enforcedFormats,
  type KeywordKind,
  schemaKeywords
} from './keywords.ts'
import { isExponential, isPattern } from './patterns.ts'
import { type Hidden, HiddenProperties, hideRequired, none } from './read-write-only.ts'
import type { Schema, View } from './view.ts'

export class SchemaNormaliser {
  readonly definitions: Record<string, Schema> = {}
  readonly problems: ContractProblem[] = []
  readonly #contract: LoadedContract
  readonly #view: View
  readonly #hidden: HiddenProperties
  readonly #names = new Map<string, string>()
  readonly #shared = new WeakMap<JsonObject, string>()
  readonly #nodes = new Map<Json, string>()
  readonly #pending: (() => void)[] = []
  readonly #origins = new WeakMap<object, Json>()

  constructor(contract: LoadedContract, view: View) {
    this.#contract = contract
    this.#view = view
    this.#hidden = new HiddenProperties(contract.document, view === 'response' ? 'writeOnly' : 'readOnly')
  }

  /** Makes a definition of a node wherever it stands, because several operations may share it. */
  share(node: Json, label: string): void {
    if (isObject(node)) this.#shared.set(node, label)
  }

  /** @param node a schema of the bundled document, references included */
  normalise(node: Json | undefined, hidden: Hidden = none): Schema {
    const label = isObject(node) ? this.#shared.get(node) : undefined
    if (label === undefined) return this.#normalised(node, hidden)
    return { $ref: `#/$defs/${this.#nodeName(node as JsonObject, label)}` }
  }

  #normalised(node: Json | undefined, hidden: Hidden): Schema {
    if (node === undefined || typeof node === 'boolean') return node !== false
    if (!isObject(node)) return node as never // not a schema: the meta-schema refuses it (validators.ts)
    const result = this.#schema(node, hidden)
    this.#origins.set(result, node)
    return result
  }

  /** @returns the node of the contract from which a normalised node was made */
  origin(node: unknown): Json | undefined {
    return this.#origins.get(Object(node))
  }

  /** @returns the name of the definition: that of the schema referred to, or one made from `label` */
  define(node: Json, label: string): string {
    const pointer = isObject(node) && Object.keys(node).length === 1 ? pointerOf(node) : undefined
    const name = pointer === undefined ? this.#nodeName(node, label) : this.#pointerName(pointer, none)
    // Not by recursion, because a chain of references has any length. Each definition may add further ones.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next()
    return name
  }

  /** A node is one definition, however many parts of the contract share it. */
  #nodeName(node: Json, label: string): string {
    const known = this.#nodes.get(node)
    if (known !== undefined) return known
    const name = this.#freeName(label)
    if (isObject(node)) this.#nodes.set(node, name)
    this.#add(name, () => this.#normalised(node, none))
    return name
  }

  #add(name: string, schema: () => Schema): void {
    this.definitions[name] = {}
    this.#pending.push(() => {
      this.definitions[name] = schema()
    })
  }

  #schema(node: JsonObject, hidden: Hidden): JsonObject {
    const is30 = this.#contract.version === '3.0'
    const pointer = pointerOf(node)
    // OpenAPI 3.0.3, section 4.7.23: siblings of a $ref are ignored; since 3.1 they apply.
    if (is30 && pointer !== undefined) return { $ref: this.#define(pointer, hidden) }
    const names = this.#hidden.namesIn(node, hidden)
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(node)) this.#keyword(result, node, key, value, names)
    if (pointer !== undefined) result['$ref'] = this.#define(pointer, names)
    return this.#translated(node, hideRequired(protoProperty(result), names))
  }

  /** Each step returns a schema and leaves the one that it is given as it is. */
  #translated(node: JsonObject, schema: JsonObject): JsonObject {
    const is30 = this.#contract.version === '3.0'
    const bounded = exactNumbers(is30 ? exclusiveBounds(schema) : schema, this.#view)
    const encoded = encodedText(node, bounded)
    const typed = this.#view === 'multipart' && holdsBytes(node) ? bytes(encoded) : encoded
    const united = discriminated(node, typed, this.#contract.document, (target) => this.#define(target, none))
    const readable = nullUnion(united)
    return is30 && own(node, 'nullable') === true ? nullable(readable) : readable
  }

  #keyword(result: JsonObject, node: JsonObject, key: string, value: Json, hidden: Hidden): void {
    const kind = schemaKeywords.get(key)
    if (key === '$dynamicRef') {
      this.#refuse(`${key} ${String(value)} cannot be resolved`, node, key)
      return
    }
    if (key === 'nullable' && this.#contract.version !== '3.0')
      this.#warn('keyword `nullable` has no effect since OpenAPI 3.1: add "null" to `type`', node, key)
    if (kind === undefined) {
      if (!annotations.has(key) && !key.startsWith('x-'))
        this.#warn(`keyword \`${key}\` is not known and has no effect${suggestion(key)}`, node, key)
      if (key === 'contentEncoding' && !isEncodingKnown(node))
        this.#warn(`${key} ${String(value)} is not known and is not enforced`, node, key)
      if (contentKeywords.has(key) && !(key === 'contentMediaType' && this.#describesPart(node)))
        this.#warn(`\`${key}\` is not enforced: only parts of multipart bodies have a media type`, node, key)
      return
    }
    if (key === '$ref' && pointerOf(node) !== undefined) return
    if (key === 'pattern') this.#checkPatterns([String(value)], node, key)
    if (key === 'patternProperties') this.#checkPatterns(Object.keys(objectOf(value)), node, key)
    if (key === 'format') this.#format(result, node, value)
    else define(result, key, this.#keywordValue(kind, key, value, hidden))
  }

  /** The media type of a part is enforced (server/body/part-checks.ts), unless the bytes are encoded as text. */
  #describesPart(node: JsonObject): boolean {
    return this.#view === 'multipart' && own(node, 'contentEncoding') === undefined
  }

  #keywordValue(kind: KeywordKind, key: string, value: Json, hidden: Hidden): Json {
    if (kind === 'schema') return this.normalise(value)
    if (kind === 'list') {
      return arrayOf(value).map((item) => this.normalise(item, key === 'allOf' ? hidden : none))
    }
    if (kind === 'map' && isObject(value)) return this.#map(key, value)
    return box(value) as Json
  }

  #map(key: string, value: JsonObject): JsonObject {
    const result: JsonObject = {}
    for (const [name, item] of Object.entries(value)) {
      const isHidden = key === 'properties' && this.#hidden.has(item)
      define(result, name, isHidden ? this.#hiddenProperty() : this.normalise(item))
    }
    return result
  }

  #format(result: JsonObject, node: JsonObject, value: Json): void {
    const format = String(value)
    if (enforcedFormats.has(format)) result['format'] = format
    else if (!annotations.has(`format:${format}`)) {
      this.#warn(`format \`${format}\` is not known and is not enforced`, node, 'format')
    }
  }

  /** Refuses a read-only property in a request. A write-only one in a response is valid, and is not serialized. */
  #hiddenProperty(): Schema {
    return this.#view === 'response' ? true : { readOnly: true }
  }

  #define(pointer: string, hidden: Hidden): string {
    return `#/$defs/${this.#pointerName(pointer, hidden)}`
  }

  #pointerName(pointer: string, hidden: Hidden): string {
    const id = [pointer, ...hidden].join('\n')
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const name = this.#freeName(pointer)
    this.#names.set(id, name)
    const target = atPointer(this.#contract.document, pointer)
    this.#add(name, () => this.#normalised(target, hidden))
    return name
  }

  #freeName(pointer: string): string {
    const base = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9_]/g, '_')
    let name = base
    for (let serial = 2; Object.hasOwn(this.definitions, name) || name === '__proto__'; serial++)
      name = `${base}_${serial}`
    return name
  }

  /** Patterns are ECMA-262 (JSON Schema Validation 2020-12, section 6.3.3). */
  #checkPatterns(sources: readonly string[], node: JsonObject, key: string): void {
    for (const source of sources) {
      if (!isPattern(source)) this.#refuse(`pattern ${source} is no regular expression`, node, key)
      else if (isExponential(source)) this.#warn(this.#slow(source, node), node, key)
    }
  }

  #slow(source: string, node: JsonObject): string {
    const place = this.#contract.locator.pointer(node)
    return `pattern ${source} of ${place} takes exponential time: a short text can stop the server`
  }

  #refuse(message: string, node: JsonObject, key: string): void {
    this.problems.push(this.#contract.locator.problem('error', message, node, key))
  }

  #warn(message: string, node: JsonObject, key: string): void {
    this.problems.push(this.#contract.locator.problem('warning', message, node, key))
  }
}

function suggestion(key: string): string {
  const meant = [...schemaKeywords.keys()].find((keyword) => isNearMiss(key, keyword))
  return meant === undefined ? '' : `: did you mean \`${meant}\`?`
}
