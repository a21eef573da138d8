/**
 * Names that are one slip away from a variable's. A misspelt limit is a limit that is not in force, and a misspelt
 * credential one that opens nothing; so a near miss refuses the start instead of being passed over.
 */
import { allVariables } from './variables.ts'

const known = allVariables.map(({ name }) => ({ name, slips: withoutOneLetter(name) }))

export function misspelt(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const meant = nearest(name)
    return meant === undefined || meant === name
      ? []
      : [`${name} is not a variable of this service; did you mean ${meant}?`]
  })
}

/** Two names that are equal after a letter is left out of each differ by one wrong, missing, surplus or misplaced letter. */
function nearest(name: string): string | undefined {
  const slips = withoutOneLetter(name.toUpperCase())
  const exact = known.find((each) => each.name === name)
  return (exact ?? known.find((each) => !slips.isDisjointFrom(each.slips)))?.name
}

function withoutOneLetter(name: string): Set<string> {
  return new Set([name, ...Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1))])
}
