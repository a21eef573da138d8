/**
 * The shapes reachable from a schema as a finite graph with one node for each composition of schemas, so that cycles
 * end.
 */

import type { DeclaredShape } from '@contract-first/engine/model'
import { isObject, type Json, type JsonObject } from '../document/json-value.ts'
import { pointerOf } from '../document/reference.ts'
import { type Children, childrenOf, noChildren, reachable } from './graph.ts'
import type { Shape, Shapes } from './shape.ts'

/** A shape whose children are numbers of other nodes. */
export interface ShapeNode extends Pick<Children, 'properties' | 'items' | 'prefixItems'> {
  readonly unnamed: readonly Pick<Children, 'patterns' | 'additional'>[]
  /** Names of properties that are not written. */
  readonly hidden: readonly string[]
  readonly types: Shape['types']
  readonly fromUnion: boolean
  /** Name of the schema, when the node stands for exactly one named schema. */
  readonly name: string | undefined
}

/** A node whose children are not resolved yet. */
interface Pending {
  readonly number: number
  readonly schemas: readonly Json[]
  readonly name: string | undefined
}

export class ShapeGraph {
  readonly nodes: ShapeNode[] = []
  readonly #shapes: Shapes
  readonly #numbers = new Map<string, number>()
  readonly #ids = new WeakMap<object, number>()
  readonly #pending: Pending[] = []
  #lastId = 0

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  /** Returns the number of the node for a value to which any of the schemas may apply. */
  add(schemas: readonly Json[]): number {
    const number = this.#add(schemas)
    // The loop avoids recursion, because a chain of schemas has any length. Each node may add further ones.
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      this.nodes[next.number] = this.#node(this.#shapes.of(next.schemas), next.name)
    return number
  }

  #add(schemas: readonly Json[]): number {
    const key = [...new Set(schemas.map((schema) => this.#id(schema)))].sort().join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.nodes.push(unfinished) - 1
    this.#numbers.set(key, number)
    const [schema] = schemas
    const name = schemas.length === 1 && isObject(schema) ? schemaName(schema) : undefined
    this.#pending.push({ number, schemas, name })
    return number
  }

  /** Returns every reachable node, the first one first. */
  reachable(first: number): [number, ShapeNode][] {
    return [...reachable(this.nodes, first, shapesWithin)]
  }

  #node(shape: Shape, name: string | undefined): ShapeNode {
    const some = (schemas: readonly Json[]) => (schemas.length === 0 ? undefined : this.#add(schemas))
    const all = [...shape.properties]
    return {
      types: shape.types,
      fromUnion: shape.fromUnion,
      name,
      properties: all.filter(([, list]) => list.length > 0).map(([name, list]) => [name, this.#add(list)]),
      hidden: all.filter(([, list]) => list.length === 0).map(([name]) => name),
      unnamed: shape.unnamed.map(({ patterns, additional }) => ({
        patterns: patterns.map(([pattern, schema]) => [pattern, this.#add([schema])]),
        additional: some(additional)
      })),
      items: some(shape.items),
      prefixItems: shape.prefixItems.map((list) => this.#add(list))
    }
  }

  /** Returns the same id for a reference and its target. */
  #id(reference: Json): number | string {
    const schema = this.#shapes.target(reference)
    if (!isObject(schema)) return String(schema)
    const id = this.#ids.get(schema) ?? ++this.#lastId
    this.#ids.set(schema, id)
    return id
  }
}

export const shapesWithin = (node: ShapeNode): number[] =>
  [{ ...noChildren, ...node }, ...node.unnamed.map((unnamed) => ({ ...noChildren, ...unnamed }))].flatMap(
    childrenOf
  )

const unfinished: ShapeNode = {
  ...noChildren,
  unnamed: [],
  hidden: [],
  types: undefined,
  fromUnion: false,
  name: undefined
}

/** @returns the name of the referenced schema, as part of an identifier */
export const schemaName = (schema: JsonObject): string | undefined =>
  pointerOf(schema)
    ?.split('/')
    .at(-1)
    ?.replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_')

export interface ShapeTable {
  readonly shapes: readonly DeclaredShape[]
  /** Returns the position in the table of a node of the graph. */
  readonly position: (number: number) => number
}

/** @param numbers the requested nodes; the nodes that they lead to follow */
export function shapeTable(graph: ShapeGraph, numbers: readonly number[]): ShapeTable {
  const nodes = new Map(numbers.flatMap((number) => graph.reachable(number)))
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
