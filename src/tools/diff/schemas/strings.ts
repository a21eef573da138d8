/** Compares texts: lengths, patterns, formats, and what they hold. */
import type { Schema } from '@contract-first/contract'
import { formatCheck } from '../../samples/fit.ts'
import { type Limits, limitsOf } from '../../samples/members.ts'
import { shown } from './cases.ts'
import {
  type CasePair,
  certainIf,
  differs,
  type Finding,
  type Item,
  limitFindings,
  type SchemasPair
} from './comparison.ts'

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
  const found = limitFindings(pair, ['minLength', 'maxLength'], reachedLengths(schemas), { least, most })
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
function reachedLengths(schemas: readonly Schema[]): Limits {
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
