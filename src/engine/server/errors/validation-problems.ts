/** Turns the errors of a validator into problems for the author of the client: place, pointer and message. */
import { escapePointer, unescapePointer } from '../../json/pointer.ts'
import type { ValidationError } from '../../model/compiled-contract.ts'
import type { Failure, Problem, ReportedProblem } from './failure.ts'

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

/** Messages by the keyword that reports the error. They quote the contract, never the request. */

interface Finding {
  readonly keyword: string
  readonly params: Record<string, unknown>
}

type Params = Record<string, unknown>

const maxValueLength = 64
const maxPatternLength = 128
const maxValues = 12

const int32 = `must be an integer from ${-(2 ** 31)} to ${2 ** 31 - 1}`
const notAllowed = () => 'is not allowed'
const comparison = ({ comparison, limit }: Params) => `must be ${comparison} ${limit}`
const requiredWith = ({ property }: Params) => `is required when ${property} is present`
const atLeast = (unit: string, units: string) => {
  return ({ limit }: Params) => `must have at least ${counted(limit, unit, units)}`
}
const atMost = (unit: string, units: string) => {
  return ({ limit }: Params) => `must have at most ${counted(limit, unit, units)}`
}

const messages = new Map<string, (params: Params) => string>([
  ['required', () => 'is required'],
  ['dependentRequired', requiredWith],
  ['dependencies', requiredWith],
  ['additionalProperties', notAllowed],
  ['unevaluatedProperties', notAllowed],
  ['false schema', notAllowed],
  ['propertyNames', () => 'is not an allowed name'],
  ['readOnly', () => 'is read-only and must not be sent'],
  ['writeOnly', () => 'is write-only and must not be sent'],
  ['enum', oneOfValues],
  ['const', oneOfValues],
  ['minimum', comparison],
  ['maximum', comparison],
  ['exclusiveMinimum', comparison],
  ['exclusiveMaximum', comparison],
  ['multipleOf', ({ multipleOf }) => `must be a multiple of ${multipleOf}`],
  ['int64', () => `must be an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`],
  ['minLength', atLeast('character', 'characters')],
  ['maxLength', atMost('character', 'characters')],
  ['minBytes', atLeast('byte', 'bytes')],
  ['maxBytes', atMost('byte', 'bytes')],
  ['minItems', atLeast('item', 'items')],
  ['maxItems', atMost('item', 'items')],
  ['items', atMost('item', 'items')],
  ['unevaluatedItems', atMost('item', 'items')],
  ['minProperties', atLeast('property', 'properties')],
  ['maxProperties', atMost('property', 'properties')],
  ['uniqueItems', ({ i, j }) => `must not have equal items (items ${i} and ${j})`],
  ['contains', matchingItems],
  ['pattern', ({ pattern }) => `must match pattern ${bounded(String(pattern), maxPatternLength)}`],
  ['format', ({ format }) => `must be a valid ${format}`],
  ['int32', () => int32],
  ['oneOf', exactlyOne],
  ['anyOf', () => 'must match at least one of the allowed schemas'],
  ['not', () => 'must not match the forbidden schema']
])

/** Returns the predicate to the place of an error: `must be integer`. */
export function messageOf({ keyword, params }: Finding): string {
  const { type } = params
  if (type !== undefined) return `must be ${alternatives([type].flat().map(String))}`
  return messages.get(keyword)?.(params) ?? `is not valid (${keyword})`
}

/** Keywords of a contract by those of the compiler; `false` is the schema `{ not: {} }` (JSON Schema Core, section 4.3.2). */
const declared = new Map([
  ['int32', 'format'],
  ['int64', 'format'],
  ['minBytes', 'minLength'],
  ['maxBytes', 'maxLength'],
  ['false schema', 'not']
])

/** Returns the keyword of the contract that an error reports. */
function keywordOf({ keyword, params: { type } }: Finding): string {
  return type === undefined ? (declared.get(keyword) ?? keyword) : 'type'
}

/** Lists the allowed values. `allowed` holds JSON texts (runtime/validators.ts). */
function oneOfValues({ allowed }: Params): string {
  const values = (allowed as readonly string[]).map((text) => bounded(text, maxValueLength))
  const rest = values.length - maxValues
  const listed = rest > 0 ? [...values.slice(0, maxValues), `${rest} more`].join(', ') : values.join(', ')
  if (values.length === 0) return 'must be one of its enum, which is empty'
  return values.length === 1 ? `must be ${listed}` : `must be one of ${listed}`
}

function exactlyOne({ passingSchemas }: Params): string {
  if (passingSchemas) return 'matches more than one of the allowed schemas'
  return 'must match exactly one of the allowed schemas'
}

function matchingItems({ minContains, maxContains }: Params): string {
  const bounds = [
    ...(minContains === 0 ? [] : [`at least ${minContains}`]),
    ...(maxContains === undefined ? [] : [`at most ${maxContains}`])
  ]
  const isSingular = (maxContains ?? minContains) === 1
  return `must contain ${bounds.join(' and ')} matching ${isSingular ? 'item' : 'items'}`
}

/** Returns `a, b or c`. */
function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function counted(limit: unknown, unit: string, units: string): string {
  return `${limit} ${limit === 1 ? unit : units}`
}

function bounded(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…`.toWellFormed() : text
}
