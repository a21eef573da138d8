/**
 * Normalises the schemas of a contract to what the validator compiles: JSON Schema draft 2020-12, whatever version of
 * OpenAPI they were written in (OpenAPI 3.0.3, section 4.7.24; 3.1.0, section 4.8.24), plus a few keywords of our own
 * (vocabulary.ts) for what JSON Schema can not say: int64, read-only, binary.
 *
 * The result is one schema per view whose `$defs` hold every schema that is referred to.
 */

import { bodyKind } from '../media-type.ts'
import { constrain, discriminated } from './discriminator.ts'
import { arrayOf, define, isObject, type Json, type JsonObject, objectOf, own } from './json.ts'
import { annotations, enforcedFormats, type KeywordKind, schemaKeywords } from './keywords.ts'
import type { LoadedContract } from './load.ts'
import type { ContractProblem } from './problem.ts'
import { atPointer, isFlagged, pointerOf } from './reference.ts'
import { pattern } from './runtime.ts'
import { javascriptTypes } from './vocabulary.ts'
import { wrapped } from './wide.ts'

/**
 * The same schema reads differently by who sends it: read-only properties are not for requests, write-only ones not
 * for responses, and only multipart bodies hold bytes.
 */
export type View = 'request' | 'response' | 'multipart'

export type Schema = JsonObject | boolean

/** Properties of the enclosing `allOf` that this view does not have; `required` may name them from another branch. */
type Hidden = ReadonlySet<string>
const none: Hidden = new Set()

export class SchemaNormaliser {
  readonly definitions: Record<string, Schema> = {}
  readonly problems: ContractProblem[] = []
  readonly #contract: LoadedContract
  readonly #view: View
  readonly #names = new Map<string, string>()
  readonly #origins = new WeakMap<object, Json>()

  constructor(contract: LoadedContract, view: View) {
    this.#contract = contract
    this.#view = view
  }

  /** @param node a schema of the bundled document, references included */
  normalise(node: Json | undefined, hidden: Hidden = none): Schema {
    if (node === undefined || typeof node === 'boolean') return node !== false
    if (!isObject(node)) return node as never // no schema: the meta-schema says so (validators.ts)
    const result = this.#schema(node, hidden)
    this.#origins.set(result, node)
    return result
  }

  /** What a normalised node was written as, to point at it. */
  origin(node: unknown): Json | undefined {
    return this.#origins.get(Object(node))
  }

  /** @returns the name of the definition: of the schema referred to, or of this one under a name like `label` */
  define(node: Json, label: string): string {
    const pointer = isObject(node) && Object.keys(node).length === 1 ? pointerOf(node) : undefined
    if (pointer !== undefined) return this.#define(pointer, none).slice('#/$defs/'.length)
    const name = this.#freeName(label)
    this.definitions[name] = {}
    this.definitions[name] = this.normalise(node)
    return name
  }

  #schema(node: JsonObject, hidden: Hidden): JsonObject {
    const is30 = this.#contract.version === '3.0'
    const pointer = pointerOf(node)
    // OpenAPI 3.0.3, section 4.7.23: siblings of a $ref are ignored; since 3.1 they apply.
    if (is30 && pointer !== undefined) return { $ref: this.#define(pointer, hidden) }
    const names = this.#hiddenNames(node, hidden)
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(node)) this.#keyword(result, node, key, value, names)
    if (pointer !== undefined) result['$ref'] = this.#define(pointer, names)
    protoProperty(result)
    hideRequired(result, names)
    if (is30) exclusiveBounds(result)
    exactNumbers(result, this.#view)
    if (this.#view === 'multipart' && holdsBytes(node)) bytes(result)
    const united = discriminated(node, result, this.#contract.document, (target) =>
      this.#define(target, none)
    )
    const readable = nullUnion(united)
    return is30 && own(node, 'nullable') === true ? nullable(readable) : readable
  }

  #keyword(result: JsonObject, node: JsonObject, key: string, value: Json, hidden: Hidden): void {
    const kind = schemaKeywords.get(key)
    if (key === '$dynamicRef') {
      this.#refuse(`${key} ${String(value)} can not be resolved`, node, key)
      return
    }
    if (kind === undefined) {
      if (!annotations.has(key) && !key.startsWith('x-'))
        this.#warn(`keyword \`${key}\` is not known and has no effect`, node, key)
      return
    }
    if (key === '$ref' && pointerOf(node) !== undefined) return
    if (key === 'pattern') this.#checkPatterns([String(value)], node, key)
    if (key === 'patternProperties') this.#checkPatterns(Object.keys(objectOf(value)), node, key)
    if (key === 'format') this.#format(result, node, value)
    else define(result, key, this.#keywordValue(kind, key, value, hidden))
  }

  #keywordValue(kind: KeywordKind, key: string, value: Json, hidden: Hidden): Json {
    if (kind === 'schema') return this.normalise(value)
    if (kind === 'list') {
      return arrayOf(value).map((item) => this.normalise(item, key === 'allOf' ? hidden : none))
    }
    if (kind === 'map' && isObject(value)) return this.#map(key, value)
    return wrapped(value) as Json
  }

