/** Groups problems with the same cause: a message for many places is shown once, with their number. */
import type { ContractProblem } from './problem.ts'

/** Returns a problem for each cause, at its first place; the message counts the others. */
export function byCause(problems: readonly ContractProblem[]): ContractProblem[] {
  const causes = Map.groupBy(problems, ({ severity, message }) => `${severity} ${message}`)
  return [...causes.values()].flatMap((places) =>
    places.slice(0, 1).map((first) => ({ ...first, message: `${first.message}${count(places.length - 1)}` }))
  )
}

const count = (others: number): string =>
  others === 0 ? '' : ` (and at ${others} other ${others === 1 ? 'place' : 'places'})`
