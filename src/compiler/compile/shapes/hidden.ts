/** Removes the properties that a service does not send: hidden ones, or undeclared ones as well. */
import { define, type Schema } from '@contract-first/contract'
import { pattern } from '@contract-first/engine/model'
import { ShapeGraph, type ShapeNode } from './shape-graph.ts'

/** Returns a copy of a value of the schema without the properties that are left out. */
export type Shown = (value: unknown, schema: Schema) => unknown

/** Decides which members of a value of these shapes are left out. */
type IsLeftOut = (nodes: readonly ShapeNode[], name: string) => boolean

const isHidden: IsLeftOut = (nodes, name) => nodes.some(({ hidden }) => hidden.includes(name))

/** Returns true for what generated serializers do not write. */
export const isUndeclared: IsLeftOut = (nodes, name) =>
  isHidden(nodes, name) || childrenOf(nodes, name).length === 0

/** @param isLeftOut by default true for `writeOnly` properties */
export function shownParts(isLeftOut = isHidden): Shown {
  const graph = new ShapeGraph('service')
  return (value, schema) => withoutHidden(value, graph, [graph.add([schema])], isLeftOut)
}

/**
 * Copies a value without the properties that are left out, by default those that any of its shapes hides.
 * @param numbers nodes of the shapes that apply to the value
 */
export function withoutHidden(
  value: unknown,
  graph: ShapeGraph,
  numbers: readonly number[],
  isLeftOut = isHidden
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const nodes = numbers.flatMap((number) => graph.nodes[number] ?? [])
  if (nodes.length === 0) return value
  if (Array.isArray(value)) {
    const itemsAt = (index: number) => nodes.flatMap((node) => node.prefixItems[index] ?? node.items ?? [])
    return value.map((item, index) => withoutHidden(item, graph, itemsAt(index), isLeftOut))
  }
  const copy = {}
  for (const [name, member] of Object.entries(value))
    if (!isLeftOut(nodes, name))
      define(copy, name, withoutHidden(member, graph, childrenOf(nodes, name), isLeftOut))
  return copy
}

/** Returns the shapes of a member: those of its name, otherwise of every matching pattern, otherwise the additional ones. */
function childrenOf(nodes: readonly ShapeNode[], name: string): number[] {
  const children = nodes.flatMap(({ properties, unnamed }) => {
    const named = properties.filter(([each]) => each === name)
    if (named.length > 0) return named.map(([, child]) => child)
    return unnamed.flatMap(({ patterns, additional }) => {
      const matching = patterns.filter(([source]) => pattern(source).test(name))
      return matching.length > 0 ? matching.map(([, child]) => child) : (additional ?? [])
    })
  })
  return [...new Set(children)]
}
