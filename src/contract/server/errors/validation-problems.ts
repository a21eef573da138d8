/** Validation errors (Ajv 8) to problems: where, and what is wrong there, for whoever writes the client. */
import type { Problem } from './failure.ts'
import { placeOf } from './instance-location.ts'
import { messageOf } from './keyword-messages.ts'

export interface AjvError {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Record<string, unknown>
  /** Set on what is wrong with a name itself, below `propertyNames`. */
  readonly propertyName?: string
}

const maxProblems = 20
/** Errors that are looked at; of a body with more, nobody reads the exact number of distinct ones. */
const maxErrors = 1000

/** What lies below `contains` says only why one item is not the wanted one. */
const belowContains = /(?<!\/(?:properties|patternProperties|dependentSchemas|\$defs))\/contains\//

/**
 * At most 20 problems, each once, and how many there are beyond them: infinitely many where nobody has counted.
 * @param listed of a validator: nothing where it has accepted
 */
export function collectProblems(
  listed: readonly AjvError[] | null | undefined,
  location: 'body' | ''
): { problems: Problem[]; omitted: number } {
  const errors = listed ?? []
  const found = new Map<string, Problem>()
  for (const error of errors.slice(0, maxErrors).filter(isTelling)) {
    const problem = { place: placeOf(error, location), message: messageOf(error) }
    found.set(`${problem.place} ${problem.message}`, problem)
  }
  const omitted = errors.length > maxErrors ? Number.POSITIVE_INFINITY : found.size - maxProblems
  return { problems: [...found.values()].slice(0, maxProblems), omitted: Math.max(0, omitted) }
}

export function problemsOf(errors: readonly AjvError[] | null | undefined, location: 'body' | ''): Problem[] {
  return collectProblems(errors, location).problems
}

/** `body/id must be integer; body/name is required; and 12 more` */
export function sentence(problems: readonly Problem[], omitted: number): string {
  const parts = problems.map(({ place, message }) => `${place} ${message}`)
  const more = omitted === Number.POSITIVE_INFINITY ? 'many' : omitted
  return [...parts, ...(omitted > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Some errors only repeat what others say: `if` what its branch says, and parts of `propertyNames` and `contains`. */
function isTelling(
  { keyword, propertyName, schemaPath }: AjvError,
  _: number,
  all: readonly AjvError[]
): boolean {
  if (keyword === 'if') return all.length === 1
  return propertyName === undefined && !belowContains.test(schemaPath)
}