  #map(key: string, value: JsonObject): JsonObject {
    const result: JsonObject = {}
    for (const [name, item] of Object.entries(value)) {
      const isHidden = key === 'properties' && this.#isHidden(item)
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

  /** Properties that this view does not have, own and of `allOf` branches. */
  #hiddenNames(node: JsonObject, inherited: Hidden): Hidden {
    const names = new Set(inherited)
    this.#collectHidden(node, names, new Set())
    return names.size === 0 ? none : names
  }

  #collectHidden(node: JsonObject, names: Set<string>, seen: Set<JsonObject>): void {
    if (seen.has(node)) return
    seen.add(node)
    for (const [name, property] of Object.entries(objectOf(own(node, 'properties')))) {
      if (this.#isHidden(property)) names.add(name)
    }
    const pointer = pointerOf(node)
    const parts = [
      ...arrayOf(own(node, 'allOf')),
      ...(pointer ? [atPointer(this.#contract.document, pointer)] : [])
    ]
    for (const part of parts) if (isObject(part)) this.#collectHidden(part, names, seen)
  }

  #isHidden(property: Json): boolean {
    const flag = this.#view === 'response' ? 'writeOnly' : 'readOnly'
    return isFlagged(this.#contract.document, property, flag)
  }

  /** A read-only property in a request is refused; a write-only one in a response is allowed here, and not serialized. */
  #hiddenProperty(): Schema {
    return this.#view === 'response' ? true : { readOnly: true }
  }

  #define(pointer: string, hidden: Hidden): string {
    const id = [pointer, ...hidden].join('\n')
    let name = this.#names.get(id)
    if (name === undefined) {
      name = this.#freeName(pointer)
      this.#names.set(id, name)
      this.definitions[name] = {} // a recursive schema refers to itself while it is being normalised
      const target = atPointer(this.#contract.document, pointer)
      this.definitions[name] = this.normalise(target, hidden)
    }
    return `#/$defs/${name}`
  }

  #freeName(pointer: string): string {
    const base = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9_]/g, '_')
    let name = base
    for (let serial = 2; Object.hasOwn(this.definitions, name) || name === '__proto__'; serial++)
      name = `${base}_${serial}`
    return name
  }

  /** ECMA-262, as JSON Schema has it (Validation 2020-12, section 6.3.3). */
  #checkPatterns(sources: readonly string[], node: JsonObject, key: string): void {
    for (const source of sources.filter((text) => !isPattern(text))) {
      this.#refuse(`pattern ${source} is no regular expression`, node, key)
    }
  }

  #refuse(message: string, node: JsonObject, key: string): void {
    this.problems.push(this.#contract.locator.problem('error', message, node, key))
  }

  #warn(message: string, node: JsonObject, key: string): void {
    this.problems.push(this.#contract.locator.problem('warning', message, node, key))
  }
}

