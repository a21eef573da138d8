/** Merged schemas, and the ways to merge them further: intersection and union. */
import type { Origin } from '../model/origin.ts'
import { make, type PatternProperties, type Schema, type Type } from '../model/schema.ts'
import { isUnconstrained } from './parts.ts'

export type MergedType = Type | 'int64'

/** Schemas of properties without their names: those of every matching pattern, otherwise the additional ones. */
export interface Unnamed {
  readonly patterns: readonly PatternProperties[]
  readonly additional: readonly Schema[]
}

/** Statements of schemas together. Lists of schemas mean that any of them may apply; `merged` takes such a list. */
export interface Merged {
  /** Types of the values; undefined for any type. */
  readonly types?: ReadonlySet<MergedType>
  /** Declared and required properties; an empty list for one that the writer leaves out. */
  readonly properties: ReadonlyMap<string, readonly Schema[]>
  /** Properties that every object has. */
  readonly required: ReadonlySet<string>
  /** Entries for schemas that declare properties without their names; empty without such schemas. */
  readonly unnamed: readonly Unnamed[]
  /** Schemas of the items; empty when any item is allowed. */
  readonly items: readonly Schema[]
  readonly prefix: readonly (readonly Schema[])[]
  /** True when no property is declared: an object may have any. */
  readonly isOpen: boolean
  /** True when members come from alternatives: a member's types hold for one alternative only. */
  readonly isUnion: boolean
}

const nowhere: Origin = { file: '', pointer: '#', line: 1, column: 1, at: () => nowhere }
/** Schema of a property that is required but not declared. */
export const onlyRequired: Schema = make({}, { origin: nowhere })
/** Schema of any value, where the contract gives none. */
export const anyValue: Schema = make({}, { origin: nowhere })

const anyProperty: Unnamed = { patterns: [], additional: [anyValue] }

/** Returns what holds for values that fit all parts. */
export function intersection(parts: readonly Merged[]): Merged {
  const types = parts.map((part) => part.types).reduce(narrower)
  const isUnion = parts.some((part) => part.isUnion)
  const result = merge(parts, isUnion ? declaring : restricting)
  // A message that leaves a property out leaves it out of every branch that requires it.
  const required = parts.flatMap((part) => [...part.required])
  return {
    ...result,
    required: new Set(required.filter((name) => result.properties.get(name)?.length !== 0)),
    ...(types && { types })
  }
}

/** Returns what holds for values that fit any of the parts. */
export function union(parts: readonly Merged[]): Merged {
  const isOpened = parts.some((part) => !part.isOpen)
  const hasItems = parts.some((part) => part.items.length > 0)
  const result = merge(
    parts.map((part) => withAnyItem(withAnyProperty(part, isOpened), hasItems)),
    declared
  )
  const isTyped = parts.every(({ types }) => types !== undefined)
  const objects = parts.filter((part) => mayBe(part, 'object')).map(({ required }) => required)
  const [first = new Set<string>(), ...others] = objects
  return {
    ...result,
    required: others.reduce((all, required) => all.intersection(required), first),
    ...(isTyped && { types: new Set(parts.flatMap(({ types }) => [...(types ?? [])])) }),
    isUnion: result.isUnion || alternates(parts)
  }
}

/** Merges the heirs of a discriminator: a value belongs to one of them, and none restricts the members of the parent. */
export function inherited(heirs: readonly Merged[]): Merged {
  const { types: _types, ...either } = union(heirs.map((heir) => ({ ...heir, isOpen: false })))
  return { ...either, required: new Set(), isOpen: true, isUnion: true }
}

/** Returns true when the values may have the type. */
export const mayBe = ({ types }: Merged, type: MergedType): boolean => types === undefined || types.has(type)

/** Returns true when several parts may be objects, or several may be arrays. */
const alternates = (parts: readonly Merged[]): boolean =>
  (['object', 'array'] as const).some((type) => parts.filter((part) => mayBe(part, type)).length > 1)

