/** Removes the properties that a service does not send, and keeps all others, undeclared ones too. */
import type { Schema } from '@contract-first/contract'
import { pattern } from '@contract-first/engine/model'
import { define } from '../document/json-value.ts'
import { ShapeGraph, type ShapeNode } from './shape-graph.ts'

/** Returns a copy of a value of the schema without `writeOnly` properties. */
export type Shown = (value: unknown, schema: Schema) => unknown

export function shownParts(): Shown {
  const graph = new ShapeGraph('service')
  return (value, schema) => withoutHidden(value, graph, [graph.add([schema])])
}

/**
 * Copies a value without the properties that any of its shapes hides.
 * @param numbers nodes of the shapes that apply to the value
 */
export function withoutHidden(value: unknown, graph: ShapeGraph, numbers: readonly number[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const nodes = numbers.flatMap((number) => graph.nodes[number] ?? [])
  if (nodes.length === 0) return value
  if (Array.isArray(value)) {
    const itemsAt = (index: number) => nodes.flatMap((node) => node.prefixItems[index] ?? node.items ?? [])
    return value.map((item, index) => withoutHidden(item, graph, itemsAt(index)))
  }
  const hidden = new Set(nodes.flatMap((node) => node.hidden))
  const copy = {}
  for (const [name, member] of Object.entries(value))
    if (!hidden.has(name)) define(copy, name, withoutHidden(member, graph, childrenOf(nodes, name)))
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
