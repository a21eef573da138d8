/** Parts of drafts, and the places in their values, each with the schemas that may apply there: those of every branch. */
import type { Schema } from '@contract-first/contract'
import { isObject } from '@contract-first/contract'
import { declaredIn, itemSchemas, propertySchemas, valuesOf } from '../../samples/members.ts'
import { type Path, withValueAt } from '../../samples/paths.ts'
import type { Draft } from '../../samples/requests/draft.ts'
import { conjunctionOf } from '../../samples/schemas.ts'

/** One part of a draft: the value of a parameter by its index, or that of the body. */
export type Part = number | 'body'

export function partOf(draft: Draft, part: Part): unknown {
  return part === 'body' ? draft.body?.value : draft.values[part]
}

/** @param value undefined leaves the part out */
export function withPart(draft: Draft, part: Part, value: unknown): Draft {
  if (part !== 'body') return { ...draft, values: draft.values.with(part, value) }
  return { ...draft, body: draft.body && value !== undefined ? { ...draft.body, value } : undefined }
}

export interface Place {
  readonly path: Path
  /** Path with `*` for each index, and `{}` for each name that no schema declares. */
  readonly names: readonly string[]
  readonly value: unknown
  readonly schemas: readonly Schema[]
}

const branches = ['anyOf', 'oneOf'] as const
const conditions = ['then', 'else', 'if'] as const
const maxPlaces = 400

export interface DraftPlace extends Place {
  readonly part: Part
}

/** Lists the places of a part; an empty list for one that is left out. */
export function placesIn(draft: Draft, part: Part): readonly DraftPlace[] {
  const value = partOf(draft, part)
  const schema = part === 'body' ? draft.body?.of.schema : draft.subject.parameters[part]?.schema
  if (value === undefined || schema === undefined) return []
  return placesOf(value, schema).map((place) => ({ ...place, part }))
}

/** Returns the draft with another value at a place; undefined removes it. */
export const withValue = (draft: Draft, { part, path }: Pick<DraftPlace, 'part' | 'path'>, value: unknown) =>
  withPart(draft, part, withValueAt(partOf(draft, part), path, value))

/** Lists the places breadth first; the list of a very large value is cut. */
export function placesOf(value: unknown, schema: Schema): readonly Place[] {
  const found: Place[] = [{ path: [], names: [], value, schemas: flat([schema]) }]
  for (const place of found) {
    for (const [key, inner] of innerOf(place.value)) {
      if (found.length >= maxPlaces) return found
      const own = flat(schemasAt(place.schemas, key))
      const names = [...place.names, memberName(place, key)]
      found.push({ path: [...place.path, key], names, value: inner, schemas: own })
    }
  }
  return found
}

function memberName({ schemas }: Place, key: string | number): string {
  if (typeof key === 'number') return '*'
  return schemas.some((schema) => declaredIn(schema, key).length > 0) ? key : '{}'
}

/** Returns only the first items and the last one of a list, because the others are like them. */
function innerOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value))
    return [...value.entries()].filter(([index]) => index < 3 || index === value.length - 1)
  return isObject(value) ? Object.entries(value) : []
}

function flat(all: readonly Schema[]): readonly Schema[] {
  const found = new Set<Schema>()
  const pending = [...all]
  for (const schema of pending) {
    for (const part of conjunctionOf([schema]) ?? []) {
      if (found.has(part)) continue
      found.add(part)
      pending.push(...branches.flatMap((key) => part[key] ?? []))
      pending.push(...conditions.flatMap((key) => part[key] ?? []))
      pending.push(...(part.dependentSchemas?.values() ?? []))
    }
  }
  return [...found]
}

const schemasAt = (schemas: readonly Schema[], key: string | number): Schema[] =>
  typeof key === 'string'
    ? propertySchemas(schemas, key)
    : [...itemSchemas(schemas, key), ...valuesOf(schemas, 'contains').map(({ schema }) => schema)]

/** Makes smaller requests that may show the same finding: the first ones leave out the most. */
export function* smallerDrafts(draft: Draft): Generator<Draft> {
  const { subject, values } = draft
  if (draft.body !== undefined && subject.operation.requestBody?.required !== true)
    yield { ...draft, body: undefined }
  for (const [index, { spec }] of subject.parameters.entries())
    if (!spec.required && values[index] !== undefined) yield withPart(draft, index, undefined)
  const parts: Part[] = ['body', ...values.keys()]
  for (const part of parts)
    for (const value of smallerValues(partOf(draft, part))) yield withPart(draft, part, value)
}

/** Yields values that are all smaller than the given one, so that a search ends. */
function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) yield* smallerLists(value)
  else if (typeof value === 'object' && value !== null) yield* smallerObjects(value)
  else if (typeof value === 'string') yield* smallerTexts(value)
  else if (typeof value === 'bigint' && value !== 0n) yield* new Set([0n, value / 2n])
  else if (typeof value === 'number' && value !== 0) yield* new Set([0, Math.trunc(value / 2)])
}

function* smallerLists(list: readonly unknown[]): Generator<unknown> {
  if (list.length === 0) return
  yield []
  if (list.length > 2) yield list.slice(0, Math.ceil(list.length / 2))
  if (list.length > 1) yield list.slice(0, -1)
  for (const [index, item] of list.slice(0, 3).entries())
    for (const smaller of smallerValues(item)) yield list.with(index, smaller)
}

function* smallerObjects(object: object): Generator<unknown> {
  const entries = Object.entries(object)
  for (const [name] of entries) yield withValueAt(object, [name], undefined)
  for (const [name, member] of entries)
    for (const smaller of smallerValues(member)) yield withValueAt(object, [name], smaller)
}

function* smallerTexts(text: string): Generator<string> {
  if (text === '') return
  yield ''
  if (text.length > 1) yield 'a'
  const characters = [...text]
  const middle = Math.floor(characters.length / 2)
  if (middle === 0) return
  yield characters.slice(0, middle).join('')
  yield characters.slice(middle).join('')
}

const maxChosen = 12

/** @returns those of the given requests, in their order, that have a place which none before them has */
export function coveringDrafts(drafts: readonly Draft[]): readonly Draft[] {
  const seen = new Set<string>()
  const chosen: Draft[] = []
  for (const draft of drafts) {
    const fresh = placeNames(draft).filter((name) => !seen.has(name))
    if (fresh.length === 0 || chosen.length >= maxChosen) continue
    for (const name of fresh) seen.add(name)
    chosen.push(draft)
  }
  return chosen
}

function placeNames(draft: Draft): string[] {
  const type = draft.body?.of.content.mediaType ?? ''
  const parts: Part[] = [...draft.subject.parameters.keys(), 'body']
  return parts.flatMap((part) =>
    placesIn(draft, part).map(({ path, names, value, schemas: own }) => {
      const isConstant = own.some((schema) => schema.const !== undefined)
      const place = names.map((name, level) => (name === '*' ? path[level] : name)).join('/')
      return `${part} ${type} ${place} ${typeof value} ${isConstant ? String(value) : ''}`
    })
  )
}
