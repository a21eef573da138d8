/** Compares numbers: bounds, steps, and formats that bound them; and texts: lengths, patterns, formats, and what they hold. */
import type { Schema } from '@contract-first/contract'
import { isMultipleOf } from '@contract-first/engine/runtime/validators'
import { formatCheck, integerRanges } from '../../samples/fit.ts'
import { type Limits, limitsOf } from '../../samples/members.ts'
import { type Case, isInteger, type Numeric, shown } from './cases.ts'
import {
  type CasePair,
  certainIf,
  differs,
  type Finding,
  type Item,
  limitFindings,
  type SchemasPair
} from './comparison.ts'

interface Bound {
  readonly limit: Numeric
  readonly isExclusive: boolean
}

/** Bounds of numbers. The upper one is negated, so that the greater bound is always the narrower one. */
interface Interval {
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

type NumberSchemas = Pick<Case, 'schemas' | 'isInteger'>

/** Returns why numbers of the one case are not numbers of the other. */
export function numberFindings(pair: CasePair): Finding[] {
  const { sent, received } = pair
  const [own, other, formatted] = [writtenIn(sent), writtenIn(received), formattedIn(received)]
  const allowed = reachedIn(sent)
  const [isLow, isHigh] = [!isWithin(allowed.low, other.low), !isWithin(allowed.high, other.high)]
  const isBelow = !isLow && !isWithin(allowed.low, formatted.low)
  const isBeyond = !isHigh && !isWithin(allowed.high, formatted.high)
  const steps = reachedSteps(sent)
  const isMultiple = (step: Numeric) => steps.some((each) => isMultipleOf(each, step))
  const text = (each: Case) => stepsIn(each).join(' and ') || 'none'
  return [
    ...(!received.isInteger || isMultiple(1)
      ? []
      : [differs(pair, 'type', { sent: 'number', received: 'integer' })]),
    ...(isLow ? [boundFinding(pair, 'minimum', own.low, other.low)] : []),
    ...(isHigh ? [boundFinding(pair, 'maximum', flipped(own.high), flipped(other.high))] : []),
    ...formatFindings(pair, isBelow || isBeyond),
    ...(stepsIn(received).every(isMultiple)
      ? []
      : [differs(pair, 'multipleOf', { sent: text(sent), received: text(received) })])
  ]
}

function boundFinding(
  pair: CasePair,
  kind: 'minimum' | 'maximum',
  sent: Bound | undefined,
  received: Bound | undefined
): Finding {
  const schemas = [...pair.sent.schemas, ...pair.received.schemas]
  const exclusive = kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
  const keyword = schemas.some((schema) => schema[kind] !== undefined) ? kind : exclusive
  return differs(pair, kind, { keyword, label: kind, sent: shownBound(sent), received: shownBound(received) })
}

const shownBound = (bound: Bound | undefined): string =>
  bound === undefined ? 'none' : `${bound.limit}${bound.isExclusive ? ' (exclusive)' : ''}`

/**
 * Compares formats that bound numbers, or that are unknown.
 * @param isBeyond true when some numbers are outside the bounds of the receiver's format
 */
function formatFindings(pair: CasePair, isBeyond: boolean): Finding[] {
  const [own, other] = [numberFormatsOf(pair.sent), numberFormatsOf(pair.received)]
  const isUnknown = other.some((format) => !integerRanges.has(format) && !own.includes(format))
  const { low, high } = reachedIn(pair.sent)
  // Integers beyond 2^53 are doubles without the format int64: validators refuse them.
  const isInexact =
    own.includes('int64') && !other.includes('int64') && !(isWithin(low, safe) && isWithin(high, safe))
  const text = (formats: readonly string[]) => formats.join(' and ') || 'none'
  const finding = differs(pair, 'format', { sent: text(own), received: text(other) })
  return isBeyond || isUnknown || isInexact ? [certainIf(isBeyond, finding)] : []
}

const safe: Bound = { limit: Number.MIN_SAFE_INTEGER, isExclusive: false }

/** Every number is a double. */
const numberFormatsOf = ({ schemas }: SchemasPair['sent']): string[] =>
  schemas.flatMap(({ format }) => (format === undefined || format === 'double' ? [] : [format]))

function writtenIn({ schemas }: NumberSchemas): Interval {
  const bounds = (keyword: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'): Bound[] =>
    schemas.flatMap((schema) => {
      const limit = schema[keyword]
      return limit === undefined ? [] : [{ limit, isExclusive: keyword.startsWith('exclusive') }]
    })
  return {
    low: highest([...bounds('minimum'), ...bounds('exclusiveMinimum')]),
    high: highest([...bounds('maximum'), ...bounds('exclusiveMaximum')].map((bound) => flipped(bound)))
  }
}

function formattedIn(each: NumberSchemas): Interval {
  const { low, high } = writtenIn(each)
  const found = numberFormatsOf(each).flatMap((format) => [integerRanges.get(format) ?? []].flat())
  const limits = found.map((limit): Bound => ({ limit, isExclusive: false }))
  return {
    low: highest([low, ...limits.filter(({ limit }) => limit < 0)]),
    high: highest([high, ...limits.filter(({ limit }) => limit > 0).map((bound) => flipped(bound))])
  }
}

function flipped(bound: Bound): Bound
function flipped(bound: Bound | undefined): Bound | undefined
function flipped(bound: Bound | undefined): Bound | undefined {
  return bound && { limit: -bound.limit, isExclusive: bound.isExclusive }
}

/** Returns the bounds that numbers of the case reach: of multiples of a whole step, the outermost ones. */
function reachedIn(each: NumberSchemas): Interval {
  const { low, high } = formattedIn(each)
  const step = wholeStepOf(each)
  return step === undefined ? { low, high } : { low: reached(low, step), high: reached(high, step) }
}

/** Returns the least multiple within a lower bound, as a bound. */
function reached(bound: Bound | undefined, step: bigint): Bound | undefined {
  if (bound === undefined) return undefined
  const { limit, isExclusive } = bound
  const least = BigInt(typeof limit === 'bigint' ? limit : Math.ceil(limit))
  const from = isExclusive && least <= limit ? least + 1n : least
  // The division of bigints rounds towards zero.
  return { limit: step * ((from > 0n ? from + step - 1n : from) / step), isExclusive: false }
}

/** Returns the least common multiple of the steps that are whole. */
function wholeStepOf(each: NumberSchemas): bigint | undefined {
  const steps = [...stepsIn(each).filter(isInteger), ...(each.isInteger ? [1] : [])].map(BigInt)
  return steps.length === 0 ? undefined : steps.reduce((a, b) => (a / divisorOf(a, b)) * b)
}

/** Returns the greatest common divisor. */
const divisorOf = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisorOf(b, a % b))

/** Returns the steps of which every number is a multiple; a single number is its own step. */
function reachedSteps(each: NumberSchemas): Numeric[] {
  const few = fewNumbers(each) ?? []
  return [...stepsIn(each), wholeStepOf(each) ?? [], few.length === 1 ? few : []].flat()
}

/** Most numbers of a case that are listed. */
const maxListed = 24

/** Returns numbers between the bounds, among them all of the case; undefined for many. */
export function fewNumbers(each: NumberSchemas): Numeric[] | undefined {
  const { low, high } = reachedIn(each)
  if (low === undefined || high === undefined) return undefined
  const [first, last, step] = [low.limit, -high.limit, wholeStepOf(each)]
  if (first > last) return []
  if (step === undefined) return first < last ? undefined : [first]
  const count = Number((BigInt(last) - BigInt(first)) / step) + 1
  if (count > maxListed) return undefined
  return Array.from({ length: count }, (_none, index) => exact(BigInt(first) + step * BigInt(index)))
}

const exact = (value: bigint): Numeric => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

const highest = (bounds: readonly (Bound | undefined)[]): Bound | undefined =>
  bounds.reduce((a, b) => (isWithin(a, b) ? a : b), undefined)

/** Returns true when everything above the one lower bound is above the other. */
function isWithin(a: Bound | undefined, b: Bound | undefined): boolean {
  if (b === undefined) return true
  if (a === undefined) return false
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are the same bound
  return a.limit > b.limit || (a.limit == b.limit && (a.isExclusive || !b.isExclusive))
}

const stepsIn = ({ schemas }: SchemasPair['sent']): Numeric[] =>
  schemas.flatMap(({ multipleOf }) => multipleOf ?? [])

/** Returns why texts of the one case are not texts of the other. */
export function stringItems(pair: CasePair): Item[] {
  const { sent, received } = pair
  const patterns = sent.schemas.flatMap(({ pattern }) => pattern?.source ?? [])
  const unmet = received.schemas.flatMap(({ pattern }) =>
    pattern === undefined || patterns.includes(pattern.source) ? [] : [pattern.regexp]
  )
  const checksOf = unmetFormats(pair).map((format) => formatCheck(format))
  return [
    ...lengthFindings(pair),
    ...textFindings(
      pair,
      'pattern',
      unmet.map((regexp) => (text) => regexp.test(text))
    ),
    ...textFindings(pair, 'format', checksOf),
    ...contentItems(pair)
  ]
}

/** Compares lengths. A pattern may bound them, too, so that beside one only a text shows that some are refused. */
function lengthFindings(pair: CasePair): Finding[] {
  const { schemas } = pair.sent
  const { least, most } = limitsOf(pair.received.schemas, 'Length')
  const found = limitFindings(pair, ['minLength', 'maxLength'], textLengths(schemas), { least, most })
  if (found.length === 0 || schemas.every(({ pattern }) => pattern === undefined)) return found
  const lengths = [...samplesOf(schemas), ...samplesOf(schemas, most + 1)].map(lengthOf)
  return found.map((finding) => {
    const isRefused = (length: number) => (finding.kind === 'minLength' ? length < least : length > most)
    return certainIf(lengths.some(isRefused), finding)
  })
}

const lengthOf = (text: string): number => [...text].length

/** Lengths of the shortest and longest texts of formats that bound them. */
const shortest = new Map(
  Object.entries({
    ...{ date: 10, time: 9, 'date-time': 20, 'iso-time': 8, 'iso-date-time': 19, duration: 3, uuid: 36 },
    ...{ uri: 2, url: 2, iri: 2, email: 3, hostname: 1, ipv4: 7, ipv6: 2 }
  })
)
const longest = new Map(Object.entries({ date: 10, hostname: 253, ipv4: 15, ipv6: 45, uuid: 36 }))

/** Returns the lengths that texts have by their limits and by their formats. */
function textLengths(schemas: readonly Schema[]): Limits {
  const { least, most } = limitsOf(schemas, 'Length')
  const formats = formatsOf(schemas)
  return {
    least: Math.max(least, ...formats.map((format) => shortest.get(format) ?? 0)),
    most: Math.min(most, ...formats.map((format) => longest.get(format) ?? Infinity))
  }
}

type Check = (text: string) => boolean

/** @param unmet checks that the sender's schemas do not name; undefined for one that nothing is known of */
function textFindings(
  pair: CasePair,
  keyword: 'pattern' | 'format',
  unmet: readonly (Check | undefined)[]
): Finding[] {
  if (unmet.length === 0) return []
  const texts = samplesOf(pair.sent.schemas)
  const isRefuted = unmet.some((check) => check !== undefined && texts.some((text) => !check(text)))
  const finding = differs(
    pair,
    keyword,
    shownIn(pair, ({ [keyword]: value }) => (typeof value === 'object' ? value.source : value))
  )
  return [certainIf(isRefuted, finding)]
}

/** A text of each format. */
const examples: Readonly<Record<string, string>> = {
  date: '2020-02-29',
  time: '10:20:30Z',
  'date-time': '2020-02-29T10:20:30Z',
  'iso-time': '10:20:30',
  'iso-date-time': '2020-02-29T10:20:30',
  duration: 'P1D',
  uri: 'https://a.example/b?c#d',
  'uri-reference': '/a/b',
  'uri-template': '/a/{b}',
  url: 'https://a.example/b',
  email: 'a@b.example',
  hostname: 'a.example',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  regex: '^a$',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  'json-pointer': '/a'
}

const common = ['a', 'A', '0', ' ', '-', '_', '.', 'é', 'ab', 'a b', 'true', '']

/**
 * Returns a few texts that satisfy the schemas and show the commonest limits.
 * @param length least length of the texts
 */
export function samplesOf(schemas: readonly Schema[], length = 0): readonly string[] {
  const limits = limitsOf(schemas, 'Length')
  const [least, most] = [Math.max(limits.least, length), limits.most]
  const formats = formatsOf(schemas)
  const candidates = [...formats.flatMap((format) => examples[format] ?? []), ...common]
  const long = candidates.map((text) => (text === '' || least > 1_000 ? text : text.padEnd(least, text)))
  const isSample = (text: string) =>
    lengthOf(text) >= least &&
    lengthOf(text) <= most &&
    schemas.every(({ pattern }) => pattern === undefined || pattern.regexp.test(text)) &&
    formats.every((format) => formatCheck(format)?.(text) === true)
  return long.filter(isSample)
}

/** Formats of texts; bytes are encodings since 3.1 (OpenAPI 3.1.0, section 4.8.14.2), and any text is a password. */
const formatsOf = (schemas: readonly Schema[]): string[] =>
  schemas.flatMap(({ format }) =>
    format === undefined || ['byte', 'binary', 'password'].includes(format) ? [] : [format]
  )

/** Formats that include each format (RFC 3986, 3987, 5321, 6531, 1123, 5890; ISO 8601). */
const wider: Readonly<Record<string, readonly string[]>> = {
  uri: ['uri-reference', 'iri', 'iri-reference', 'uri-template'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  url: ['uri', 'uri-reference', 'iri', 'iri-reference'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  'date-time': ['iso-date-time'],
  time: ['iso-time']
}

const isPartOf = (format: string, other: string): boolean =>
  format === other || (Object.hasOwn(wider, format) && wider[format]?.includes(other) === true)

function unmetFormats({ sent, received }: SchemasPair): string[] {
  const own = formatsOf(sent.schemas)
  return formatsOf(received.schemas).filter((format) => !own.some((other) => isPartOf(other, format)))
}

/** Reports a format of the receiver of which nothing shows if listed values have it. */
export function openFormat(pair: SchemasPair): Finding {
  const formats = shownIn(pair, ({ format }) => format)
  return certainIf(false, differs(pair, 'format', formats))
}

/** Writes the values of a keyword for a message: `none`, `^a and b$`. */
function shownIn({ sent, received }: SchemasPair, read: (schema: Schema) => string | undefined) {
  const written = ({ schemas }: SchemasPair['sent']) =>
    [...new Set(schemas.flatMap((schema) => read(schema) ?? []).map(shown))].sort().join(' and ') || 'none'
  return { sent: written(sent), received: written(received) }
}

const encodingOf = ({ content, format }: Schema): string | undefined =>
  content?.encoding ?? (format === 'byte' ? 'base64' : undefined)
const mediaTypeOf = ({ content, format }: Schema): string | undefined =>
  content?.mediaType ?? (format === 'binary' ? 'application/octet-stream' : undefined)

/**
 * Compares what texts hold: another encoding changes the reading of a text, so that both directions differ. The content
 * has the place of the text.
 */
function contentItems(pair: CasePair): Item[] {
  const encodings = { contentEncoding: encodingOf, contentMediaType: mediaTypeOf } as const
  const found = (['contentEncoding', 'contentMediaType'] as const).flatMap((keyword) => {
    const difference = shownIn(pair, encodings[keyword])
    const isSame = difference.sent.toLowerCase() === difference.received.toLowerCase()
    return isSame ? [] : [differs(pair, keyword, difference)]
  })
  const content = ({ schemas }: SchemasPair['sent']) =>
    schemas.flatMap((schema) => schema.content?.schema ?? [])
  const { direction, sent, received, origin } = pair
  const inner = direction.compare(content(sent), content(received), origin)
  return [...found, { segment: '', pair: inner, isContent: true }]
}