/** Ajv passes over a property of this name, but not over one that matches a pattern. */
function protoProperty(result: JsonObject): void {
  const properties = objectOf(own(result, 'properties'))
  const schema = own(properties, '__proto__')
  if (schema === undefined) return
  Reflect.deleteProperty(properties, '__proto__')
  result['patternProperties'] = { ...objectOf(own(result, 'patternProperties')), '^__proto__$': schema }
}

function isPattern(source: string): boolean {
  try {
    return pattern(source) instanceof RegExp
  } catch {
    return false
  }
}

function hideRequired(result: JsonObject, hidden: Hidden): void {
  const required = own(result, 'required')
  if (hidden.size === 0 || !Array.isArray(required)) return
  result['required'] = required.filter((name) => typeof name !== 'string' || !hidden.has(name))
}

/** OpenAPI 3.0 has the exclusive bounds of JSON Schema draft 4: flags beside `minimum` and `maximum`. */
function exclusiveBounds(schema: JsonObject): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum']
  ] as const) {
    const limit = own(schema, bound)
    if (own(schema, flag) === true && limit !== undefined) {
      schema[flag] = limit
      delete schema[bound]
    } else delete schema[flag]
  }
}

/** A string by `format: binary`, or, since 3.1, by a media type of other than text (OpenAPI 3.1.0, section 4.8.14.2). */
export function holdsBytes(schema: JsonObject): boolean {
  if (!typesOf(schema).includes('string')) return false
  const mediaType = own(schema, 'contentMediaType')
  const encoded = own(schema, 'contentEncoding') !== undefined
  return (
    own(schema, 'format') === 'binary' ||
    (mediaType !== undefined && !encoded && bodyKind(String(mediaType)) === 'binary')
  )
}

/** The keyword is of vocabulary.ts: bytes, or a text that stands for them. */
function bytes(schema: JsonObject): void {
  const others = typesOf(schema).filter((type) => type !== 'string')
  for (const bound of ['min', 'max']) {
    const length = own(schema, `${bound}Length`)
    if (length !== undefined) schema[`${bound}Bytes`] = length
  }
  delete schema['type']
  if (others.length === 0) schema['binary'] = true
  else schema['anyOf'] = [...arrayOf(own(schema, 'anyOf')), { type: others }, { binary: true }]
}

/** Moves what concerns int64 and exact integers into the keywords that implement it (vocabulary.ts). */
function exactNumbers(schema: JsonObject, view: View): void {
  const types = typesOf(schema)
  const others = types.filter((type) => type !== 'integer' && type !== 'number')
  if (own(schema, 'format') === 'int64') {
    delete schema['format']
    if (types.length > 0 && others.length === types.length) return // a string that holds an int64 is a string
    if (!others.every((type) => Object.hasOwn(javascriptTypes, type))) return // refused where it stands
    delete schema['type']
    if (types.length > 0) schema['int64Type'] = others
    schema['int64'] = true
  } else if (view !== 'response' && types.includes('integer') && !types.includes('number'))
    schema['exactInteger'] = true
}

export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type')
  return [...arrayOf(type), type].filter((item) => typeof item === 'string')
}

const isNullType = (schema: Json): boolean => isObject(schema) && own(schema, 'type') === 'null'

/** `anyOf: [X, null]` said as a condition, so that what is wrong with X is told and not that both branches fail. */
function nullUnion(schema: JsonObject): JsonObject {
  const branches = arrayOf(own(schema, 'anyOf'))
  const other = branches.find((branch) => !isNullType(branch))
  if (branches.length !== 2 || other === undefined || !branches.some(isNullType)) return schema
  const { anyOf: _union, ...rest } = schema
  return constrain(rest, { if: { type: 'null' }, else: other })
}

/** OpenAPI 3.0 `nullable`: null is valid too, whatever else the schema says; so it is read, and so are the types. */
function nullable(schema: JsonObject): JsonObject {
  const composed = ['allOf', 'anyOf', 'oneOf', 'not', 'int64', 'type'].filter((key) =>
    Object.hasOwn(schema, key)
  )
  if (composed.length > 1 || composed[0] !== 'type') return { if: { type: 'null' }, else: schema }
  const values = own(schema, 'enum')
  return {
    ...schema,
    type: [...typesOf(schema), 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {})
  }
}
