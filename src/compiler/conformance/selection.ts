/** Chooses operations by name: an operationId, `METHOD /path`, a path, or one of these with `*` for any characters. */

import type { Operation } from '@contract-first/engine/model'

export interface Selection {
  /** Names of the operations to check; all without one. */
  readonly only?: readonly string[] | undefined
  /** Names of operations to leave out. */
  readonly skip?: readonly string[] | undefined
}

export function isSelected(operation: Operation, { only = [], skip = [] }: Selection): boolean {
  const isNamed = (names: readonly string[]) => names.some((name) => isName(name, operation))
  return (only.length === 0 || isNamed(only)) && !isNamed(skip)
}

/** Returns the names that no operation has. */
export const unknownNames = (
  operations: readonly Operation[],
  { only = [], skip = [] }: Selection
): readonly string[] =>
  [...only, ...skip].filter((name) => !operations.some((operation) => isName(name, operation)))

function isName(name: string, { operationId, method, path }: Operation): boolean {
  const pattern = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`)
  return [operationId, `${method} ${path}`, path].some((text) => pattern.test(text))
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`)
