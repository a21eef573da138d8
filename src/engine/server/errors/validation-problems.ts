/** Turns the errors of a validator into problems for the author of the client: place, pointer and message. */
import { escapePointer, unescapePointer } from '../../json/pointer.ts'
import type { ValidationError } from '../../model/compiled-contract.ts'
import type { Failure, Problem, ReportedProblem } from './failure.ts'
import { keywordOf, messageOf } from './keyword-messages.ts'

const maxProblems = 20
/** Maximum of errors that are read; with more the number of distinct problems is unknown. */
const maxErrors = 1000

/**
 * Returns at most 20 distinct problems, and the number of further ones: infinity when it is unknown.
 *
 * @param listed the errors of a validator; null or undefined after it has accepted
 * @param location see `placeOf`
 */
export function collectProblems(
  listed: readonly ValidationError[] | null | undefined,
  location: string
): { problems: Problem[]; omitted: number } {
  const errors = listed ?? []
  const found = new Map<string, () => Problem>()
  for (const { instancePath, keyword, params } of errors.slice(0, maxErrors)) {
    const placed = { instancePath, params }
    const place = placeOf(placed, location)
    const message = messageOf({ keyword, params })
    found.set(`${place} ${message}`, () => {
      return { place, pointer: pointerOf(placed), keyword: keywordOf({ keyword, params }), message }
    })
  }
  const omitted = errors.length > maxErrors ? Number.POSITIVE_INFINITY : found.size - maxProblems
  const problems = [...found.values()].slice(0, maxProblems).map((make) => make())
  return { problems, omitted: Math.max(0, omitted) }
}

export function problemsOf(
  errors: readonly ValidationError[] | null | undefined,
  location: string
): Problem[] {
  return collectProblems(errors, location).problems
}

/** Returns `body/id must be integer; body/name is required; and 12 more`. */
export function sentence(problems: readonly ReportedProblem[], omitted: number): string {
  const parts = problems.map(({ place, message }) => `${place} ${message}`)
  const more = omitted === Number.POSITIVE_INFINITY ? 'many' : omitted
  return [...parts, ...(omitted > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** End of a message that lists more problems than the failure has. */
const omitted = /; and (?:\d+|many) more$/

/**
 * Returns the failure with other texts in its problems, and in its message where that lists them: for `errorBody`.
 * @param messageFor returns undefined for a problem whose message stays
 */
export function reworded(failure: Failure, messageFor: (problem: Problem) => string | undefined): Failure {
  const { problems, message } = failure
  const changed = problems.map((problem) => ({ ...problem, message: messageFor(problem) ?? problem.message }))
  const rest = omitted.exec(message)?.[0] ?? ''
  // A handler may have given a message that says something else.
  const isList = problems.length > 0 && message === sentence(problems, 0) + rest
  return { ...failure, problems: changed, ...(isList && { message: sentence(changed, 0) + rest }) }
}

interface Placed {
  readonly instancePath: string
  readonly params: Record<string, unknown>
}

const maxNameLength = 64
const maxPlaceLength = 256

/** Parameters of errors that name a property of the value at the instance path. */
const namingParameters = [
  'missingProperty',
  'additionalProperty',
  'unevaluatedProperty',
  'propertyName'
] as const

const namesIn = (params: Placed['params']): readonly string[] =>
  namingParameters.map((parameter) => params[parameter]).filter((name) => typeof name === 'string')

/** Bounds of a pointer; the paths of validators are exact up to these (runtime/validators.ts truncates beyond). */
const maxPointerName = 128
const maxPointerLength = 1024

/** Returns the pointer to the place of an error; it ends before what is too long, because it must be exact. */
function pointerOf({ instancePath, params }: Placed): string {
  let pointer = ''
  for (const segment of [...instancePath.split('/').slice(1), ...namesIn(params).map(escapePointer)]) {
    if (segment.length > maxPointerName || pointer.length + segment.length >= maxPointerLength) break
    pointer += `/${segment}`
  }
  return pointer
}

/** Returns the problem of a named value that no validator has seen: a field or a parameter. */
export function problemOf(name: string, location: string, message: string): Problem {
  const placed = { instancePath: '', params: { propertyName: name } }
  const place = placeOf(placed, location)
  const pointer = pointerOf(placed)
  return {
    place,
    pointer: location === 'body' ? pointer : `/${location}${pointer}`,
    keyword: undefined,
    message
  }
}

/**
 * Returns the place of an error: `body/items/0/id`. Truncates and escapes names: they may come from the client.
 * @param location `body`, `body/7` for an item, or empty where the instance path itself begins with the location
 */
export function placeOf({ instancePath, params }: Placed, location: string): string {
  const segments = [
    ...clipped(instancePath, 4 * maxPlaceLength)
      .split('/')
      .slice(1)
      .map(unescapePointer),
    ...namesIn(params)
  ].map(printable)
  const place = [location, ...segments].filter((segment, index) => index > 0 || segment !== '').join('/')
  if (place === '') return 'request'
  return clipped(place, maxPlaceLength).toWellFormed()
}

/** Removes the middle of a text that is too long. */
function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)}…${text.slice(-length / 2)}`
}

/** Escapes control and format characters, so that a name cannot hide or break a log line. */
function printable(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
