/** Compares two cases of one type, keyword by keyword. */

import { satisfies } from '../../evaluate/evaluate.ts'
import type { Case, Type } from '../cases/cases.ts'
import { samplesOf } from '../cases/samples.ts'
import { arrayFindings } from './arrays.ts'
import { type Comparison, differs, type Pair } from './comparison.ts'
import { conditionFindings } from './conditions.ts'
import { type Finding, isHarmless, shown } from './finding.ts'
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
