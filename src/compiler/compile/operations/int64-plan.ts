/** Plans by which the server restores the int64 of a schema as bigints (json/restore-int64.ts). */
import type { Int64Node, Int64Plan } from '@contract-first/engine/model'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPointer, plainTarget, pointerOf } from '../document/reference.ts'
import { besideNull, typesOf } from '../document/schema-object.ts'
import { type Children, childrenOf, noChildren, withAncestors } from '../shapes/graph.ts'
import { dependentSchemas } from '../shapes/shape.ts'
import { type OwnFormats, parsedFormat } from '../vocabulary/own-formats.ts'

/** A node with all of its children, even those that lead to no int64. */
interface Draft extends Children {
  readonly int64: boolean
  /** Format of the project's own whose texts are parsed. */
  readonly format?: string | undefined
  readonly parts: readonly { readonly child: number; readonly when?: Json }[]
}

/** The plans of one view. A schema has one plan for all operations that use it. */
export class Int64Plans {
  readonly #drafts: Drafts
  readonly #plans: Record<string, Int64Node> = {}
  readonly #productive = new Set<number>()
  readonly #formatted = new Set<number>()
  #finished = 0

  constructor(document: JsonObject, formats?: OwnFormats) {
    this.#drafts = new Drafts(document, formats)
  }

  /** @param addValidator registers a branch of a union: its int64 are restored only in values that fit the branch */
  add(schema: Json, addValidator: (branch: Json) => string): Int64Plan | undefined {
    const start = this.#drafts.add(schema)
    const first = this.#finished
    const added = this.#drafts.list.slice(first)
    this.#finished += added.length
    for (const index of this.#productiveOf(added, first, isPlace)) this.#productive.add(first + index)
    for (const index of this.#productiveOf(added, first, hasFormat, this.#formatted))
      this.#formatted.add(first + index)
    for (const [index, draft] of added.entries())
      if (this.#productive.has(first + index))
        this.#plans[String(first + index)] = emit(draft, this.#productive, addValidator)
    if (!this.#productive.has(start)) return undefined
    return { start: String(start), plans: this.#plans, ...(this.#formatted.has(start) && { formats: true }) }
  }

  /**
   * Returns the drafts that lead to an int64. Added drafts may refer to earlier ones, but never the other way round.
   */
  #productiveOf(
    added: readonly Draft[],
    first: number,
    isWanted: (draft: Draft) => boolean,
    known = this.#productive
  ): ReadonlySet<number> {
    const children = added.map(allChildren)
    const isTarget = (index: number) =>
      isWanted(added[index] as Draft) || children[index]?.some((child) => known.has(child)) === true
    const edges = children.map((list) => list.filter((child) => child >= first).map((child) => child - first))
    return withAncestors([...added.keys()].filter(isTarget), edges)
  }
}

const hasFormat = ({ format }: Draft): boolean => format !== undefined
const isPlace = (draft: Draft): boolean => draft.int64 || hasFormat(draft)

class Drafts {
  readonly list: Draft[] = []
  readonly #document: JsonObject
  readonly #formats: OwnFormats | undefined
  readonly #numbers = new Map<Json, number>()
  readonly #pending: [number, JsonObject][] = []

  constructor(document: JsonObject, formats: OwnFormats | undefined) {
    this.#document = document
    this.#formats = formats
  }

  add(reference: Json): number {
    const number = this.#add(reference)
    // The loop avoids recursion, because a chain of references has any length. Each draft may add further ones.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.list[next[0]] = this.#draft(next[1])
    return number
  }

  #add(reference: Json): number {
    const schema = plainTarget(this.#document, reference)
    const known = this.#numbers.get(schema)
    if (known !== undefined) return known
    const number = this.list.push(empty) - 1
    this.#numbers.set(schema, number)
    if (isObject(schema)) this.#pending.push([number, schema])
    return number
  }

  #draft(schema: JsonObject): Draft {
    const types = typesOf(schema)
    const numeric = types.includes('integer') || types.includes('number')
    const child = (key: string) => {
      const value = own(schema, key)
      return isObject(value) ? this.#add(value) : undefined
    }
    const named = (key: string) =>
      Object.entries(objectOf(own(schema, key))).map(([name, value]) => [name, this.#add(value)] as const)
    return {
      int64: numeric && own(schema, 'format') === 'int64',
      format: parsedFormat(schema, this.#formats),
      properties: named('properties'),
      patterns: named('patternProperties'),
      additional: child('additionalProperties') ?? child('unevaluatedProperties'),
      items: child('items') ?? child('unevaluatedItems'),
      prefixItems: arrayOf(own(schema, 'prefixItems')).map((item) => this.#add(item)),
      parts: [...this.#parts(schema)]
    }
  }

  *#parts(schema: JsonObject): Generator<{ child: number; when?: Json }> {
    const pointer = pointerOf(schema)
    if (pointer !== undefined) yield { child: this.#add(objectOf(atPointer(this.#document, pointer))) }
    for (const part of arrayOf(own(schema, 'allOf'))) yield { child: this.#add(part) }
    // A valid value that is not null fits the only other branch.
    const beside = besideNull(schema)
    if (beside !== undefined) yield { child: this.#add(beside) }
    const either = beside === undefined ? arrayOf(own(schema, 'anyOf')) : []
    for (const branch of [...either, ...arrayOf(own(schema, 'oneOf'))]) {
      // A branch is validated without collecting its errors.
      yield { child: this.#add(branch), when: { anyOf: [branch] } }
    }
    const [condition, then, otherwise] = ['if', 'then', 'else'].map((key) => own(schema, key))
    if (condition !== undefined && then !== undefined) yield { child: this.#add(then), when: condition }
    if (condition !== undefined && otherwise !== undefined)
      yield { child: this.#add(otherwise), when: { not: condition } }
    for (const [name, branch] of dependentSchemas(schema)) {
      yield { child: this.#add(branch), when: { type: 'object', required: [name] } }
    }
  }
}

const empty: Draft = { ...noChildren, int64: false, parts: [] }

const allChildren = (draft: Draft): number[] => [
  ...childrenOf(draft),
  ...draft.parts.map(({ child }) => child)
]

function emit(
  draft: Draft,
  productive: ReadonlySet<number>,
  addValidator: (branch: Json) => string
): Int64Node {
  const keep = (pairs: readonly (readonly [string, number])[]) =>
    pairs.filter(([, child]) => productive.has(child)).map(([name, child]) => [name, String(child)] as const)
  const some = (child: number | undefined) =>
    child !== undefined && productive.has(child) ? String(child) : undefined
  const properties = keep(draft.properties)
  const patterns = keep(draft.patterns)
  const prefixItems = draft.prefixItems.map((child) => some(child) ?? null)
  const additional = some(draft.additional)
  const items = some(draft.items)
  const parts = draft.parts
    .filter(({ child }) => productive.has(child))
    .map(({ child, when }) => ({
      plan: String(child),
      ...(when === undefined ? {} : { when: addValidator(when) })
    }))
  return {
    ...(draft.int64 ? { int64: true } : {}),
    ...(draft.format === undefined ? {} : { format: draft.format }),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(patterns.length > 0 ? { patterns } : {}),
    // Declared members are not additional, even those that lead to no int64.
    ...(additional === undefined ? {} : { additional, declared: draft.properties.map(([name]) => name) }),
    ...(items === undefined ? {} : { items }),
    ...(prefixItems.some((item) => item !== null) ? { prefixItems } : {}),
    ...(parts.length > 0 ? { parts } : {})
  }
}
