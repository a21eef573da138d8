/**
 * The definitions of a view: the schemas that have validators of their own, and the uses of one in another, which decide what
 * validators cache and collect.
 */
import type { Schema } from '@contract-first/contract'
import { alternativesIn, type Hidden, nothingHidden, type Reading } from './reading.ts'

export interface Definition {
  readonly schema: Schema
  /** Names that schemas around a reference hide, besides those that the schema hides itself. */
  readonly hidden: Hidden
}

/** A use of a definition in another one. */
export interface Reference {
  readonly name: string
  /** True where the value is that of the definition itself. */
  readonly isInPlace: boolean
  /** True where `unevaluated…` around the reference reads what it evaluates. */
  readonly isRead: boolean
}

export class Definitions {
  readonly reading: Reading
  /** Definitions by name. */
  readonly all = new Map<string, Definition>()
  /** References of each definition, as many as it has. */
  readonly references = new Map<string, readonly Reference[]>()
  /** Schemas in the definitions. */
  readonly schemas = new Set<Schema>()
  /** Names by schema and the names hidden in it. */
  readonly #names = new Map<Schema, Map<string, string>>()
  readonly #unread: string[] = []

  constructor(reading: Reading) {
    this.reading = reading
  }

  /** Makes a definition of a schema at any place, because several operations may share it. */
  share(schema: Schema, label: string): void {
    if (schema.ref === undefined) this.reading.shared.set(schema, label)
  }

  /** @returns the name of the definition: that of the referenced schema, or one made from `label` */
  define(schema: Schema, label: string): string {
    this.schemas.add(schema)
    const name = this.definitionName(schema) ?? this.#name(schema, label, nothingHidden)
    // Without recursion: a chain of references has any length.
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) this.#read(next)
    return name
  }

  /** @returns true if the schema has a definition */
  has(schema: Schema): boolean {
    return this.#names.get(schema)?.has('') === true
  }

  /** @returns the name of the definition of a schema that is shared */
  shared(schema: Schema): string | undefined {
    const label = this.reading.shared.get(schema)
    return label === undefined ? undefined : this.#name(schema, label, nothingHidden)
  }

  /** @returns the name of the definition of a schema that is shared, or only refers to another one */
  definitionName(schema: Schema): string | undefined {
    if (schema.ref === undefined) return this.shared(schema)
    return this.reading.membersOf(schema).length > 1 ? undefined : this.target(schema.ref, nothingHidden)
  }

  /**
   * @param schema target of a reference
   * @param outer names that the schemas around the reference hide
   */
  target(schema: Schema, outer: Hidden): string {
    const label = schema.name ?? String(schema.origin.pointer.split('/').at(-1))
    const { hidden } = this.reading
    return this.#name(schema, label, outer.size === 0 ? nothingHidden : outer.difference(hidden.in(schema)))
  }

  #name(schema: Schema, label: string, hidden: Hidden): string {
    const names = this.#names.get(schema) ?? new Map<string, string>()
    this.#names.set(schema, names)
    const key = [...hidden].sort().join('\n')
    const known = names.get(key)
    if (known !== undefined) return known
    const base = label.replaceAll(/[^A-Za-z0-9_]/g, '_')
    let name = base
    for (let serial = 2; this.all.has(name) || ['__proto__', 'then'].includes(name); serial++)
      name = `${base}_${serial}`
    names.set(key, name)
    this.all.set(name, { schema, hidden })
    this.#unread.push(name)
    return name
  }

  /** Finds the references of a definition, and gives their definitions names. */
  #read(name: string): void {
    const { schema, hidden } = this.all.get(name) as Definition
    const references: Reference[] = []
    this.references.set(name, references)
    this.#visit(schema, hidden, { isInPlace: true, isRead: false }, references)
  }

  /** @param place what holds for a reference that stands in the place of the schema */
  #visit(written: Schema, outer: Hidden, place: Omit<Reference, 'name'>, references: Reference[]): void {
    this.schemas.add(written)
    const schema = this.reading.judged(written)
    const hidden = this.reading.hidden.with(schema, outer)
    const reads = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined
    const here = { isInPlace: place.isInPlace, isRead: place.isRead || reads }
    const enter = (inner: Schema, names: Hidden, at: Omit<Reference, 'name'>) => {
      const shared = this.shared(inner)
      if (shared === undefined) this.#visit(inner, names, at, references)
      else references.push({ name: shared, ...at })
    }
    for (const part of schema.allOf ?? []) enter(part, hidden, here)
    for (const part of alternativesIn(schema)) enter(part, nothingHidden, here)
    const elsewhere = { isInPlace: false, isRead: false }
    for (const member of this.reading.membersIn(schema)) enter(member, nothingHidden, elsewhere)
    if (schema.ref !== undefined) references.push({ name: this.target(schema.ref, hidden), ...here })
  }
}

/** Uses of other definitions in each definition, as often as it has them. */
export type References = ReadonlyMap<string, readonly Reference[]>

/** Names of the definitions to which each definition refers, as often as it does. */
type Graph = ReadonlyMap<string, readonly string[]>

/** Returns the names of the definitions whose evaluated members a schema around a reference reads. */
export function trackedNames(references: References): ReadonlySet<string> {
  const all = [...references.values()].flat()
  const names = new Set(all.filter(({ isRead }) => isRead).map(({ name }) => name))
  // A set visits members that are added during its iteration.
  for (const reader of names)
    for (const { name, isInPlace } of references.get(reader) ?? []) if (isInPlace) names.add(name)
  return names
}

/**
 * @returns the names of definitions that refer to themselves, directly or indirectly, of those on a path from one to
 * another, and of those that one value may call very often
 */
export function memoisedNames(references: References): ReadonlySet<string> {
  const graph = new Map([...references].map(([from, list]) => [from, list.map(({ name }) => name)]))
  const others = new Set([...ordered(graph), ...ordered(reversed(graph))])
  return new Set(graph.keys()).difference(others).union(oftenCalled(graph))
}

/**
 * Returns names after those that refer to them, without any on a cycle or after one. It avoids recursion, because a
 * chain has any length.
 */
function ordered(graph: Graph): string[] {
  const waiting = new Map<string, number>()
  for (const name of [...graph.values()].flat()) waiting.set(name, (waiting.get(name) ?? 0) + 1)
  const ready = [...graph.keys()].filter((name) => !waiting.has(name))
  for (const name of ready)
    for (const target of graph.get(name) as readonly string[]) {
      const left = Number(waiting.get(target)) - 1
      waiting.set(target, left)
      if (left === 0) ready.push(target)
    }
  return ready
}

function reversed(graph: Graph): Graph {
  const result = new Map([...graph.keys()].map((name) => [name, [] as string[]]))
  for (const [name, list] of graph) for (const target of list) result.get(target)?.push(name)
  return result
}

/** Calls that need no cache, however small the contract is. */
const leastCalls = 1_000

/**
 * Finds the definitions that one value may call very often: 28 that refer to the next one twice are 2^28 calls.
 * @returns names whose verdicts are cached, so that no value calls a definition more often than a contract of this size
 * without such chains might
 */
function oftenCalled(graph: Graph): Set<string> {
  const maxCalls = leastCalls + [...graph.values()].flat().length
  const often = new Set<string>()
  const calls = new Map([...graph.keys()].map((name) => [name, 1]))
  for (const name of ordered(graph)) {
    if (Number(calls.get(name)) > maxCalls) often.add(name)
    for (const target of graph.get(name) as readonly string[])
      calls.set(target, Number(calls.get(target)) + (often.has(name) ? 1 : Number(calls.get(name))))
  }
  return often
}
