/** Finds the definitions that one value may call very often: 28 that refer to the next one twice are 2^28 calls. */

/**
 * @param references names of the definitions to which each definition refers, as often as it does
 * @returns names whose verdicts are cached, so that no value calls a definition more often than a contract of this size
 * without such chains might
 */
export function oftenCalled(references: ReadonlyMap<string, readonly string[]>): Set<string> {
  const edges = [...references.values()].flat()
  const maxCalls = leastCalls + edges.length
  const often = new Set<string>()
  const calls = new Map([...references.keys()].map((name) => [name, 1]))
  const waiting = new Map<string, number>()
  for (const name of edges) waiting.set(name, (waiting.get(name) ?? 0) + 1)
  // Definitions follow those that refer to them; the ones on a cycle are never reached, and are cached anyway.
  const ready = [...references.keys()].filter((name) => !waiting.has(name))
  for (const name of ready) {
    if (Number(calls.get(name)) > maxCalls) often.add(name)
    for (const target of references.get(name) ?? []) {
      calls.set(target, Number(calls.get(target)) + (often.has(name) ? 1 : Number(calls.get(name))))
      const left = Number(waiting.get(target)) - 1
      waiting.set(target, left)
      if (left === 0) ready.push(target)
    }
  }
  return often
}

const leastCalls = 1_000
