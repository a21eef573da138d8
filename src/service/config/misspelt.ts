/**
 * Finds names that differ from a variable by one edit. They stop the start: otherwise a misspelt limit would not be in
 * force, and a misspelt credential would not be accepted.
 */
import type { Variable } from './variables.ts'

interface Known {
  readonly name: string
  readonly edits: ReadonlySet<string>
}

export function misspelt(names: readonly string[], variables: readonly Variable<unknown>[]): string[] {
  const known = variables.map(({ name }) => ({ name, edits: withoutOneLetter(name) }))
  return names.flatMap((name) => {
    const meant = nearest(name, known)
    return meant === undefined || meant === name
      ? []
      : [`${name} is not a variable of this service; did you mean ${meant}?`]
  })
}

/**
 * Returns the variable whose name differs by one wrong, missing, additional or misplaced letter: after removing at most
 * one letter of each the names are equal.
 */
function nearest(name: string, known: readonly Known[]): string | undefined {
  const edits = withoutOneLetter(name.toUpperCase())
  const exact = known.find((each) => each.name === name)
  return (exact ?? known.find((each) => !edits.isDisjointFrom(each.edits)))?.name
}

function withoutOneLetter(name: string): Set<string> {
  return new Set([name, ...Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1))])
}
