/** Graphs of schemas: nodes by number, children by the part of a value to which they apply. */

export interface Children {
  readonly properties: readonly (readonly [string, number])[]
  readonly patterns: readonly (readonly [string, number])[]
  readonly additional: number | undefined
  readonly items: number | undefined
  readonly prefixItems: readonly number[]
}

export const noChildren: Children = {
  properties: [],
  patterns: [],
  additional: undefined,
  items: undefined,
  prefixItems: []
}

export function childrenOf(node: Children): number[] {
  const named = [...node.properties, ...node.patterns].map(([, child]) => child)
  const others = [node.additional, node.items, ...node.prefixItems].filter((child) => child !== undefined)
  return [...named, ...others]
}

/** Returns the nodes with these numbers, each followed by what is reachable from it. */
export function reachable<T>(
  nodes: readonly T[],
  numbers: readonly number[],
  children: (node: T) => readonly number[]
): Map<number, T> {
  const found = new Map<number, T>()
  const pending = numbers.toReversed()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = nodes[next]
    if (node === undefined || found.has(next)) continue
    found.set(next, node)
    pending.push(...children(node))
  }
  return found
}

/**
 * Returns the targets and every node from which one of them can be reached.
 * @param children numbers of the children of each node, by its number
 */
export function withAncestors(
  targets: readonly number[],
  children: readonly (readonly number[])[]
): ReadonlySet<number> {
  const edges = children.flatMap((list, parent) => list.map((child) => ({ parent, child })))
  const above = Map.groupBy(edges, ({ child }) => child)
  const found = new Set(targets)
  // A set visits members that are added during its iteration.
  for (const number of found) for (const { parent } of above.get(number) ?? []) found.add(parent)
  return found
}
