/** References between the definitions of a view decide what their validators cache and collect. */
import type { Reference } from './definitions.ts'

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
export function oftenCalled(graph: Graph): Set<string> {
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
