/** Finds the definitions whose verdicts are cached: those that refer to themselves, and those that are called often. */
import { isObject, type Json } from '../../document/json-value.ts'
import { schemaKeywords } from './keywords.ts'
import { oftenCalled } from './often-called.ts'
import type { Schema } from './view.ts'

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * @returns the names of definitions that refer to themselves, directly or indirectly, of those on a path from one to
 * another, and of those that one value may call very often
 */
export function memoisedNames(definitions: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const lists = new Map(
    Object.entries(definitions).map(([name, schema]) => [name, [...referencesIn(schema)]] as const)
  )
  return recursiveNames(lists).union(oftenCalled(lists))
}

function recursiveNames(lists: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const references = new Map([...lists].map(([name, list]) => [name, new Set(list)] as const))
  const leading = withoutEnds(references)
  return new Set(withoutEnds(reversed(leading)).keys())
}

/**
 * Removes definitions that refer to no remaining one, repeatedly. It avoids recursion, because a chain has any length.
 */
function withoutEnds(graph: Graph): Graph {
  const left = new Map(graph)
  const referring = reversed(graph)
  const counts = new Map([...graph].map(([name, names]) => [name, names.size]))
  const ends = [...graph.keys()].filter((name) => counts.get(name) === 0)
  for (const end of ends) {
    left.delete(end)
    for (const name of referring.get(end) ?? []) {
      const count = Number(counts.get(name)) - 1
      counts.set(name, count)
      if (count === 0) ends.push(name)
    }
  }
  return left
}

/** Reverses the graph; removed names are left out. */
function reversed(graph: Graph): Graph {
  const result = new Map([...graph.keys()].map((name) => [name, new Set<string>()]))
  for (const [name, references] of graph) for (const reference of references) result.get(reference)?.add(name)
  return result
}

function* referencesIn(schema: Json | undefined): Generator<string> {
  if (!isObject(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    const kind = schemaKeywords.get(key)
    if (key === '$ref') yield String(value).slice('#/$defs/'.length)
    else if (kind === 'schema') yield* referencesIn(value)
    else if (kind !== 'value' && kind !== undefined)
      for (const item of Object.values(Object(value))) yield* referencesIn(item as Json)
  }
}
