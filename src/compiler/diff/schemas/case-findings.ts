/** Compares two cases of one type, keyword by keyword. */

import { arrayOf, own } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import type { Case, Type } from '../cases/cases.ts'
import { itemsAt, lengthsOf } from '../cases/members.ts'
import { samplesOf } from '../cases/samples.ts'
import { type Comparison, differs, limitFindings, type Pair, valuesOf } from './comparison.ts'
import { conditionFindings } from './conditions.ts'
import { type Finding, isHarmless, shown, within } from './finding.ts'
import { numberFindings } from './numbers.ts'
import { objectFindings } from './objects.ts'
import { stringFindings } from './strings.ts'

type Read = (comparison: Comparison, sent: Case, received: Case, pair: Pair) => Finding[]

const readers: Readonly<Record<Type, Read>> = {
  null: () => [],
  boolean: () => [],
  number: numberFindings,
  string: stringFindings,
  array: arrayFindings,
  object: objectFindings
}

/** Returns why values of the one case are not values of the other. */
export function caseFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
  const isRefuted = () => refutes(comparison, sent, received)
  const found = [
    ...listFindings(comparison, received, pair),
    ...readers[sent.type](comparison, sent, received, pair),
    ...conditionFindings(comparison, sent, received, { pair, isRefuted }),
    ...looseFindings(received, pair)
  ]
  // A case that allows more than its schema proves nothing.
  const isUnproven = sent.isApproximate && !isHarmless(found)
  return isUnproven ? looseFindings(sent, pair) : found
}

/** Reports values that the receiver lists and the sender does not. */
function listFindings(comparison: Comparison, { values }: Case, pair: Pair): Finding[] {
  if (values === undefined) return []
  const received = shown([...values])
  return [differs(comparison, pair, { kind: 'enum', keyword: 'enum', sent: 'any', received })]
}

function looseFindings({ isApproximate }: Case, { spot }: Pair): Finding[] {
  const text = 'has more alternatives than are compared'
  return isApproximate ? [{ kind: 'alternative', path: '', text, spot, isUncertain: true }] : []
}

function refutes({ sent, received }: Comparison, own: Case, other: Case): boolean {
  return samplesOf([own], sent).some((value) => satisfies(value, other.nodes, received) === false)
}

/** Returns why lists of the one case are not lists of the other. */
function arrayFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
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
