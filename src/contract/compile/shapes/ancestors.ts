/** Which nodes of a graph lead to others: what a part of a schema can not be, the whole can not be either. */

/**
 * @param children numbers of the children of each node, by its number
 * @returns the targets, and all nodes from which one of them can be reached
 */
export function leadingTo(
  targets: readonly number[],
  children: readonly (readonly number[])[]
): ReadonlySet<number> {
  const edges = children.flatMap((list, parent) => list.map((child) => ({ parent, child })))
  const above = Map.groupBy(edges, ({ child }) => child)
  const found = new Set(targets)
  // What is added to a set while it is iterated is visited too.
  for (const number of found) for (const { parent } of above.get(number) ?? []) found.add(parent)
  return found
}
