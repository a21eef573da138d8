/** Compares texts: lengths, patterns, formats, and encodings. */
import { type JsonObject, stringOf } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import type { Case } from '../cases/cases.ts'
import { type Answer, includesPatterns } from '../cases/pattern-inclusion.ts'
import { isPartOf, textsOf } from '../cases/samples.ts'
import { type Comparison, differs, limitFindings, type Pair, shownValues, valuesOf } from './comparison.ts'
import type { Finding } from './finding.ts'
import type { Kind } from './kinds.ts'

/** Returns why texts of the one case are not texts of the other. */
export function stringFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
  return [
    ...limitFindings(comparison, pair, {
      sent: lengthsOf(sent),
      received: lengthsOf(received),
      minimum: ['min-length', 'minLength'],
      maximum: ['max-length', 'maxLength']
    }),
    ...textFindings(comparison, pair, ['pattern', 'pattern', patternAnswer(comparison, sent, received)]),
    ...textFindings(comparison, pair, ['format', 'format', formatAnswer(comparison, sent, received)]),
    ...contentFindings(comparison, pair)
  ]
}

const lengthsOf = ({ nodes }: Case) => ({
  least: Math.max(0, ...valuesOf(nodes, 'minLength').map(Number)),
  most: Math.min(Number.POSITIVE_INFINITY, ...valuesOf(nodes, 'maxLength').map(Number))
})

function textFindings(
  comparison: Comparison,
  pair: Pair,
  [kind, keyword, answer]: readonly [Kind, string, Answer]
): Finding[] {
  if (answer === 'yes') return []
  const [sent, received] = [shownValues(pair.sent, keyword), shownValues(pair.received, keyword)]
  const finding = differs(comparison, pair, { kind, keyword, sent, received })
  return [answer === 'no' ? finding : { ...finding, isUncertain: true }]
}

const writtenIn = (nodes: readonly JsonObject[], keyword: string): string[] =>
  valuesOf(nodes, keyword).flatMap((value) => stringOf(value) ?? [])

function patternAnswer(comparison: Comparison, sent: Case, received: Case): Answer {
  const own = writtenIn(sent.nodes, 'pattern')
  const unmet = writtenIn(received.nodes, 'pattern').filter((pattern) => !own.includes(pattern))
  if (unmet.length === 0) return 'yes'
  const { least, most } = lengthsOf(sent)
  const hasFormat = writtenIn(sent.nodes, 'format').length > 0
  const answer = includesPatterns({ patterns: own, least, most }, unmet)
  if (answer === 'yes' || (answer === 'no' && !hasFormat)) return answer
  return refuted(
    comparison,
    sent,
    unmet.map((pattern) => ({ pattern }))
  )
}

function formatAnswer(comparison: Comparison, sent: Case, received: Case): Answer {
  const own = writtenIn(sent.nodes, 'format')
  const unmet = writtenIn(received.nodes, 'format').filter(
    (format) => !own.some((other) => isPartOf(other, format))
  )
  if (unmet.length === 0) return 'yes'
  return refuted(
    comparison,
    sent,
    unmet.map((format) => ({ format }))
  )
}

/** Searches for a text of the case that one of the schemas refuses. */
function refuted({ sent, received }: Comparison, { nodes }: Case, schemas: readonly JsonObject[]): Answer {
  const isRefused = (text: string) => satisfies(text, schemas, received) === false
  return textsOf(nodes, sent).some(isRefused) ? 'no' : 'unknown'
}

/** Compares encodings: another encoding changes the reading of a text, so that both directions differ. */
function contentFindings(comparison: Comparison, pair: Pair): Finding[] {
  return (['contentEncoding', 'contentMediaType'] as const).flatMap((keyword) => {
    const [sent, received] = [shownValues(pair.sent, keyword), shownValues(pair.received, keyword)]
    if (sent.toLowerCase() === received.toLowerCase()) return []
    const kind = keyword === 'contentEncoding' ? 'content-encoding' : 'content-media-type'
    return [differs(comparison, pair, { kind, keyword, sent, received })]
  })
}
