/** Keywords that apply to some values only: `not`, `if`, `contains`, `propertyNames`, dependencies. */
import { type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import type { Case, Type } from '../cases/cases.ts'
import { isClosed, listOf, othersOf, propertyOf, requiredOf } from '../cases/members.ts'
import { type Comparison, type Pair, spotOf, valuesOf } from './comparison.ts'
import { type Finding, isHarmless } from './finding.ts'
import type { Kind } from './kinds.ts'

interface Condition {
  readonly keyword: string
  readonly kind: Kind
  /** Type of the values to which it applies; undefined for all. */
  readonly type?: Type
  /** Returns whether the condition of the sender's node implies that of the receiver's. */
  readonly implies: (comparison: Comparison, sent: JsonObject, received: JsonObject) => boolean
  /** Returns whether the sender's values certainly break it, when samples need not show it. */
  readonly isBroken?: (comparison: Comparison, pair: Pair) => boolean
}

const conditions: readonly Condition[] = [
  {
    keyword: 'not',
    kind: 'not',
    implies: (comparison, sent, received) =>
      isPart(reversed(comparison), [part(received, 'not'), part(sent, 'not')])
  },
  {
    keyword: 'if',
    kind: 'condition',
    implies: (comparison, sent, received) =>
      isEqual(comparison, [part(sent, 'if'), part(received, 'if')]) &&
      ['then', 'else'].every((key) => isPart(comparison, [part(sent, key), part(received, key)]))
  },
  {
    keyword: 'contains',
    kind: 'contains',
    type: 'array',
    implies: (comparison, sent, received) =>
      count(sent, 'minContains', 1) >= count(received, 'minContains', 1) &&
      count(sent, 'maxContains') <= count(received, 'maxContains') &&
      (own(received, 'maxContains') === undefined ? isPart : isEqual)(comparison, [
        part(sent, 'contains'),
        part(received, 'contains')
      ])
  },
  {
    keyword: 'propertyNames',
    kind: 'property-names',
    type: 'object',
    implies: (comparison, sent, received) =>
      isPart(comparison, [part(sent, 'propertyNames'), part(received, 'propertyNames')]),
    isBroken: (comparison, { sent, received }) => {
      const names: Json[] = [{ type: 'string' }, ...valuesOf(sent, 'propertyNames')]
      const found = comparison.compare(names, valuesOf(received, 'propertyNames'), {
        spot: { node: undefined },
        isCondition: true
      })
      return !isClosed(othersOf(sent)) && found.some(({ isUncertain }) => isUncertain !== true)
    }
  },
  {
    keyword: 'dependentSchemas',
    kind: 'dependent-schemas',
    type: 'object',
    implies: (comparison, sent, received) =>
      Object.entries(objectOf(own(received, 'dependentSchemas'))).every(([name, schema]) =>
        isPart(comparison, [own(objectOf(own(sent, 'dependentSchemas')), name) ?? true, schema])
      )
  }
]

const part = (node: JsonObject, key: string): Json => own(node, key) ?? true

const count = (node: JsonObject, key: string, standard = Number.POSITIVE_INFINITY): number =>
  Number(own(node, key) ?? standard)

function isPart({ compare }: Comparison, [sent, received]: readonly [Json, Json]): boolean {
  return isHarmless(compare([sent], [received], { spot: { node: undefined }, isCondition: true }))
}

const reversed = (comparison: Comparison): Comparison => ({
  ...comparison,
  sent: comparison.received,
  received: comparison.sent,
  compare: comparison.reverse
})

function isEqual(comparison: Comparison, [sent, received]: readonly [Json, Json]): boolean {
  return isPart(comparison, [sent, received]) && isPart(reversed(comparison), [received, sent])
}

/**
 * Returns conditions of the receiver that those of the sender do not imply.
 * @param isRefuted returns true when a value of the sender breaks the receiver's node
 */
export function conditionFindings(
  comparison: Comparison,
  sent: Case,
  received: Case,
  { pair, isRefuted }: { readonly pair: Pair; readonly isRefuted: () => boolean }
): Finding[] {
  const concerned = conditions.filter(({ type }) => type === undefined || type === sent.type)
  const unmet = concerned.filter(({ keyword, implies }) => {
    const own = sent.nodes.filter((node) => Object.hasOwn(node, keyword))
    const others = received.nodes.filter((node) => Object.hasOwn(node, keyword))
    return !others.every((other) => own.some((node) => implies(comparison, node, other)))
  })
  const found = unmet.map(({ keyword, kind, isBroken = () => false }) =>
    finding(comparison, pair, { keyword, kind, isRefuted: () => isRefuted() || isBroken(comparison, pair) })
  )
  return sent.type === 'object' ? [...found, ...dependentFindings(comparison, pair)] : found
}

function finding(
  comparison: Comparison,
  pair: Pair,
  { keyword, kind, isRefuted }: Pick<Condition, 'keyword' | 'kind'> & { readonly isRefuted: () => boolean }
): Finding {
  const has = (nodes: readonly JsonObject[]) => nodes.some((node) => Object.hasOwn(node, keyword))
  const isAdded = !has(comparison.sent.isNew ? pair.received : pair.sent)
  const isGone = !has(comparison.sent.isNew ? pair.sent : pair.received)
  const text = `${keyword} ${isAdded ? 'added' : isGone ? 'is gone' : 'changed'}`
  const result = { kind, path: '', text, spot: spotOf(comparison, pair, keyword) }
  return isRefuted() ? result : { ...result, isUncertain: true }
}

/** Returns properties that other properties now require. */
function dependentFindings(comparison: Comparison, pair: Pair): Finding[] {
  const needed = pair.received.flatMap((node) => Object.entries(objectOf(own(node, 'dependentRequired'))))
  const broken = needed.flatMap(([name, others]) => {
    if (propertyOf(pair.sent, name).schemas.includes(false)) return []
    const known = new Set([
      ...requiredOf(pair.sent),
      ...pair.sent.flatMap((node) => listOf(own(objectOf(own(node, 'dependentRequired')), name)))
    ])
    return listOf(others)
      .filter((other) => !known.has(other))
      .map((other) => ({ name, other }))
  })
  return broken.map(({ name, other }) => ({
    kind: 'dependent-required',
    path: `/${other}`,
    text: `${comparison.sent.isNew ? 'no longer' : 'now'} required where ${name} is present`,
    spot: spotOf(comparison, pair, 'dependentRequired')
  }))
}
