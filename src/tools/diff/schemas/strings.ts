/** Compares texts: lengths, patterns, formats, and what they hold. */
import { type Json, make, type Schema } from '@contract-first/contract'
import { type Limits, limitsOf, valuesOf } from '../../samples/members.ts'
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
import { formatsOf, isRefuted, maxLength, samplesOf } from './values.ts'

/** Returns why texts of the one case are not texts of the other. */
export function stringItems(pair: CasePair): Item[] {
  const { sent, received } = pair
  const patterns = new Set(valuesOf(sent.schemas, 'pattern').map(({ source }) => source))
  const unmet = valuesOf(received.schemas, 'pattern').filter(({ source }) => !patterns.has(source))
  const own = formatsOf(sent.schemas)
  const formats = formatsOf(received.schemas).filter((format) => !own.some((each) => isPartOf(each, format)))
  const demands = {
    pattern: unmet.map((pattern) => ({ pattern })),
    format: formats.map((format) => ({ format }))
  }
  return [
    ...lengthFindings(pair),
    ...textFindings(pair, 'pattern', demands.pattern),
    ...textFindings(pair, 'format', demands.format),
    ...contentItems(pair)
  ]
}

/** Compares lengths. A pattern may bound them, too, so that beside one only a text shows that some are refused. */
function lengthFindings(pair: CasePair): Finding[] {
  const { sent, direction } = pair
  const { least, most } = limitsOf(pair.received.schemas, 'Length')
  const found = limitFindings(pair, ['minLength', 'maxLength'], textLengths(sent.schemas), { least, most })
  const [first] = sent.schemas
  if (found.length === 0 || first === undefined || sent.schemas.every(({ pattern }) => pattern === undefined))
    return found
  const texts = samplesOf(sent, direction.writer).map(String)
  const longer: Json[] = texts.map((text) => text.padEnd(Math.min(most, maxLength) + 1, text))
  return found.map((finding) => {
    const limit = finding.kind === 'minLength' ? { minLength: least } : { maxLength: most }
    return certainIf(
      isRefuted(pair, make(limit, first), () => longer),
      finding
    )
  })
}

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

/** @param unmet demands of the receiver that the sender's schemas do not name */
function textFindings(
  pair: CasePair,
  keyword: 'pattern' | 'format',
  unmet: readonly Pick<Schema, typeof keyword>[]
): Finding[] {
  const [first] = pair.received.schemas
  if (unmet.length === 0 || first === undefined) return []
  const isShown = unmet.some((demand) => isRefuted(pair, make(demand, first)))
  const read = ({ [keyword]: value }: Schema) => (typeof value === 'object' ? value.source : value)
  return [certainIf(isShown, differs(pair, keyword, shownIn(pair, read)))]
}

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

const encodings = {
  contentEncoding: ({ content, format }: Schema) =>
    content?.encoding ?? (format === 'byte' ? 'base64' : undefined),
  contentMediaType: ({ content, format }: Schema) =>
    content?.mediaType ?? (format === 'binary' ? 'application/octet-stream' : undefined)
} as const

/**
 * Compares what texts hold: another encoding changes the reading of a text, so that both directions differ. The content
 * has the place of the text.
 */
function contentItems(pair: CasePair): Item[] {
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
