/**
 * Schemas of a contract: JSON Schema draft 2020-12 and what OpenAPI adds, in whatever version the contract is written. A
 * schema is one node for all that refer to it, so that whatever is derived from it is computed once.
 */
import { type Extensions, isObject, type Json } from './json.ts'
import type { Origin, Problem } from './origin.ts'

export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** A bound. Integers beyond 2^53 are bigint. */
export type Decimal = number | bigint

/** A regular expression of ECMA-262. */
export interface Pattern {
  /** Text of the expression; `RegExp.source` escapes some characters. */
  readonly source: string
  readonly regexp: RegExp
}

export interface Schema {
  /** Set for the schema `false`. `true` and `{}` are schemas without keywords. */
  readonly never?: true
  /** Malformed keywords; they are left out. Those that judge values are errors for readers that reach the schema. */
  readonly broken?: readonly Problem[]
  /** Names of keywords that mean nothing. */
  readonly unknown?: readonly string[]
  /** Name of a component. */
  readonly name?: string
  /** Target of a `$ref`. What stands beside it counts, too. */
  readonly ref?: Schema

  readonly types?: ReadonlySet<Type>
  readonly const?: Json
  readonly enum?: readonly Json[]

  readonly minimum?: Decimal
  readonly maximum?: Decimal
  readonly exclusiveMinimum?: Decimal
  readonly exclusiveMaximum?: Decimal
  readonly multipleOf?: Decimal

  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: Pattern
  readonly format?: string
  readonly content?: EncodedContent

  readonly prefix?: readonly Schema[]
  readonly items?: Schema
  readonly contains?: { readonly schema: Schema; readonly min: number; readonly max?: number }
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: true
  readonly unevaluatedItems?: Schema

  readonly properties?: ReadonlyMap<string, Schema>
  readonly patterns?: readonly PatternProperties[]
  readonly additional?: Schema
  readonly unevaluatedProperties?: Schema
  /** Schema of the names (`propertyNames`). */
  readonly names?: Schema
  readonly required?: ReadonlySet<string>
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly dependentRequired?: ReadonlyMap<string, readonly string[]>
  readonly dependentSchemas?: ReadonlyMap<string, Schema>

  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
  readonly discriminator?: Discriminator

  readonly readOnly?: true
  readonly writeOnly?: true
  readonly deprecated?: true
  readonly default?: Json
  readonly examples: readonly Example[]
  readonly xml?: Xml
  readonly title?: string
  readonly description?: string
  readonly extensions: Extensions
  readonly origin: Origin
}

export interface Example {
  /** Name in a map of examples. */
  readonly name?: string
  readonly value?: Json
  /** The example as it is sent (`serializedValue`). */
  readonly text?: string
  readonly external?: string
  readonly origin: Origin
}

/** Contents of a string (JSON Schema Validation 2020-12, section 8). */
export interface EncodedContent {
  readonly encoding?: string
  readonly mediaType?: string
  readonly schema?: Schema
}

export interface PatternProperties {
  readonly pattern: Pattern
  readonly schema: Schema
}

/** Tells the alternatives of a union apart by the value of a property (OpenAPI 3.2.0, section 4.25). */
export interface Discriminator {
  readonly property: string
  /** Keyword of the alternatives; `heirs` for a schema that others include in their `allOf`. */
  readonly of: 'oneOf' | 'anyOf' | 'heirs'
  /** Schemas by the values that the contract maps to them; a target that is missing is a problem of the schema. */
  readonly mapping: ReadonlyMap<string, Schema>
  /** Alternatives by every value that selects one; undefined where the union has to decide. */
  readonly tags?: ReadonlyMap<string, Schema>
  /** Alternative for values that select none (`defaultMapping`). */
  readonly otherwise?: Schema
  /** Schemas that include this one, directly or not. */
  readonly heirs: readonly Schema[]
}

/** OpenAPI 3.2.0, section 4.26. */
export interface Xml {
  readonly nodeType?: string
  readonly name?: string
  readonly namespace?: string
  readonly prefix?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
}

/** Returns true for a schema, false for JSON: no value of a document is a function. */
export function isSchema(value: unknown): value is Schema {
  if (!isObject(value) || !isObject(value['origin'])) return false
  return typeof Reflect.get(value['origin'], 'at') === 'function'
}

export const noExamples: readonly Example[] = Object.freeze([])
export const noExtensions: Extensions = Object.freeze({})

/** Makes a schema that a reader needs and the contract lacks, at the place of another one. */
export function make(keywords: Partial<Schema>, from: Pick<Schema, 'origin'>): Schema {
  return { examples: noExamples, extensions: noExtensions, ...keywords, origin: from.origin }
}
