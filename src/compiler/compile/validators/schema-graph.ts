/** References between the definitions of a view decide what their validators cache and collect. */
import { isObject, type Json, type JsonObject, own } from '../document/json-value.ts'
import { type Schema, schemaKeywords } from '../vocabulary/keywords.ts'

type Definitions = Readonly<Record<string, Schema>>

/** Names of the definitions to which each definition refers, as often as it does. */
type References = ReadonlyMap<string, readonly string[]>

/** Returns the name of the definition to which a schema refers. */
export function targetOf(schema: JsonObject): string | undefined {
  const reference = own(schema, '$ref')
  return reference === undefined ? undefined : String(reference).slice('#/$defs/'.length)
}

/** Yields the schemas in a schema, those in maps and lists included, with their keywords. */
function* schemasIn(schema: JsonObject): Generator<[keyword: string, inner: Json]> {
  for (const [key, value] of Object.entries(schema)) {
    const kind = schemaKeywords.get(key)
    if (kind === 'schema') yield [key, value]
    else if (kind === 'list' || kind === 'map')
      for (const inner of Object.values(Object(value))) yield [key, inner as Json]
  }
}

/** Yields the names of the definitions to which a schema refers. */
export function* referencesIn(schema: Json | undefined): Generator<string> {
  if (!isObject(schema)) return
  const target = targetOf(schema)
  if (target !== undefined) yield target
  for (const [, inner] of schemasIn(schema)) yield* referencesIn(inner)
}

const counts = new WeakMap<JsonObject, number>()

/** Returns the number of keywords of a schema, those of inner schemas included. */
export function keywordCount(schema: Json): number {
  if (!isObject(schema)) return 0
  let count = counts.get(schema)
  if (count === undefined) {
    count = Object.keys(schema).length
    for (const [, inner] of schemasIn(schema)) count += keywordCount(inner)
    counts.set(schema, count)
  }
  return count
}

/** Keywords whose schemas apply to the value itself, so that `unevaluated…` reads what they evaluate. */
const inPlace: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'],
  ...['dependentSchemas', 'dependencies']
])

/** Returns the names of the definitions whose evaluated members a schema around a reference reads. */
export function trackedNames(definitions: Definitions): ReadonlySet<string> {
  const names = new Set<string>()
  const pending = Object.values(definitions).map((schema) => ({ schema: schema as Json, isRead: false }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, isRead } = next
    if (!isObject(schema)) continue
    const reads =
      isRead || ['unevaluatedProperties', 'unevaluatedItems'].some((key) => Object.hasOwn(schema, key))
    const target = targetOf(schema)
    if (reads && target !== undefined && !names.has(target)) {
      names.add(target)
      pending.push({ schema: definitions[target] as Json, isRead: true })
    }
    for (const [key, inner] of schemasIn(schema))
      pending.push({ schema: inner, isRead: reads && inPlace.has(key) })
  }
  return names
}

/**
 * @returns the names of definitions that refer to themselves, directly or indirectly, of those on a path from one to
 * another, and of those that one value may call very often
 */
export function memoisedNames(definitions: Definitions): ReadonlySet<string> {
  const references = new Map(
    Object.entries(definitions).map(([name, schema]) => [name, [...referencesIn(schema)]] as const)
  )
  const others = new Set([...ordered(references), ...ordered(reversed(references))])
  return new Set(references.keys()).difference(others).union(oftenCalled(references))
}

/**
 * Returns names after those that refer to them, without any on a cycle or after one. It avoids recursion, because a
 * chain has any length.
 */
function ordered(references: References): string[] {
  const waiting = new Map<string, number>()
  for (const name of [...references.values()].flat()) waiting.set(name, (waiting.get(name) ?? 0) + 1)
  const ready = [...references.keys()].filter((name) => !waiting.has(name))
  for (const name of ready)
    for (const target of references.get(name) as readonly string[]) {
      const left = Number(waiting.get(target)) - 1
      waiting.set(target, left)
      if (left === 0) ready.push(target)
    }
  return ready
}

function reversed(references: References): References {
  const result = new Map([...references.keys()].map((name) => [name, [] as string[]]))
  for (const [name, list] of references) for (const target of list) result.get(target)?.push(name)
  return result
}

/** Calls that need no cache, however small the contract is. */
const leastCalls = 1_000

/**
 * Finds the definitions that one value may call very often: 28 that refer to the next one twice are 2^28 calls.
 * @returns names whose verdicts are cached, so that no value calls a definition more often than a contract of this size
 * without such chains might
 */
export function oftenCalled(references: References): Set<string> {
  const maxCalls = leastCalls + [...references.values()].flat().length
  const often = new Set<string>()
  const calls = new Map([...references.keys()].map((name) => [name, 1]))
  for (const name of ordered(references)) {
    if (Number(calls.get(name)) > maxCalls) often.add(name)
    for (const target of references.get(name) as readonly string[])
      calls.set(target, Number(calls.get(target)) + (often.has(name) ? 1 : Number(calls.get(name))))
  }
  return often
}
