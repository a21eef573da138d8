/** Writes the shapes of a graph as the table that `declaredOnly` reads at run time. */
import type { DeclaredShape } from '@contract-first/engine/model'
import type { ShapeGraph, ShapeNode } from './shape-graph.ts'

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
    ...(node.items === undefined ? {} : { items: position(node.items) }),
    ...(node.prefixItems.length > 0 ? { prefixItems: node.prefixItems.map(position) } : {})
  }
}
