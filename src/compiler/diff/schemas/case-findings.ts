/** Compares two cases of one type, keyword by keyword. */
import { itemSchemas, prefixLength, valuesOf } from '../../evaluate/members.ts'
import type { Case, Type } from '../cases/cases.ts'
import { lengthsOf } from '../cases/members.ts'
import {
  type CasePair,
  differs,
  type Finding,
  limitFindings,
  type Spot,
  shown,
  within
} from './comparison.ts'
import { conditionFindings } from './conditions.ts'
import { numberFindings } from './numbers.ts'
import { objectFindings } from './objects.ts'
import { isRefuted } from './refutation.ts'
import { stringFindings } from './strings.ts'

const readers: Readonly<Record<Type, (pair: CasePair) => Finding[]>> = {
  null: () => [],
  boolean: () => [],
  number: numberFindings,
  string: stringFindings,
  array: arrayFindings,
  object: objectFindings
}

/** Returns why values of the one case are not values of the other. */
export function caseFindings(pair: CasePair): Finding[] {
  const { sent, received, spot } = pair
  const found = [
    ...listFindings(pair),
    ...readers[sent.type](pair),
    ...conditionFindings(pair, () => isRefuted(pair)),
    ...looseFindings(received, spot)
  ]
  // A case that allows more than its schema proves nothing.
  return sent.isApproximate ? found.map(unproven) : found
}

/** Returns a difference that may be none, because another alternative may allow what this one refuses. */
export const unproven = (finding: Finding): Finding =>
  finding.isMinor === true ? finding : { ...finding, kind: 'alternative', isUncertain: true }

/** Reports values that the receiver lists and the sender does not. */
function listFindings(pair: CasePair): Finding[] {
  const { values } = pair.received
  return values === undefined ? [] : [differs(pair, 'enum', { sent: 'any', received: shown([...values]) })]
}

function looseFindings({ isApproximate }: Case, spot: Spot): Finding[] {
  const text = 'has more alternatives than are compared'
  return isApproximate ? [{ kind: 'alternative', path: '', text, spot, isUncertain: true }] : []
}

/** Returns why lists of the one case are not lists of the other. */
function arrayFindings(pair: CasePair): Finding[] {
  const lengths = { sent: lengthsOf(pair.sent), received: lengthsOf(pair.received) }
  const { most } = lengths.sent
  return [
    ...limitFindings(pair, ['minItems', 'maxItems'], lengths),
    ...(most <= 1 ? [] : uniqueFindings(pair)),
    ...itemFindings(pair, Math.min(most, lengths.received.most))
  ]
}

function uniqueFindings(pair: CasePair): Finding[] {
  const isUnique = ({ nodes }: Case) => valuesOf(nodes, 'uniqueItems').includes(true)
  if (isUnique(pair.sent) || !isUnique(pair.received)) return []
  return [differs(pair, 'uniqueItems', { sent: 'false', received: 'true' })]
}

/** Compares items one by one up to the length of a tuple, then all others. */
function itemFindings({ comparison, sent, received, spot }: CasePair, most: number): Finding[] {
  const length = prefixLength([...sent.nodes, ...received.nodes])
  const indexes = Array.from({ length: Math.min(length, most) }, (_none, index) => index)
  const found = (index: number) =>
    comparison.compare(itemSchemas(sent.nodes, index), itemSchemas(received.nodes, index), { spot })
  return [
    ...indexes.flatMap((index) => within(`/${index}`, found(index))),
    ...(most > length ? within('/*', found(length)) : [])
  ]
}
