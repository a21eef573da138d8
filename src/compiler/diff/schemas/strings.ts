/** Compares texts: lengths, patterns, formats, and encodings. */
import { type JsonObject, stringOf } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { type Limits, limitsOf, valuesOf } from '../../evaluate/members.ts'
import type { Case } from '../cases/cases.ts'
import { type Inclusion, includesPatterns } from '../cases/pattern-inclusion.ts'
import { isPartOf, textsOf } from '../cases/samples.ts'
import { type CasePair, differs, type Finding, limitFindings, type Pair, shownValues } from './comparison.ts'

/** Returns why texts of the one case are not texts of the other. */
export function stringFindings(pair: CasePair): Finding[] {
  const lengths = ({ nodes }: Case) => limitsOf(nodes, 'minLength', 'maxLength')
  const limits = { sent: lengths(pair.sent), received: lengths(pair.received) }
  return [
    ...limitFindings(pair, ['minLength', 'maxLength'], limits),
    ...textFindings(pair, 'pattern', patternInclusion(pair, limits.sent)),
    ...textFindings(pair, 'format', formatInclusion(pair)),
    ...contentFindings(pair)
  ]
}

function textFindings(pair: Pair, keyword: 'pattern' | 'format', inclusion: Inclusion): Finding[] {
  if (inclusion === 'yes') return []
  const finding = differs(pair, keyword, shownIn(pair, keyword))
  return [inclusion === 'no' ? finding : { ...finding, isUncertain: true }]
}

const shownIn = ({ sent, received }: Pair, keyword: string) => ({
  sent: shownValues(sent.nodes, keyword),
  received: shownValues(received.nodes, keyword)
})

const writtenIn = (nodes: readonly JsonObject[], keyword: string): string[] =>
  valuesOf(nodes, keyword).flatMap((value) => stringOf(value) ?? [])

function patternInclusion(pair: CasePair, { least, most }: Limits): Inclusion {
  const { nodes } = pair.sent
  const patterns = writtenIn(nodes, 'pattern')
  const unmet = writtenIn(pair.received.nodes, 'pattern').filter((pattern) => !patterns.includes(pattern))
  if (unmet.length === 0) return 'yes'
  const hasFormat = writtenIn(nodes, 'format').length > 0
  const found = includesPatterns({ patterns, least, most }, unmet)
  if (found === 'yes' || (found === 'no' && !hasFormat)) return found
  const schemas = unmet.map((pattern) => ({ pattern }))
  return refuted(pair, schemas)
}

function unmetFormats({ sent, received }: Pair): string[] {
  const own = writtenIn(sent.nodes, 'format')
  return writtenIn(received.nodes, 'format').filter((format) => !own.some((other) => isPartOf(other, format)))
}

/** Reports formats of the receiver, of which nothing shows if listed values have them. */
export const openFormats = (pair: Pair): Finding[] =>
  textFindings(pair, 'format', unmetFormats(pair).length === 0 ? 'yes' : 'unknown')

function formatInclusion(pair: CasePair): Inclusion {
  const unmet = unmetFormats(pair)
  if (unmet.length === 0) return 'yes'
  const schemas = unmet.map((format) => ({ format }))
  return refuted(pair, schemas)
}

/** Searches for a text of the case that one of the schemas refuses. */
function refuted({ comparison, sent }: CasePair, schemas: readonly JsonObject[]): Inclusion {
  const isRefused = (text: string) => satisfies(text, schemas, comparison.received) === false
  return textsOf(sent.nodes, comparison.sent).some(isRefused) ? 'no' : 'unknown'
}

/**
 * Compares what texts hold: another encoding changes the reading of a text, so that both directions differ. The content
 * has the place of the text.
 */
function contentFindings(pair: CasePair): Finding[] {
  const found = (['contentEncoding', 'contentMediaType'] as const).flatMap((keyword) => {
    const shown = shownIn(pair, keyword)
    const isSame = shown.sent.toLowerCase() === shown.received.toLowerCase()
    return isSame ? [] : [differs(pair, keyword, shown)]
  })
  const { comparison, sent, received, spot } = pair
  const content = (nodes: readonly JsonObject[]) => valuesOf(nodes, 'contentSchema')
  const inner = comparison.compare(content(sent.nodes), content(received.nodes), { spot })
  return [...found, ...inner.map(asContent)]
}

/** Tells a difference of the whole content from one of the text. */
const asContent = (finding: Finding): Finding =>
  finding.path !== '' || finding.isMinor === true
    ? finding
    : { ...finding, kind: 'contentSchema', text: `contentSchema: ${finding.text}` }
