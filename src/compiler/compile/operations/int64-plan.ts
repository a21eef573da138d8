/** Plans by which the server restores the int64 of a schema as bigints (json/restore-int64.ts). */
import { besideNull, make, type OwnFormats, type Schema, target } from '@contract-first/contract'
import type { Int64Node, Int64Plan } from '@contract-first/engine/model'
import { type Children, childrenOf, noChildren, withAncestors } from '../shapes/graph.ts'

/** A node with all of its children, even those that lead to no int64. */
interface PlanNode extends Children {
  readonly int64: boolean
  /** Format of the project's own whose texts are parsed. */
  readonly format?: string | undefined
  readonly parts: readonly { readonly child: number; readonly when?: Schema }[]
}

/** The plans of one view. A schema has one plan for all operations that use it. */
export class Int64Plans {
  readonly #nodes: PlanNodes
  readonly #plans: Record<string, Int64Node> = {}
  readonly #used = new Set<number>()
  readonly #formatted = new Set<number>()
  #finished = 0

  constructor(formats?: OwnFormats) {
    this.#nodes = new PlanNodes(formats)
  }

  /** @param addValidator registers a branch of a union: its int64 are restored only in values that fit the branch */
  add(schema: Schema, addValidator: (branch: Schema) => string): Int64Plan | undefined {
    const start = this.#nodes.add(schema)
    const first = this.#finished
    const added = this.#nodes.list.slice(first)
    this.#finished += added.length
    for (const index of this.#ancestorsOf(added, first, isPlace)) this.#used.add(first + index)
    for (const index of this.#ancestorsOf(added, first, hasFormat, this.#formatted))
      this.#formatted.add(first + index)
    for (const [index, node] of added.entries())
      if (this.#used.has(first + index))
        this.#plans[String(first + index)] = emit(node, this.#used, addValidator)
    if (!this.#used.has(start)) return undefined
    return { start: String(start), plans: this.#plans, ...(this.#formatted.has(start) && { formats: true }) }
  }

  /**
   * Returns the nodes that lead to an int64. Added nodes may refer to earlier ones, but never the other way round.
   */
  #ancestorsOf(
    added: readonly PlanNode[],
    first: number,
    isWanted: (node: PlanNode) => boolean,
    known = this.#used
  ): ReadonlySet<number> {
    const children = added.map(allChildren)
    const isTarget = (index: number) =>
      isWanted(added[index] as PlanNode) || children[index]?.some((child) => known.has(child)) === true
    const edges = children.map((list) => list.filter((child) => child >= first).map((child) => child - first))
    return withAncestors([...added.keys()].filter(isTarget), edges)
  }
}

const hasFormat = ({ format }: PlanNode): boolean => format !== undefined
const isPlace = (node: PlanNode): boolean => node.int64 || hasFormat(node)

class PlanNodes {
  readonly list: PlanNode[] = []
  readonly #formats: OwnFormats | undefined
  readonly #numbers = new Map<Schema, number>()
  readonly #pending: [number, Schema][] = []

  constructor(formats: OwnFormats | undefined) {
    this.#formats = formats
  }

  add(reference: Schema): number {
    const number = this.#add(reference)
    // The loop avoids recursion, because a chain of references has any length. Each node may add further ones.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.list[next[0]] = this.#node(next[1])
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

  #node(schema: Schema): PlanNode {
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

const empty: PlanNode = { ...noChildren, int64: false, parts: [] }

const allChildren = (node: PlanNode): number[] => [
  ...childrenOf(node),
  ...node.parts.map(({ child }) => child)
]

function emit(
  node: PlanNode,
  used: ReadonlySet<number>,
  addValidator: (branch: Schema) => string
): Int64Node {
  const keep = (pairs: readonly (readonly [string, number])[]) =>
    pairs.filter(([, child]) => used.has(child)).map(([name, child]) => [name, String(child)] as const)
  const some = (child: number | undefined) =>
    child !== undefined && used.has(child) ? String(child) : undefined
  const properties = keep(node.properties)
  const patterns = keep(node.patterns)
  const prefixItems = node.prefixItems.map((child) => some(child) ?? null)
  const additional = some(node.additional)
  const items = some(node.items)
  const parts = node.parts
    .filter(({ child }) => used.has(child))
    .map(({ child, when }) => ({
      plan: String(child),
      ...(when === undefined ? {} : { when: addValidator(when) })
    }))
  return {
    ...(node.int64 ? { int64: true } : {}),
    ...(node.format === undefined ? {} : { format: node.format }),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(patterns.length > 0 ? { patterns } : {}),
    // Declared members are not additional, even those that lead to no int64.
    ...(additional === undefined ? {} : { additional, declared: node.properties.map(([name]) => name) }),
    ...(items === undefined ? {} : { items }),
    ...(prefixItems.some((item) => item !== null) ? { prefixItems } : {}),
    ...(parts.length > 0 ? { parts } : {})
  }
}
