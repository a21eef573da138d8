/** Keywords that apply to some values only: `not`, `if`, `contains`, `propertyNames`, dependencies. */
import { type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { itemSchemas, prefixLength, valuesOf } from '../../evaluate/members.ts'
import { casesOf, type Type } from '../cases/cases.ts'
import { isClosed, lengthsOf, listOf, othersOf, propertyOf, requiredOf } from '../cases/members.ts'
import { type CasePair, type Comparison, type Finding, isIncluded, spotOf } from './comparison.ts'

interface Condition {
  readonly keyword: 'not' | 'if' | 'contains' | 'propertyNames' | 'dependentSchemas'
  /** Type of the values to which it applies; undefined for all. */
  readonly type?: Type
  /** Returns whether the condition of the sender's node implies that of the receiver's. */
  readonly implies: (comparison: Comparison, sent: JsonObject, received: JsonObject) => boolean
  /** Returns whether the sender's values satisfy it without a condition of their own. */
  readonly holds?: (pair: CasePair, received: JsonObject) => boolean
  /** Returns whether the sender's values certainly break it, when samples need not show it. */
  readonly isBroken?: (pair: CasePair) => boolean
}

const conditions: readonly Condition[] = [
  {
    keyword: 'not',
    implies: (comparison, sent, received) =>
      isPart(reversed(comparison), [part(received, 'not'), part(sent, 'not')]),
    holds: ({ comparison, sent }, received) => isApartFrom(sent.type, part(received, 'not'), comparison)
  },
  {
    keyword: 'if',
    implies: (comparison, sent, received) =>
      isEqual(comparison, [part(sent, 'if'), part(received, 'if')]) &&
      ['then', 'else'].every((key) => isPart(comparison, [part(sent, key), part(received, key)]))
  },
  {
    keyword: 'contains',
    type: 'array',
    implies: (comparison, sent, received) =>
      count(sent, 'minContains', 1) >= count(received, 'minContains', 1) &&
      count(sent, 'maxContains') <= count(received, 'maxContains') &&
      (own(received, 'maxContains') === undefined ? isPart : isEqual)(comparison, [
        part(sent, 'contains'),
        part(received, 'contains')
      ]),
    holds: ({ comparison, sent }, received) => {
      const { least, most } = lengthsOf(sent)
      const items = itemSchemas(sent.nodes, 0)
      const isAll = () =>
        prefixLength(sent.nodes) === 0 &&
        isIncluded(comparison, comparison.compare(items, [part(received, 'contains')], nowhere))
      const needed = count(received, 'minContains', 1)
      return most <= count(received, 'maxContains') && (needed === 0 || (least >= needed && isAll()))
    }
  },
  {
    keyword: 'propertyNames',
    type: 'object',
    implies: (comparison, sent, received) =>
      isPart(comparison, [part(sent, 'propertyNames'), part(received, 'propertyNames')]),
    isBroken: ({ comparison, sent, received }) => {
      const names: Json[] = [{ type: 'string' }, ...valuesOf(sent.nodes, 'propertyNames')]
      const found = comparison.compare(names, valuesOf(received.nodes, 'propertyNames'), nowhere)
      return !isClosed(othersOf(sent.nodes)) && found.some(({ isUncertain }) => isUncertain !== true)
    }
  },
  {
    keyword: 'dependentSchemas',
    type: 'object',
    implies: (comparison, sent, received) =>
      Object.entries(objectOf(own(received, 'dependentSchemas'))).every(([name, schema]) =>
        isPart(comparison, [own(objectOf(own(sent, 'dependentSchemas')), name) ?? true, schema])
      )
  }
]

/** Returns whether the schema allows no value of the type. */
const isApartFrom = (type: Type, schema: Json, { received }: Comparison): boolean =>
  casesOf([schema], received).every((each) => each.type !== type)

const nowhere = { spot: { node: undefined }, isCondition: true } as const

const part = (node: JsonObject, key: string): Json => own(node, key) ?? true

const count = (node: JsonObject, key: string, standard = Number.POSITIVE_INFINITY): number =>
  Number(own(node, key) ?? standard)

function isPart(comparison: Comparison, [sent, received]: readonly [Json, Json]): boolean {
  return isIncluded(comparison, comparison.compare([sent], [received], nowhere))
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
export function conditionFindings(pair: CasePair, isRefuted: () => boolean): Finding[] {
  const { comparison, sent, received } = pair
  const unmet = conditions.filter(({ keyword, type = sent.type, implies, holds }) => {
    if (type !== sent.type) return false
    const own = sent.nodes.filter((node) => Object.hasOwn(node, keyword))
    const others = received.nodes.filter((node) => Object.hasOwn(node, keyword))
    return !others.every(
      (other) => holds?.(pair, other) === true || own.some((node) => implies(comparison, node, other))
    )
  })
  const found = unmet.map(({ keyword, isBroken = () => false }) =>
    finding(pair, keyword, isRefuted() || isBroken(pair))
  )
  return sent.type === 'object' ? [...found, ...dependentFindings(pair)] : found
}

function finding(pair: CasePair, kind: Condition['keyword'], isRefuted: boolean): Finding {
  const { comparison, sent, received } = pair
  const [now, old] = comparison.sent.isNew ? [sent, received] : [received, sent]
  const isIn = ({ nodes }: CasePair['sent']) => nodes.some((node) => Object.hasOwn(node, kind))
  const text = `${kind} ${!isIn(old) ? 'added' : !isIn(now) ? 'is gone' : 'changed'}`
  const result = { kind, path: '', text, spot: spotOf(pair, kind) }
  return isRefuted ? result : { ...result, isUncertain: true }
}

/** Returns properties that other properties now require. */
function dependentFindings(pair: CasePair): Finding[] {
  const { nodes } = pair.sent
  const needed = valuesOf(pair.received.nodes, 'dependentRequired').flatMap((rule) =>
    Object.entries(objectOf(rule))
  )
  return needed.flatMap(([name, others]) => {
    if (propertyOf(nodes, name).schemas.includes(false)) return []
    const rules = valuesOf(nodes, 'dependentRequired').map(objectOf)
    const known = new Set([...requiredOf(nodes), ...rules.flatMap((rule) => listOf(own(rule, name)))])
    return listOf(others)
      .filter((other) => !known.has(other))
      .map((other) => ({
        kind: 'dependentRequired' as const,
        path: `/${other}`,
        text: `${pair.comparison.sent.isNew ? 'no longer' : 'now'} required where ${name} is present`,
        spot: spotOf(pair, 'dependentRequired')
      }))
  })
}
