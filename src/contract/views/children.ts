/** Schemas below a schema, and what follows from them: what it reaches, and cycles. */
import type { Schema } from '../model/schema.ts'

/** Keywords that hold a schema, in the order in which readers see them. */
const single = [
  ...(['ref', 'additional', 'unevaluatedProperties', 'names', 'items', 'unevaluatedItems'] as const),
  ...(['not', 'if', 'then', 'else'] as const)
]
const lists = ['prefix', 'allOf', 'anyOf', 'oneOf'] as const
const maps = ['properties', 'dependentSchemas'] as const

/** A schema below another one, with the member that holds it: `properties/name`. */
export type Child = readonly [member: string, schema: Schema]

const children = new WeakMap<Schema, readonly Child[]>()

/** Returns the schemas directly below, the target of a reference included. Heirs of a discriminator are not below it. */
export function childrenOf(schema: Schema): readonly Child[] {
  const known = children.get(schema) ?? childrenIn(schema)
  children.set(schema, known)
  return known
}

/** Reads the schemas directly below, also of one that still changes. */
export function childrenIn(schema: Schema): Child[] {
  const found: Child[] = []
  for (const name of single) {
    const child = schema[name]
    if (child !== undefined) found.push([name, child])
  }
  const add = (member: string) => (child: Schema, key: string | number) => {
    found.push([`${member}/${key}`, child])
  }
  for (const name of lists) schema[name]?.forEach(add(name))
  for (const name of maps) schema[name]?.forEach(add(name))
  for (const { pattern, schema: child } of schema.patterns ?? [])
    found.push([`patterns/${pattern.source}`, child])
  if (schema.contains !== undefined) found.push(['contains', schema.contains.schema])
  if (schema.content?.schema !== undefined) found.push(['content', schema.content.schema])
  return found
}

export type Predicate = (schema: Schema) => boolean

const reached = new WeakMap<Predicate, WeakMap<Schema, boolean>>()

/**
 * Returns true when the predicate holds for the schema or for one below it. Each schema is visited once for a predicate:
 * keep the function, and it must not change its mind.
 */
export function reaches(schema: Schema, predicate: Predicate): boolean {
  const known = reached.get(predicate) ?? new WeakMap<Schema, boolean>()
  reached.set(predicate, known)
  const result = known.get(schema)
  if (result !== undefined) return result
  const parents = new Map<Schema, Schema[]>([[schema, []]])
  const hits: Schema[] = []
  for (const next of parents.keys()) {
    if (known.get(next) ?? predicate(next)) hits.push(next)
    // The iteration goes on over what is added.
    if (!known.has(next))
      for (const [, child] of childrenOf(next)) {
        const holders = parents.get(child)
        if (holders === undefined) parents.set(child, [next])
        else holders.push(next)
      }
  }
  const reaching = new Set(hits)
  for (const hit of reaching) for (const parent of parents.get(hit) ?? []) reaching.add(parent)
  for (const each of parents.keys()) known.set(each, reaching.has(each))
  return reaching.has(schema)
}

/** A schema on the path of the search for cycles. */
interface Visit {
  readonly schema: Schema
  readonly index: number
  readonly rest: Schema[]
  /** Least index of a schema on the path that this one reaches. */
  low: number
}

const cycles = new WeakMap<Schema, ReadonlySet<Schema>>()
const none: ReadonlySet<Schema> = new Set()

/** Returns the schemas that reach this one and are reached by it; empty for a schema in no cycle. */
export function cycleOf(schema: Schema): ReadonlySet<Schema> {
  if (!cycles.has(schema)) findCycles(schema)
  return cycles.get(schema) ?? none
}

/** Returns true for a schema that holds itself, at whatever depth. */
export const isRecursive = (schema: Schema): boolean => cycleOf(schema).size > 0

/** Finds strongly connected schemas (Tarjan 1972), without recursion: the depth of a contract has no bound. */
function findCycles(start: Schema): void {
  const visits = new Map<Schema, Visit>()
  const open: Schema[] = []
  const path: Visit[] = []
  const enter = (schema: Schema) => {
    const index = visits.size
    const visit = { schema, index, low: index, rest: childrenOf(schema).map(([, child]) => child) }
    visits.set(schema, visit)
    open.push(schema)
    path.push(visit)
  }
  enter(start)
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const child = visit.rest.pop()
    if (child === undefined) {
      path.pop()
      const holder = path.at(-1)
      if (holder !== undefined) holder.low = Math.min(holder.low, visit.low)
      if (visit.low === visit.index) close(open.splice(open.lastIndexOf(visit.schema)))
    } else if (!cycles.has(child)) {
      const known = visits.get(child)
      if (known === undefined) enter(child)
      else visit.low = Math.min(visit.low, known.index)
    }
  }
}

function close(members: readonly Schema[]): void {
  const [first] = members
  const isCycle = members.length > 1 || childrenOf(first as Schema).some(([, child]) => child === first)
  const cycle = isCycle ? new Set(members) : none
  for (const each of members) cycles.set(each, cycle)
}
