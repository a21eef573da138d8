/**
 * The values reachable from a schema as a finite graph with one node for each composition of schemas, so that cycles
 * end.
 */
import {
  isUnconstrained,
  type Merged,
  merged,
  type Schema,
  target,
  type Writer
} from '@contract-first/contract'
import type { DeclaredShape } from '@contract-first/engine/model'

type Named = readonly (readonly [name: string, number: number])[]

/** Merged schemas whose children are numbers of other nodes. */
export interface ShapeNode {
  readonly properties: Named
  /** Members without a name of their own, by the patterns of their names and otherwise. */
  readonly unnamed: readonly { readonly patterns: Named; readonly additional: number | undefined }[]
  readonly items: number | undefined
  readonly prefixItems: readonly number[]
  /** Names of properties that are not written. */
  readonly hidden: readonly string[]
  readonly types: Merged['types']
  readonly isUnion: boolean
  /** Name of the schema, when the node stands for exactly one named schema. */
  readonly name: string | undefined
}

/** A node whose children are not resolved yet. */
interface Pending {
  readonly number: number
  readonly schemas: readonly Schema[]
}

export class ShapeGraph {
  readonly nodes: ShapeNode[] = []
  readonly #writer: Writer
  readonly #numbers = new Map<string, number>()
  readonly #ids = new WeakMap<Schema, number>()
  readonly #pending: Pending[] = []
  #lastId = 0

  constructor(writer: Writer) {
    this.#writer = writer
  }

  /** Returns the number of the node for a value to which any of the schemas may apply. */
  add(schemas: readonly Schema[]): number {
    const number = this.#add(schemas)
    // The loop avoids recursion, because a chain of schemas has any length. Each node may add further ones.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.nodes[next.number] = this.#node(next.schemas)
    return number
  }

  #add(schemas: readonly Schema[]): number {
    const key = [...new Set(schemas.map((schema) => this.#id(schema)))].sort().join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.nodes.push(unfinished) - 1
    this.#numbers.set(key, number)
    this.#pending.push({ number, schemas })
    return number
  }

  #node(schemas: readonly Schema[]): ShapeNode {
    const { types, isUnion, properties, unnamed, items, prefix } = merged(schemas, this.#writer)
    const some = (list: readonly Schema[]) => (list.length === 0 ? undefined : this.#add(list))
    const all = [...properties]
    const [schema] = schemas
    return {
      types,
      isUnion,
      name: schemas.length === 1 && schema !== undefined ? referredName(schema) : undefined,
      properties: all.filter(([, list]) => list.length > 0).map(([name, list]) => [name, this.#add(list)]),
      hidden: all.filter(([, list]) => list.length === 0).map(([name]) => name),
      unnamed: unnamed.map(({ patterns, additional }) => ({
        patterns: patterns.map((each) => [each.pattern.source, this.#add([each.schema])]),
        additional: some(additional)
      })),
      items: some(items),
      prefixItems: prefix.map((list) => this.#add(list))
    }
  }

  /** Returns the same id for a reference and its target, and for all schemas that say nothing. */
  #id(schema: Schema): number {
    const end = target(schema)
    if (isUnconstrained(end)) return 0
    const id = this.#ids.get(end) ?? ++this.#lastId
    this.#ids.set(end, id)
    return id
  }
}

const numbersWithin = ({ properties, items, prefixItems, unnamed }: ShapeNode): number[] => {
  const others = unnamed.flatMap(({ patterns, additional }) => [
    ...patterns.map(([, each]) => each),
    additional
  ])
  const all = [...properties.map(([, each]) => each), items, ...prefixItems, ...others]
  return all.filter((each) => each !== undefined)
}

const unfinished: ShapeNode = {
  properties: [],
  unnamed: [],
  items: undefined,
  prefixItems: [],
  hidden: [],
  types: undefined,
  isUnion: false,
  name: undefined
}

/** Returns the name of the schema to which one refers, as part of an identifier. */
export const referredName = ({ ref }: Schema): string | undefined =>
  (ref?.name ?? ref?.origin.pointer.split('/').at(-1))
    ?.replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_')

export interface ShapeTable {
  readonly shapes: readonly DeclaredShape[]
  /** Returns the position in the table of a node of the graph. */
  readonly position: (number: number) => number
}

/** @param numbers the requested nodes; the nodes that they lead to follow */
export function shapeTable(graph: ShapeGraph, numbers: readonly number[]): ShapeTable {
  const nodes = new Map<number, ShapeNode>()
  const pending = numbers.toReversed()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = graph.nodes[next]
    if (node === undefined || nodes.has(next)) continue
    nodes.set(next, node)
    pending.push(...numbersWithin(node))
  }
  const positions = new Map([...nodes.keys()].map((number, position) => [number, position]))
  const position = (number: number) => Number(positions.get(number))
  return { shapes: [...nodes.values()].map((node) => declaredShape(node, position)), position }
}

function declaredShape(node: ShapeNode, position: (number: number) => number): DeclaredShape {
  const positions = (pairs: readonly (readonly [string, number])[]) =>
    pairs.map(([name, child]) => [name, position(child)] as const)
  const known = node.properties.length > 0 || node.unnamed.length > 0
  const mayBeObject = node.types === undefined || node.types.has('object')
  return {
    ...(known || mayBeObject ? { properties: Object.fromEntries(positions(node.properties)) } : {}),
    ...(node.unnamed.length > 0
      ? {
          unnamed: node.unnamed.map(({ patterns, additional }) => ({
            patterns: positions(patterns),
            ...(additional === undefined ? {} : { additional: position(additional) })
          }))
        }
      : {}),
    ...(node.hidden.length > 0 && { hidden: node.hidden }),
    ...(node.items === undefined ? {} : { items: position(node.items) }),
    ...(node.prefixItems.length > 0 ? { prefixItems: node.prefixItems.map(position) } : {})
  }
}
