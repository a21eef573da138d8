/** Paths in values: names of members and indices of lists, from the root. */
export type Path = readonly (string | number)[]

export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), root)

/** Returns a copy with another value at the path; undefined removes it. */
export function withValueAt(root: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(root)) {
    const inner = withValueAt(root[Number(key)], rest, value)
    return inner === undefined ? root.toSpliced(Number(key), 1) : root.with(Number(key), inner)
  }
  const entries = Object.entries(Object(root)).flatMap(([name, member]) => {
    if (name !== key) return [[name, member] as const]
    const inner = withValueAt(member, rest, value)
    return inner === undefined ? [] : [[name, inner] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the values that hold no others, in their order, with their paths.
 * @param isLeaf returns true for an object that counts as one value
 */
export function leavesOf(
  value: unknown,
  isLeaf: (value: unknown) => boolean = () => false,
  path: Path = []
): (readonly [path: Path, leaf: unknown])[] {
  if (typeof value !== 'object' || value === null || isLeaf(value)) return [[path, value]]
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return inner.flatMap(([key, member]) => leavesOf(member, isLeaf, [...path, key]))
}
