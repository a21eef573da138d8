/**
 * Schemas that apply themselves to the same value: validation would never end (JSON Schema Core 2020-12, section 9.4.1).
 * A base whose union lists the schemas that include it in their `allOf` is common, and its meaning is clear: a child has the
 * base's own members, and the union chooses the child.
 */
import { atPointer, pointerOf } from '../document/reference.ts'
import { besideNull } from '../document/schema-object.ts'
import { contractNodes } from '../document/walk.ts'
import { arrayOf, define, isObject, type Json, type JsonObject, objectOf, own } from '../model/json.ts'

/** A schema, and the keyword by which it applies the next one. */
interface Step {
  readonly node: JsonObject
  readonly keyword: string
}

export interface SelfApplication {
  readonly node: JsonObject
  readonly key: string
  readonly message: string
}

interface Found {
  /** The original of each object that was made. */
  readonly copies: ReadonlyMap<object, object>
  /** Schemas without a meaning. */
  readonly refused: readonly SelfApplication[]
}

/** Changes the document in place: afterwards no schema applies itself, also none that is refused. */
export function endSelfApplication(document: JsonObject): Found {
  const copies = new Map<object, object>()
  const refused: SelfApplication[] = []
  const done = new Set<Json>()
  for (const { node, names } of contractNodes(document)) {
    if (names !== undefined || !appliesSchemas(node)) continue
    for (let cycle = cycleFrom(document, node, done); cycle; cycle = cycleFrom(document, node, done)) {
      if (inherit(cycle, copies)) continue
      refused.push(problemOf(cycle))
      const last = cycle.findLast(({ keyword }) => keyword === '$ref')
      if (last !== undefined) Reflect.deleteProperty(last.node, '$ref')
    }
  }
  return { copies, refused }
}

/**
 * Searches without recursion, because a chain of references has any length.
 * @param done schemas without a cycle below them; further ones are added
 */
function cycleFrom(document: JsonObject, start: JsonObject, done: Set<Json>): Step[] | undefined {
  const nodes = [start]
  const keywords: string[] = []
  const pending = [appliedBy(document, start)]
  const open = new Set<Json>(nodes)
  while (nodes.length > 0) {
    const next = done.has(nodes.at(-1) ?? null) ? undefined : pending.at(-1)?.next().value
    if (next === undefined) {
      const node = nodes.pop() ?? null
      done.add(node)
      open.delete(node)
      pending.pop()
      keywords.pop()
      continue
    }
    const [keyword, child] = next
    if (!isObject(child) || done.has(child) || !appliesSchemas(child)) continue
    if (open.has(child)) {
      const steps = nodes.map((node, index) => ({ node, keyword: keywords[index] ?? keyword }))
      const cycle = steps.slice(nodes.indexOf(child))
      // A circle of references alone cannot be resolved (checks/references.ts).
      if (cycle.some((step) => step.keyword !== '$ref')) return cycle
      continue
    }
    keywords.push(keyword)
    nodes.push(child)
    open.add(child)
    pending.push(appliedBy(document, child))
  }
  return undefined
}

const lists = ['allOf', 'anyOf', 'oneOf']
const appliers = ['$ref', ...lists, 'not', 'if', 'dependentSchemas', 'dependencies']

/** Most schemas apply no other one to the value itself. */
const appliesSchemas = (node: JsonObject): boolean => appliers.some((keyword) => Object.hasOwn(node, keyword))

/** Yields the schemas that a schema applies to the value itself, by keyword. */
function* appliedBy(document: JsonObject, node: JsonObject): Generator<[keyword: string, schema: Json]> {
  const pointer = pointerOf(node)
  if (pointer !== undefined) yield ['$ref', atPointer(document, pointer) ?? true]
  for (const key of lists) for (const schema of arrayOf(own(node, key))) yield [key, schema]
  for (const key of own(node, 'if') === undefined ? ['not'] : ['not', 'if', 'then', 'else'])
    yield [key, own(node, key) ?? true]
  for (const key of ['dependentSchemas', 'dependencies'])
    for (const schema of Object.values(objectOf(own(node, key)))) yield [key, schema]
}

/**
 * Gives the child of a base a copy of the base without the union that lists the child.
 * @returns false for a cycle without such a base
 */
function inherit(cycle: readonly Step[], copies: Map<object, object>): boolean {
  if (!cycle.every(({ keyword }) => keyword === '$ref' || lists.includes(keyword))) return false
  const at = (index: number) => cycle.at(index % cycle.length) as Step
  const isUnion = ({ keyword }: Step) => keyword === 'oneOf' || keyword === 'anyOf'
  for (const [index, base] of cycle.entries()) {
    if (!isUnion(base) || at(index - 1).keyword !== '$ref') continue
    // A base that also accepts null has its members in a branch.
    const inner = at(index + 1)
    const { node, keyword } = besideNull(base.node) === inner.node ? inner : base
    // The reference may be the first of a chain.
    let first = index - 1
    while (isPlain(at(first).node) && at(first - 1).keyword === '$ref') first--
    const [holder, reference] = [at(first - 1), at(first).node]
    if (isPlain(reference) && holder.keyword !== 'allOf') continue
    const members = membersOf(node, keyword)
    const holds = (child: JsonObject) => contractNodes(members).some((part) => part.node === child)
    if (holds(isPlain(reference) ? holder.node : reference)) continue
    copies.set(members, node)
    if (isPlain(reference)) replace(holder.node, reference, members)
    else {
      Reflect.deleteProperty(reference, '$ref')
      define(reference, 'allOf', [...arrayOf(own(reference, 'allOf')), members])
    }
    return true
  }
  return false
}

/** Leaves out schemas that are only referred to: the child may be one of them. */
function membersOf(base: JsonObject, union: string): JsonObject {
  const omitted = new Set([union, 'nullable', 'discriminator', '$defs', 'definitions'])
  return Object.fromEntries(Object.entries(base).filter(([key]) => !omitted.has(key)))
}

const isPlain = (node: JsonObject): boolean =>
  Object.keys(node).length === 1 && own(node, '$ref') !== undefined

function replace(holder: JsonObject, reference: JsonObject, members: JsonObject): void {
  define(
    holder,
    'allOf',
    arrayOf(own(holder, 'allOf')).map((part) => (part === reference ? members : part))
  )
}

function problemOf(cycle: readonly Step[]): SelfApplication {
  const { node, keyword: key } = cycle.find(({ keyword }) => keyword !== '$ref') as Step
  const keywords = [...new Set(cycle.map(({ keyword }) => keyword))].filter((keyword) => keyword !== '$ref')
  const message = `this schema applies itself to the same value, by ${keywords.join(' and ')}: validation would never end`
  return { node, key, message }
}
