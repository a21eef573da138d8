/** Plans by which the server restores the int64 of a schema as bigints (json/restore-int64.ts). */
import { besideNull, make, type Schema, target } from '@contract-first/contract'
import type { Int64Node, Int64Plan } from '@contract-first/engine/model'
import { type Children, childrenOf, noChildren, withAncestors } from '../shapes/graph.ts'
import type { OwnFormats } from '../vocabulary/own-formats.ts'

/** A node with all of its children, even those that lead to no int64. */
interface Draft extends Children {
  readonly int64: boolean
  /** Format of the project's own whose texts are parsed. */
  readonly format?: string | undefined
  readonly parts: readonly { readonly child: number; readonly when?: Schema }[]
}

/** The plans of one view. A schema has one plan for all operations that use it. */
export class Int64Plans {
  readonly #drafts: Drafts
  readonly #plans: Record<string, Int64Node> = {}
  readonly #productive = new Set<number>()
  readonly #formatted = new Set<number>()
  #finished = 0

  constructor(formats?: OwnFormats) {
    this.#drafts = new Drafts(formats)
  }

  /** @param addValidator registers a branch of a union: its int64 are restored only in values that fit the branch */
  add(schema: Schema, addValidator: (branch: Schema) => string): Int64Plan | undefined {
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
  readonly #formats: OwnFormats | undefined
  readonly #numbers = new Map<Schema, number>()
  readonly #pending: [number, Schema][] = []

  constructor(formats: OwnFormats | undefined) {
    this.#formats = formats
  }

  add(reference: Schema): number {
    const number = this.#add(reference)
    // The loop avoids recursion, because a chain of references has any length. Each draft may add further ones.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.list[next[0]] = this.#draft(next[1])
    return number
  }

  #add(reference: Schema): number {
    const schema = target(reference)
    const known = this.#numbers.get(schema)
    if (known !== undefined) return known
    const number = this.list.push(empty) - 1
    this.#numbers.set(schema, number)
    this.#pending.push([number, schema])
    return number
  }

  #draft(schema: Schema): Draft {
    const { types, format, properties, patterns = [], prefix = [] } = schema
    const [additional, items] = [
      schema.additional ?? schema.unevaluatedProperties,
      schema.items ?? schema.unevaluatedItems
    ]
    return {
      int64: format === 'int64' && (types?.has('integer') === true || types?.has('number') === true),
      format: this.#parsedFormat(schema),
      properties: [...(properties ?? [])].map(([name, each]) => [name, this.#add(each)]),
      patterns: patterns.map((each) => [each.pattern.source, this.#add(each.schema)]),
      additional: additional && this.#add(additional),
      items: items && this.#add(items),
      prefixItems: prefix.map((item) => this.#add(item)),
      parts: [...partsOf(schema)].map(({ schema: part, when }) => ({
        child: this.#add(part),
        ...(when && { when })
      }))
    }
  }

  /** Returns the format whose `parse` makes the values of a schema; undefined where its texts stay texts. */
  #parsedFormat({ types, format = '' }: Schema): string | undefined {
    const { parse } = this.#formats?.get(format)?.format ?? {}
    return parse !== undefined && types?.has('string') === true ? format : undefined
  }
}

/** Yields the schemas that apply to the value itself, some of them only when the value fits a condition. */
function* partsOf(schema: Schema): Generator<{ readonly schema: Schema; readonly when?: Schema }> {
  const { ref, allOf = [], anyOf = [], oneOf = [], then, else: otherwise, dependentSchemas = [] } = schema
  for (const part of ref === undefined ? allOf : [ref, ...allOf]) yield { schema: part }
  // A valid value that is not null fits the only other branch.
  const beside = besideNull(schema)
  if (beside !== undefined) yield { schema: beside }
  for (const branch of [...(beside === undefined ? anyOf : []), ...oneOf]) {
    // A branch is validated without collecting its errors.
    yield { schema: branch, when: make({ anyOf: [branch] }, branch) }
  }
  if (schema.if !== undefined) {
    if (then !== undefined) yield { schema: then, when: schema.if }
    if (otherwise !== undefined) yield { schema: otherwise, when: make({ not: schema.if }, schema.if) }
  }
  for (const [name, branch] of dependentSchemas)
    yield {
      schema: branch,
      when: make({ types: new Set(['object'] as const), required: new Set([name]) }, branch)
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
  addValidator: (branch: Schema) => string
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
