/** Ancestors in a graph of schemas: a property of a schema often holds for every schema that contains it. */

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
