/** Compares lengths and counts: the least and the most of characters, items and properties. */

import type { Limits } from '../cases/items.ts'
import type { Kind } from '../rules/kinds.ts'
import { type Comparison, differs, type Pair } from './comparison.ts'
import type { Finding } from './finding.ts'

export interface LimitPair {
  readonly sent: Limits
  readonly received: Limits
  readonly minimum: readonly [kind: Kind, keyword: string]
  readonly maximum: readonly [kind: Kind, keyword: string]
}

export function limitFindings(comparison: Comparison, pair: Pair, limits: LimitPair): Finding[] {
  const { sent, received, minimum, maximum } = limits
  const finding = ([kind, keyword]: readonly [Kind, string], key: keyof Limits) =>
    differs(comparison, pair, {
      kind,
      keyword,
      sent: shownLimit(sent[key]),
      received: shownLimit(received[key])
    })
  return [
    ...(sent.least < received.least ? [finding(minimum, 'least')] : []),
    ...(sent.most > received.most ? [finding(maximum, 'most')] : [])
  ]
}

const shownLimit = (limit: number): string => (Number.isFinite(limit) ? String(limit) : 'none')
