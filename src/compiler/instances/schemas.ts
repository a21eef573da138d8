/** Reads schemas of the bundled document, for the makers of instances. */
import type fc from 'fast-check'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../compile/document/json-value.ts'
import { typesOf } from '../compile/document/schema-object.ts'
import { Reading, type Role, satisfies } from '../evaluate/evaluate.ts'
import { valuesOf } from '../evaluate/members.ts'
import type { Budget } from './budget.ts'

export type { Role as Direction } from '../evaluate/evaluate.ts'

export class Schemas extends Reading {
  readonly #translated = new WeakMap<JsonObject, readonly Json[]>()

  constructor(document: JsonObject, direction: Role) {
    super(document, direction, true)
  }

  /** @returns true unless a schema refuses the value; the validators of the contract decide about the whole */
  holds(all: readonly Json[], value: unknown): boolean {
    return satisfies(value as Json, all, this) !== false
  }

  /**
   * Follows references and `allOf`.
   * @returns the resulting schemas, which apply together; undefined if one of them is `false`
   */
  parts(schemas: readonly Json[]): readonly JsonObject[] | undefined {
    const found = new Set<JsonObject>()
    const pending = [...schemas]
    const seen = new Set<Json>()
    for (const schema of pending) {
      if (schema === false) return undefined
      if (!isObject(schema) || seen.has(schema)) continue
      seen.add(schema)
      const [own = {}, ...others] = this.#translate(schema)
      if (Object.keys(objectOf(own)).length > 0) found.add(objectOf(own))
      pending.push(...others)
    }
    return [...found]
  }

  /** @returns the schema without references and `allOf`, and the schemas to which these lead */
  #translate(node: JsonObject): readonly Json[] {
    const known = this.#translated.get(node)
    if (known !== undefined) return known
    const translated = this.#split(node)
    this.#translated.set(node, translated)
    // A copy of a part would count as a further part, and double the parts at each level.
    const [part] = translated
    if (isObject(part)) this.#translated.set(part, [part])
    return translated
  }

  #split(node: JsonObject): readonly Json[] {
    const { $ref: _reference, allOf: _all, ...rest } = node
    return [rest, this.target(node) ?? true, ...arrayOf(own(node, 'allOf'))]
  }
}

/** Returns the texts of a list keyword in all parts, each once. */
export function namesOf(parts: readonly JsonObject[], keyword: string): string[] {
  return [
    ...new Set(
      valuesOf(parts, keyword)
        .flatMap(arrayOf)
        .flatMap((name) => stringOf(name) ?? [])
    )
  ]
}

/** Returns the values of `const`, or those of the first `enum`. */
export function constantsOf(parts: readonly JsonObject[]): readonly Json[] | undefined {
  const [constant] = valuesOf(parts, 'const')
  const [listed] = valuesOf(parts, 'enum').map(arrayOf)
  return constant === undefined ? listed : [constant]
}

const types = ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null']

/** Keywords that suggest a type when the schema names none. */
const suggestions: readonly (readonly [string, RegExp])[] = [
  [
    'object',
    /^(properties|required|additionalProperties|patternProperties|m\w+Properties|dependent\w+|propertyNames)$/
  ],
  ['array', /^(items|prefixItems|contains|m\w+Items|uniqueItems)$/],
  ['string', /^(pattern|m\w+Length|contentEncoding|contentMediaType)$/],
  ['number', /^(minimum|maximum|exclusive\w+|multipleOf)$/]
]

/** Returns the types that all parts allow. A number may also be an integer; one of both is enough. */
export function allowedTypes(parts: readonly JsonObject[]): string[] {
  const named = parts.map(typesOf).filter((list) => list.length > 0)
  const allowed = types.filter((type) => named.every((list) => allows(list, type)))
  return allowed.filter((type) => type !== 'integer' || !allowed.includes('number'))
}

/** Returns the types that other keywords suggest, when no part names one. */
export function likelyTypes(parts: readonly JsonObject[], allowed: readonly string[]): readonly string[] {
  if (parts.some((part) => typesOf(part).length > 0)) return allowed
  const keywords = parts.flatMap((part) => Object.keys(part))
  const suggested = suggestions.filter(([, keys]) => keywords.some((keyword) => keys.test(keyword)))
  return suggested.length > 0 ? suggested.map(([type]) => type) : formatType(parts)
}

const allows = (list: readonly string[], type: string): boolean =>
  list.includes(type) || (type === 'integer' && list.includes('number'))

function formatType(parts: readonly JsonObject[]): string[] {
  const [format] = valuesOf(parts, 'format').map(String)
  if (format === undefined) return ['string', 'integer', 'boolean']
  return /^(int\d+|float|double)$/.test(format) ? ['integer'] : ['string']
}

type Reviver = (key: string, value: Json, context: { readonly source?: string }) => Json
const parse = JSON.parse as (text: string, reviver: Reviver) => Json

/** Parses a document (`openApiJson`): an integer that a double cannot hold becomes a bigint. */
export function exactDocument(text: string): JsonObject {
  return parse(text, (_key, value, { source = '' }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
  ) as JsonObject
}

/** Parts that makers of lists and objects need for the instances inside of them. */
export interface InstancesOf {
  readonly schemas: Schemas
  readonly style: Style
  readonly budget: Budget
  /** True when only required parts are made, so that recursion ends. */
  readonly isLean: boolean
  /**
   * @param name name of the property, if it is one
   * @returns undefined if there is no instance, or only one that is nested too deeply
   */
  readonly of: (all: readonly Json[], name?: string) => fc.Arbitrary<unknown> | undefined
}

export interface Style {
  /** True for realistic texts, small numbers, short lists, every declared property. */
  readonly isPlain: boolean
  /** True when plain instances use valid examples and defaults of the contract. */
  readonly usesExamples: boolean
}
