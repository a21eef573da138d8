/** Shapes, and the ways to merge them: intersection and union. */
import { pattern } from '@contract-first/engine/model'
import type { Json } from '../document/json-value.ts'

export type ShapeType = 'string' | 'number' | 'integer' | 'int64' | 'boolean' | 'null' | 'object' | 'array'

/**
 * Schemas of the properties that a schema does not name: those of every matching pattern, otherwise the additional
 * ones.
 */
export interface Unnamed {
  readonly patterns: readonly (readonly [string, Json])[]
  readonly additional: readonly Json[]
}

/** Schema of a property that is required but not declared. */
export const required: Json = Object.freeze({})
/** Schema of any value, when the contract gives none. */
export const anyValue: Json = Object.freeze({})

const anyProperty: Unnamed = { patterns: [], additional: [anyValue] }

/** A shape; its children are lists of schemas of which any may apply. `Shapes.of` makes a shape of such a list. */
export interface Shape {
  /** Types of the values; undefined for any type. */
  readonly types: ReadonlySet<ShapeType> | undefined
  readonly properties: ReadonlyMap<string, readonly Json[]>
  /** Entries for schemas that declare properties without their names; empty without such schemas. */
  readonly unnamed: readonly Unnamed[]
  /** Schemas of the items; empty when any item is allowed. */
  readonly items: readonly Json[]
  readonly prefixItems: readonly (readonly Json[])[]
  /** True when no property is declared: an object of this shape may have any. */
  readonly open: boolean
  /** True when members come from alternatives: a member's types hold for one alternative only. */
  readonly fromUnion: boolean
}

export const anything: Shape = {
  types: undefined,
  properties: new Map(),
  unnamed: [],
  items: [],
  prefixItems: [],
  open: true,
  fromUnion: false
}

/** Returns the shape of values that fit all parts. */
export function intersection(parts: readonly Shape[]): Shape {
  const merged = merge(parts, parts.some((part) => part.fromUnion) ? declaring : restricting)
  return { ...merged, types: parts.map(({ types }) => types).reduce(narrower) }
}

/** Returns the shape of values that fit any of the parts. */
export function union(parts: readonly Shape[]): Shape {
  const isOpened = parts.some((part) => !part.open)
  const hasItems = parts.some((part) => part.items.length > 0)
  const merged = merge(
    parts.map((part) => withAnyItem(withAnyProperty(part, isOpened), hasItems)),
    declared
  )
  const known = parts.map(({ types }) => types).filter((types) => types !== undefined)
  const types = known.length === parts.length ? new Set(known.flatMap((types) => [...types])) : undefined
  return { ...merged, types, fromUnion: merged.fromUnion || alternates(parts) }
}

/** Returns whether values of the shape may have the type. */
export const mayBe = ({ types }: Shape, type: ShapeType): boolean => types === undefined || types.has(type)

/** Returns whether several parts may be objects, or several may be arrays. */
function alternates(parts: readonly Shape[]): boolean {
  return (['object', 'array'] as const).some((type) => parts.filter((part) => mayBe(part, type)).length > 1)
}

function withAnyProperty(part: Shape, isOpened: boolean): Shape {
  if (!isOpened || !part.open || !mayBe(part, 'object')) return part
  return { ...part, unnamed: [...part.unnamed, anyProperty] }
}

function withAnyItem(part: Shape, hasItems: boolean): Shape {
  const isFree = part.items.length === 0 && part.prefixItems.length === 0 && mayBe(part, 'array')
  return hasItems && isFree ? { ...part, items: [anyValue] } : part
}

/** Chooses the schemas of a member from those of every part. */
type Choice = (lists: readonly (readonly Json[])[]) => readonly Json[]

function merge(parts: readonly Shape[], choose: Choice): Shape {
  const names = new Set(parts.flatMap((part) => [...part.properties.keys()]))
  const longest = Math.max(0, ...parts.map(({ prefixItems }) => prefixItems.length))
  return {
    types: undefined,
    properties: new Map([...names].map((name) => [name, propertySchemas(parts, name, choose)])),
    unnamed: unique(parts.flatMap((part) => part.unnamed)),
    items: choose(parts.map(({ items }) => items)),
    prefixItems: Array.from({ length: longest }, (_, index) =>
      choose(parts.map(({ prefixItems, items }) => prefixItems[index] ?? items))
    ),
    open: parts.every((part) => part.open),
    fromUnion: parts.some((part) => part.fromUnion)
  }
}

/** Returns the schemas of a property; an empty list when a part hides it. */
function propertySchemas(parts: readonly Shape[], name: string, choose: Choice): readonly Json[] {
  const isHidden = parts.some(({ properties }) => properties.get(name)?.length === 0)
  return isHidden
    ? []
    : choose(parts.map(({ properties, unnamed }) => properties.get(name) ?? unnamedSchemas(unnamed, name)))
}

/** Returns the schemas of all properties without a name. */
export const allUnnamed = ({ unnamed }: Shape): Json[] => [
  ...unnamed.flatMap(({ additional }) => additional),
  ...unnamed.flatMap(({ patterns }) => patterns.map(([, schema]) => schema))
]

/** Returns the schemas of a property that no part names. */
export const unnamedSchemas = (unnamed: readonly Unnamed[], name: string): readonly Json[] =>
  unnamed.flatMap(({ patterns, additional }) => {
    const matching = matchingSchemas(patterns, name)
    return matching.length > 0 ? matching : additional
  })

export const matchingSchemas = (patterns: Unnamed['patterns'], name: string): readonly Json[] =>
  patterns.flatMap(([source, schema]) => (pattern(source).test(name) ? [schema] : []))

/**
 * Drops lists that declare nothing about the member. A branch that declares any value counts unless every branch
 * applies.
 */
const declared: Choice = (lists) => without(lists, (schema) => schema === required)
const declaring: Choice = (lists) => without(lists, (schema) => schema === required || schema === anyValue)
const restricting: Choice = (lists) =>
  without(lists, (schema) => schema === true || schema === required || schema === anyValue)

function without(lists: readonly (readonly Json[])[], isFree: (schema: Json) => boolean): readonly Json[] {
  const specific = lists.filter((list) => !list.every(isFree))
  return unique((specific.length > 0 ? specific : lists).flat())
}

/** Returns each once: a part may be held twice at each level. */
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

function narrower(a: Shape['types'], b: Shape['types']): Shape['types'] {
  if (a === undefined) return b
  if (b === undefined) return a
  const both = [...a].flatMap((type) => [...b].flatMap((other) => common(type, other)))
  return new Set(both)
}

const numbers: readonly ShapeType[] = ['number', 'integer', 'int64']

function common(a: ShapeType, b: ShapeType): ShapeType[] {
  if (a === b) return [a]
  const [rankA, rankB] = [numbers.indexOf(a), numbers.indexOf(b)]
  return rankA < 0 || rankB < 0 ? [] : [rankA > rankB ? a : b]
}
