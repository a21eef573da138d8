/**
 * Schemas that apply themselves to the same value: validation would never end (JSON Schema Core 2020-12, section 9.4.1).
 * A base whose union lists the schemas that include it in their `allOf` is common, and its meaning is clear: a child has the
 * base's own members, and the union chooses the child.
 */
import { make, type Schema } from '../model/schema.ts'
import { childrenIn } from '../views/children.ts'
import { besideNull, isReference } from '../views/parts.ts'
import type { Mutable } from './document.ts'
import type { SchemaBuilder } from './schemas.ts'

/** A schema, and the keyword by which it applies the next one. */
interface Step {
  readonly schema: Mutable<Schema>
  readonly keyword: string
}

/** Changes filled schemas: afterwards none applies itself, also none that is refused. */
export function endSelfApplication({ schemas, document }: SchemaBuilder): void {
  const done = new Set<Schema>()
  // The iteration goes on over what is added.
  for (const schema of schemas)
    for (let cycle = cycleFrom(schema, done); cycle; cycle = cycleFrom(schema, done)) {
      const members = inherit(cycle)
      if (members !== undefined) {
        schemas.push(members)
        continue
      }
      const keywords = cycle.map(({ keyword }) => keyword).filter((keyword) => keyword !== '$ref')
      const message = `this schema applies itself to the same value, by ${[...new Set(keywords)].join(' and ')}: validation would never end`
      const first = cycle.find(({ keyword }) => keyword !== '$ref') as Step
      document.report('error', 'schema', message, first.schema.origin.at(first.keyword))
      delete cycle.findLast(({ keyword }) => keyword === '$ref')?.schema.ref
    }
}

/**
 * Searches without recursion, because a chain of references has any length.
 * @param done schemas without a cycle below them; further ones are added
 */
function cycleFrom(start: Schema, done: Set<Schema>): Step[] | undefined {
  const schemas = [start]
  const keywords: string[] = []
  const pending = [appliedBy(start)]
  const open = new Set(schemas)
  for (let last = schemas.at(-1); last !== undefined; last = schemas.at(-1)) {
    const next = done.has(last) ? undefined : pending.at(-1)?.next().value
    if (next === undefined) {
      schemas.pop()
      pending.pop()
      keywords.pop()
      done.add(last)
      open.delete(last)
      continue
    }
    const [keyword, child] = next
    if (done.has(child)) continue
    if (open.has(child)) {
      const steps = schemas.map((schema, index) => ({ schema, keyword: keywords[index] ?? keyword }))
      const cycle = steps.slice(schemas.indexOf(child))
      // A circle of references alone cannot be resolved (checks/references.ts).
      if (cycle.some((step) => step.keyword !== '$ref')) return cycle
      continue
    }
    keywords.push(keyword)
    schemas.push(child)
    open.add(child)
    pending.push(appliedBy(child))
  }
  return undefined
}

const lists = ['allOf', 'anyOf', 'oneOf'] as const

/** Yields the schemas that a schema applies to the value itself, by keyword. */
function* appliedBy(schema: Schema): Generator<readonly [keyword: string, schema: Schema]> {
  if (schema.ref !== undefined) yield ['$ref', schema.ref]
  for (const key of lists) for (const branch of schema[key] ?? []) yield [key, branch]
  for (const key of schema.if === undefined ? (['not'] as const) : (['not', 'if', 'then', 'else'] as const)) {
    const part = schema[key]
    if (part !== undefined) yield [key, part]
  }
  for (const part of schema.dependentSchemas?.values() ?? []) yield ['dependentSchemas', part]
}

/**
 * Gives the child of a base a copy of the base without the union that lists the child.
 * @returns the copy; undefined for a cycle without such a base
 */
function inherit(cycle: readonly Step[]): Schema | undefined {
  const at = (index: number) => cycle.at(index % cycle.length) as Step
  const unions = cycle.map(({ keyword }) => lists.find((list) => list === keyword))
  if (cycle.some(({ keyword }, index) => keyword !== '$ref' && unions[index] === undefined)) return undefined
  for (const [index, base] of cycle.entries()) {
    const union = unions[index]
    if (union === undefined || union === 'allOf' || at(index - 1).keyword !== '$ref') continue
    // A base that also accepts null has its members in a branch.
    const inner = at(index + 1)
    const isBesideNull = besideNull(base.schema) === inner.schema
    // The reference may be the first of a chain.
    let first = index - 1
    while (isReference(at(first).schema) && at(first - 1).keyword === '$ref') first--
    const [holder, reference] = [at(first - 1), at(first).schema]
    const isPlain = isReference(reference)
    if (isPlain && holder.keyword !== 'allOf') continue
    const members = isBesideNull
      ? membersOf(inner.schema, String(inner.keyword))
      : membersOf(base.schema, union)
    if (holds(members, isPlain ? holder.schema : reference)) continue
    if (isPlain)
      holder.schema.allOf = holder.schema.allOf?.map((part) => (part === reference ? members : part)) ?? []
    else {
      delete reference.ref
      reference.allOf = [...(reference.allOf ?? []), members]
    }
    return members
  }
  return undefined
}

function membersOf(base: Schema, union: string): Schema {
  const omitted = new Set([union, 'discriminator', 'name'])
  return make(Object.fromEntries(Object.entries(base).filter(([key]) => !omitted.has(key))), base)
}

/** Returns true if the schema is a part of another one, not by reference. */
function holds(whole: Schema, part: Schema): boolean {
  const inside = new Set([whole])
  for (const each of inside)
    for (const [member, child] of childrenIn(each)) if (member !== 'ref') inside.add(child)
  return inside.has(part)
}
