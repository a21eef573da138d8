/** Finds the definitions whose verdicts are cached: those that refer to themselves, and those that are called often. */
import { isObject, type Json } from '../../document/json-value.ts'
import { type Schema, schemaKeywords } from './keywords.ts'

/** Names of the definitions to which each definition refers, as often as it does. */
type References = ReadonlyMap<string, readonly string[]>

/**
 * @returns the names of definitions that refer to themselves, directly or indirectly, of those on a path from one to
 * another, and of those that one value may call very often
 */
export function memoisedNames(definitions: Readonly<Record<string, Schema>>): ReadonlySet<string> {
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

/** Yields the names of the definitions to which a schema refers. */
export function* referencesIn(schema: Json | undefined): Generator<string> {
  if (!isObject(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    const kind = schemaKeywords.get(key)
    if (key === '$ref') yield String(value).slice('#/$defs/'.length)
    else if (kind === 'schema') yield* referencesIn(value)
    else if (kind !== 'value' && kind !== undefined)
      for (const item of Object.values(Object(value))) yield* referencesIn(item as Json)
  }
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
