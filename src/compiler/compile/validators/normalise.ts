/**
 * Normalises the schemas of a contract for the validator: JSON Schema draft 2020-12, plus a few keywords of our own
 * (validator-writer.ts) that it lacks: int64, read-only, binary.
 *
 * The result is one schema per view whose `$defs` hold every referenced schema.
 */
import type { ContractProblem } from '../diagnostics/problem.ts'
import { arrayOf, define, isObject, type Json, type JsonObject, objectOf } from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { holdsBytes } from '../document/schema-object.ts'
import type { LoadedContract } from '../load/load.ts'
import { enforcedFormats } from '../vocabulary/formats.ts'
import { type KeywordKind, type Schema, schemaKeywords, type View } from '../vocabulary/keywords.ts'
import { Definitions } from './definitions.ts'
import { bytes, exactNumbers, nullUnion } from './dialect.ts'
import { discriminated } from './discriminator.ts'
import { keywordProblems } from './keyword-problems.ts'
import type { PatternChecks } from './patterns.ts'
import { type Flag, type Hidden, HiddenProperties, hideRequired, none } from './read-write-only.ts'

export class SchemaNormaliser {
  readonly problems: ContractProblem[] = []
  readonly #contract: LoadedContract
  readonly #view: View
  readonly #patterns: PatternChecks
  /** Flag of the properties that messages of the view leave out. */
  readonly #flag: Flag
  readonly #hidden: HiddenProperties
  readonly #definitions = new Definitions()
  readonly #shared = new WeakMap<JsonObject, string>()
  readonly #origins = new WeakMap<object, Json>()

  constructor(contract: LoadedContract, view: View, flag: Flag, patterns: PatternChecks) {
    this.#contract = contract
    this.#view = view
    this.#patterns = patterns
    this.#flag = flag
    this.#hidden = new HiddenProperties(contract.document, flag)
  }

  /** Makes a definition of a node at any place, because several operations may share it. */
  share(node: Json, label: string): void {
    if (isObject(node)) this.#shared.set(node, label)
  }

  /** Exempts parameters from the flags, which concern properties only. */
  exempt(parameters: JsonObject): void {
    this.#hidden.exempt(parameters)
  }

  /** @param node a schema of the bundled document, references included */
  normalise(node: Json | undefined, hidden: Hidden = none): Schema {
    const label = isObject(node) ? this.#shared.get(node) : undefined
    if (label === undefined) return this.#normalised(node, hidden)
    return { $ref: `#/$defs/${this.#nodeName(node as JsonObject, label)}` }
  }

  #normalised(node: Json | undefined, hidden: Hidden): Schema {
    if (node === undefined || typeof node === 'boolean') return node !== false
    if (!isObject(node)) return node as never // not a schema: refused by the meta-schema (validators.ts)
    const result = this.#schema(node, hidden)
    this.#origins.set(result, node)
    return result
  }

  /** @returns the node of the contract from which a normalised node was made */
  origin(node: unknown): Json | undefined {
    return this.#origins.get(Object(node))
  }

  /** @returns the name of the definition: that of the referenced schema, or one made from `label` */
  define(node: Json, label: string): string {
    const pointer = isObject(node) && Object.keys(node).length === 1 ? pointerOf(node) : undefined
    const name = pointer === undefined ? this.#nodeName(node, label) : this.#pointerName(pointer, none)
    this.#definitions.finish()
    return name
  }

  /** @returns the name of the definition of a component; undefined when it has none */
  known(pointer: string): string | undefined {
    return this.#definitions.known(pointer)
  }

  get definitions(): Readonly<Record<string, Schema>> {
    return this.#definitions.schemas
  }

  /** Returns one definition for a node, however many parts of the contract share it. */
  #nodeName(node: Json, label: string): string {
    return this.#definitions.name(isObject(node) ? node : {}, label, () => this.#normalised(node, none))
  }

  /** @param hidden names that are hidden in the target, besides those that it hides itself */
  #pointerName(pointer: string, hidden: Hidden): string {
    const target = atPointer(this.#contract.document, pointer)
    const further = hidden.difference(this.#hidden.namesIn(objectOf(target), none))
    const normalised = () => this.#normalised(target, further)
    return this.#definitions.name([pointer, ...further].join('\n'), pointer, normalised)
  }

  #define(pointer: string, hidden: Hidden): string {
    return `#/$defs/${this.#pointerName(pointer, hidden)}`
  }

  #schema(node: JsonObject, hidden: Hidden): JsonObject {
    const pointer = pointerOf(node)
    const names = this.#hidden.namesIn(node, hidden)
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(node)) this.#keyword(result, node, key, value, names)
    if (pointer !== undefined) result['$ref'] = this.#define(pointer, names)
    return this.#translated(node, hideRequired(result, names))
  }

  /** Translates a schema step by step; each step returns a schema and does not change its argument. */
  #translated(node: JsonObject, schema: JsonObject): JsonObject {
    const typed = this.#view === 'multipart' && holdsBytes(node) ? bytes(schema) : exactNumbers(schema)
    const united = discriminated(node, typed, {
      document: this.#contract.document,
      define: (target) => this.#define(target, none),
      isHidden: (branch, name) => this.#hidden.namesIn(objectOf(branch), none).has(name)
    })
    return nullUnion(united)
  }

  #keyword(result: JsonObject, node: JsonObject, key: string, value: Json, hidden: Hidden): void {
    const { locator } = this.#contract
    const formats = this.#contract.formats?.formats
    const pointer = () => locator.pointer(node)
    const reading = { view: this.#view, patterns: this.#patterns, pointer, formats }
    for (const { severity, message } of keywordProblems(node, key, value, reading))
      this.problems.push(locator.problem(severity, message, node, key))
    const kind = schemaKeywords.get(key)
    if (kind === undefined || (key === '$ref' && pointerOf(node) !== undefined)) return
    if (key !== 'format') define(result, key, this.#keywordValue(kind, key, value, hidden))
    else if (enforcedFormats.has(String(value)) || formats?.has(String(value))) result['format'] = value
  }

  #keywordValue(kind: KeywordKind, key: string, value: Json, hidden: Hidden): Json {
    if (kind === 'schema') return this.normalise(value)
    if (kind === 'list') {
      return arrayOf(value).map((item) => this.normalise(item, key === 'allOf' ? hidden : none))
    }
    if (kind === 'map' && isObject(value)) return this.#map(key, value)
    return value
  }

  #map(key: string, value: JsonObject): JsonObject {
    const result: JsonObject = {}
    for (const [name, item] of Object.entries(value)) {
      const isHidden = key === 'properties' && this.#hidden.has(value, name)
      define(result, name, isHidden ? this.#hiddenProperty() : this.normalise(item))
    }
    return result
  }

  /** Refuses a hidden property in a request. One in a response is valid, but a server does not serialize it. */
  #hiddenProperty(): Schema {
    return this.#view === 'response' ? true : { [this.#flag]: true }
  }
}
