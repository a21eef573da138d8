/** Reads schemas for the makers of instances. */
import type { JsonObject } from '@contract-first/contract'
import {
  hiddenFlags,
  isFlagged,
  isUnconstrained,
  type Json,
  type Schema,
  type Type,
  type Writer
} from '@contract-first/contract'
import type fc from 'fast-check'
import type { Budget } from './budget.ts'
import { fits } from './fit.ts'
import { valuesOf } from './members.ts'

/** Kind of the message that holds the values. */
export type Direction = 'request' | 'response'

export const writers = { request: 'client', response: 'service' } as const

export class Schemas {
  /** Side that writes the messages. */
  readonly writer: Writer

  constructor(direction: Direction) {
    this.writer = writers[direction]
  }

  /** @returns true unless a schema refuses the value; the validators of the contract decide about the whole */
  holds(all: readonly Schema[], value: unknown): boolean {
    return fits(value as Json, all, this.writer)
  }

  /** Returns true when messages of this direction do not have a property of these schemas. */
  isHidden(schemas: readonly Schema[]): boolean {
    return schemas.some((schema) => isFlagged(schema, hiddenFlags[this.writer]))
  }

  parts(schemas: readonly Schema[]): readonly Schema[] | undefined {
    return conjunctionOf(schemas)
  }
}

/**
 * Follows references and `allOf`.
 * @returns the resulting schemas, without either, which apply together; undefined if one of them is `false`
 */
export function conjunctionOf(schemas: readonly Schema[]): readonly Schema[] | undefined {
  const found = new Set<Schema>()
  const seen = new Set(schemas)
  for (const schema of seen) {
    if (schema.never) return undefined
    const alone = withoutOthers(schema)
    if (!isUnconstrained(alone)) found.add(alone)
    if (schema.ref !== undefined) seen.add(schema.ref)
    for (const part of schema.allOf ?? []) seen.add(part)
  }
  return [...found]
}

const withoutOthersOf = new WeakMap<Schema, Schema>()

/** Returns the schema without those to which it refers and of which it consists, the same one for the same schema. */
function withoutOthers(schema: Schema): Schema {
  if (schema.ref === undefined && schema.allOf === undefined) return schema
  const { ref: _ref, allOf: _all, ...alone } = schema
  const known = withoutOthersOf.get(schema) ?? alone
  withoutOthersOf.set(schema, known)
  return known
}

/** Returns the values of `const`, or those of the first `enum`. */
export function constantsOf(parts: readonly Schema[]): readonly Json[] | undefined {
  const [constant] = valuesOf(parts, 'const')
  const [listed] = valuesOf(parts, 'enum')
  return constant === undefined ? listed : [constant]
}

export const types: readonly Type[] = ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null']

/** Keywords that suggest a type when the schema names none. */
const suggestions: readonly (readonly [Type, readonly (keyof Schema)[]])[] = [
  [
    'object',
    [
      ...(['properties', 'required', 'additional', 'patterns', 'minProperties', 'maxProperties'] as const),
      ...(['dependentRequired', 'dependentSchemas', 'names'] as const)
    ]
  ],
  ['array', ['items', 'prefix', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'content']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']]
]

/** Returns the types that all parts allow. A number may also be an integer; one of both is enough. */
export function allowedTypes(parts: readonly Schema[]): Type[] {
  const named = valuesOf(parts, 'types')
  const allowed = types.filter((type) => named.every((list) => allows(list, type)))
  return allowed.filter((type) => type !== 'integer' || !allowed.includes('number'))
}

/** Returns the types that other keywords suggest, when no part names one. */
export function likelyTypes(parts: readonly Schema[], allowed: readonly Type[]): readonly Type[] {
  if (parts.some((part) => part.types !== undefined)) return allowed
  const suggested = suggestions.filter(([, keys]) =>
    keys.some((key) => parts.some((part) => part[key] !== undefined))
  )
  return suggested.length > 0 ? suggested.map(([type]) => type) : formatType(parts)
}

const allows = (list: ReadonlySet<Type>, type: Type): boolean =>
  list.has(type) || (type === 'integer' && list.has('number'))

function formatType(parts: readonly Schema[]): Type[] {
  const [format] = valuesOf(parts, 'format')
  if (format === undefined) return ['string', 'integer', 'boolean']
  return /^(int\d+|float|double)$/.test(format) ? ['integer'] : ['string']
}

type Reviver = (key: string, value: Json, context: { readonly source?: string }) => Json
const parse = JSON.parse as (text: string, reviver: Reviver) => Json

/** Parses a document (`openApiJson`): an integer that a double cannot hold becomes a bigint. */
export function exactDocument(text: string): JsonObject {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
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
  readonly of: (all: readonly Schema[], name?: string) => fc.Arbitrary<unknown> | undefined
}

export interface Style {
  /** True for realistic texts, small numbers, short lists, every declared property. */
  readonly isPlain: boolean
  /** True when plain instances use valid examples and defaults of the contract. */
  readonly usesExamples: boolean
}

export const plain: Style = { isPlain: true, usesExamples: true }
/** Plain, and from the schemas alone. */
export const bare: Style = { isPlain: true, usesExamples: false }
export const varied: Style = { isPlain: false, usesExamples: false }
