/** Compares lists: their lengths, their items by index, and the uniqueness of items. */
import { arrayOf, own } from '../../compile/documents.ts'
import type { Case } from '../cases/cases.ts'
import { itemsAt, lengthsOf } from '../cases/members.ts'
import { type Comparison, differs, limitFindings, type Pair, valuesOf } from './comparison.ts'
import { type Finding, within } from './finding.ts'

/** Returns why lists of the one case are not lists of the other. */
export function arrayFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
  const [lengths, expected] = [lengthsOf(sent), lengthsOf(received)]
  return [
    ...limitFindings(comparison, pair, {
      sent: lengths,
      received: expected,
      minimum: ['min-items', 'minItems'],
      maximum: ['max-items', 'maxItems']
    }),
    ...uniqueFindings(comparison, sent, received, { pair, most: lengths.most }),
    ...itemFindings(comparison, sent, received, { pair, most: Math.min(lengths.most, expected.most) })
  ]
}

interface Bounded {
  readonly pair: Pair
  readonly most: number
}

function uniqueFindings(
  comparison: Comparison,
  sent: Case,
  received: Case,
  { pair, most }: Bounded
): Finding[] {
  const isUnique = ({ nodes }: Case) => valuesOf(nodes, 'uniqueItems').includes(true)
  if (most <= 1 || isUnique(sent) || !isUnique(received)) return []
  return [
    differs(comparison, pair, {
      kind: 'unique-items',
      keyword: 'uniqueItems',
      sent: 'false',
      received: 'true'
    })
  ]
}

/** Compares items one by one up to the length of a tuple, then all others. */
function itemFindings(
  comparison: Comparison,
  sent: Case,
  received: Case,
  { pair, most }: Bounded
): Finding[] {
  const length = Math.max(tupleLength(sent), tupleLength(received))
  const indexes = Array.from({ length: Math.min(length, most) }, (_none, index) => index)
  const { spot } = pair
  const found = (index: number) =>
    comparison.compare(itemsAt(sent, index), itemsAt(received, index), { spot })
  return [
    ...indexes.flatMap((index) => within(`/${index}`, found(index))),
    ...(most > length ? within('/*', found(length)) : [])
  ]
}

const tupleLength = ({ nodes }: Case): number =>
  Math.max(0, ...nodes.map((node) => arrayOf(own(node, 'prefixItems')).length))