function withAnyProperty(part: Merged, isOpened: boolean): Merged {
  if (!isOpened || !part.isOpen || !mayBe(part, 'object')) return part
  return { ...part, unnamed: [...part.unnamed, anyProperty] }
}

function withAnyItem(part: Merged, hasItems: boolean): Merged {
  const isFree = part.items.length === 0 && part.prefix.length === 0 && mayBe(part, 'array')
  return hasItems && isFree ? { ...part, items: [anyValue] } : part
}

/** Chooses the schemas of a member from those of every part. */
type Choice = (lists: readonly (readonly Schema[])[]) => readonly Schema[]

function merge(parts: readonly Merged[], choose: Choice): Omit<Merged, 'types' | 'required'> {
  const names = new Set(parts.flatMap((part) => [...part.properties.keys()]))
  const longest = Math.max(0, ...parts.map(({ prefix }) => prefix.length))
  return {
    properties: new Map([...names].map((name) => [name, propertySchemas(parts, name, choose)])),
    unnamed: unique(parts.flatMap((part) => part.unnamed)),
    items: choose(parts.map(({ items }) => items)),
    prefix: Array.from({ length: longest }, (_, index) =>
      choose(parts.map(({ prefix, items }) => prefix[index] ?? items))
    ),
    isOpen: parts.every((part) => part.isOpen),
    isUnion: parts.some((part) => part.isUnion)
  }
}

/** Returns the schemas of a property; an empty list when a part hides it. */
function propertySchemas(parts: readonly Merged[], name: string, choose: Choice): readonly Schema[] {
  const isHidden = parts.some(({ properties }) => properties.get(name)?.length === 0)
  return isHidden
    ? []
    : choose(parts.map(({ properties, unnamed }) => properties.get(name) ?? unnamedSchemas(unnamed, name)))
}

/** Returns the schemas of all properties without a name. */
export const allUnnamed = ({ unnamed }: Pick<Merged, 'unnamed'>): Schema[] => [
  ...unnamed.flatMap(({ additional }) => additional),
  ...unnamed.flatMap(({ patterns }) => patterns.map(({ schema }) => schema))
]

/** Returns the schemas of a property that no part names. */
export const unnamedSchemas = (unnamed: readonly Unnamed[], name: string): readonly Schema[] =>
  unnamed.flatMap(({ patterns, additional }) => {
    const found = matching(patterns, name)
    return found.length > 0 ? found : additional
  })

export const matching = (patterns: readonly PatternProperties[], name: string): readonly Schema[] =>
  patterns.flatMap(({ pattern, schema }) => (pattern.regexp.test(name) ? [schema] : []))

/**
 * Drops lists that declare nothing about the member. A branch that declares any value counts unless every branch
 * applies.
 */
const declared: Choice = (lists) => without(lists, (schema) => schema === onlyRequired)
const declaring: Choice = (lists) =>
  without(lists, (schema) => schema === onlyRequired || schema === anyValue)
const restricting: Choice = (lists) => without(lists, isUnconstrained)

function without(
  lists: readonly (readonly Schema[])[],
  isFree: (schema: Schema) => boolean
): readonly Schema[] {
  const specific = lists.filter((list) => !list.every(isFree))
  return unique((specific.length > 0 ? specific : lists).flat())
}

/** Returns each once: a part may be held twice at each level. */
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

type Types = Merged['types']

function narrower(a: Types, b: Types): Types {
  if (a === undefined) return b
  if (b === undefined) return a
  return new Set([...a].flatMap((type) => [...b].flatMap((other) => common(type, other))))
}

const numbers: readonly MergedType[] = ['number', 'integer', 'int64']

function common(a: MergedType, b: MergedType): MergedType[] {
  if (a === b) return [a]
  const [rankA, rankB] = [numbers.indexOf(a), numbers.indexOf(b)]
  return rankA < 0 || rankB < 0 ? [] : [rankA > rankB ? a : b]
}
