/** Compares texts: lengths, and what they hold. */
import { type Json, make, type Schema } from '@contract-first/contract'
import { type Limits, limitsOf } from '../../samples/members.ts'
import {
  type CasePair,
  certainIf,
  differs,
  type Finding,
  type Item,
  limitFindings,
  type SchemasPair,
  shownIn
} from './comparison.ts'
import { formatsOf, isRefuted, maxLength, samplesOf } from './values.ts'

/** Returns why texts of the one case are not texts of the other. */
export const stringItems = (pair: CasePair): Item[] => [...lengthFindings(pair), ...contentItems(pair)]

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
