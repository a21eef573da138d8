/** Turns the errors of a validator (Ajv 8) into problems for the author of the client: place and message. */
import type { ValidationError } from '../../model/compiled-contract.ts'
import type { Problem } from './failure.ts'
import { messageOf } from './keyword-messages.ts'

const maxProblems = 20
/** Maximum of errors that are read; with more the number of distinct problems is unknown. */
const maxErrors = 1000

/** Matches the path of an error below `contains`, which only explains why one item does not match. */
const belowContains = /(?<!\/(?:properties|patternProperties|dependentSchemas|\$defs))\/contains\//

/**
 * Returns at most 20 distinct problems, and the number of further ones: infinity when it is unknown.
 *
 * @param listed the errors of a validator; null or undefined after it has accepted
 */
export function collectProblems(
  listed: readonly ValidationError[] | null | undefined,
  location: 'body' | ''
): { problems: Problem[]; omitted: number } {
  const errors = listed ?? []
  const found = new Map<string, Problem>()
  // A memoised validator reports the same error again.
  for (const error of [...new Set(errors.slice(0, maxErrors))].filter(isDistinct)) {
    const problem = { place: placeOf(error, location), message: messageOf(error) }
    found.set(`${problem.place} ${problem.message}`, problem)
  }
  const omitted = errors.length > maxErrors ? Number.POSITIVE_INFINITY : found.size - maxProblems
  return { problems: [...found.values()].slice(0, maxProblems), omitted: Math.max(0, omitted) }
}

export function problemsOf(
  errors: readonly ValidationError[] | null | undefined,
  location: 'body' | ''
): Problem[] {
  return collectProblems(errors, location).problems
}

/** Returns `body/id must be integer; body/name is required; and 12 more`. */
export function sentence(problems: readonly Problem[], omitted: number): string {
  const parts = problems.map(({ place, message }) => `${place} ${message}`)
  const more = omitted === Number.POSITIVE_INFINITY ? 'many' : omitted
  return [...parts, ...(omitted > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Drops errors that repeat others: those of `if`, and those below `propertyNames` and `contains`. */
function isDistinct(
  { keyword, propertyName, schemaPath }: ValidationError,
  _: number,
  all: readonly ValidationError[]
): boolean {
  if (keyword === 'if') return all.length === 1
  return propertyName === undefined && !belowContains.test(schemaPath)
}

interface Placed {
  readonly instancePath: string
  readonly params: Record<string, unknown>
}

const maxNameLength = 64
const maxPlaceLength = 256

/** Parameters of Ajv's errors that name a property of the value at the instance path. */
const namingParameters = [
  'missingProperty',
  'additionalProperty',
  'unevaluatedProperty',
  'propertyName',
  'tag'
] as const

/**
 * Returns the place of an error: `body/items/0/id`. Truncates and escapes names: they may come from the client.
 * @param location `body`, or empty where the instance path itself begins with the location
 */
export function placeOf({ instancePath, params }: Placed, location: 'body' | ''): string {
  const names = namingParameters
    .map((parameter) => params[parameter])
    .filter((name) => typeof name === 'string')
  const segments = [
    ...clipped(instancePath, 4 * maxPlaceLength)
      .split('/')
      .slice(1)
      .map(unescaped),
    ...names
  ].map(printable)
  const place = [location, ...segments].filter((segment, index) => index > 0 || segment !== '').join('/')
  if (place === '') return 'request'
  return clipped(place, maxPlaceLength).toWellFormed()
}

/** Removes the middle of a text that is too long. */
function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)}…${text.slice(-length / 2)}`
}

/** Unescapes a segment of a JSON pointer (RFC 6901, section 4). */
function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Escapes control and format characters, so that a name cannot hide or break a log line. */
function printable(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
