/**
 * Keywords that apply to some values only: `not`, `if`, `contains`, `propertyNames`, dependencies. The sender's values
 * satisfy those that its own schemas have, too; a sample shows that they do not satisfy another one, or it stays open.
 */
import { digestOf, type Json, make, type Schema, typeOf } from '@contract-first/contract'
import { accepts, type Case, casesOf, type Type } from './cases.ts'
import { type CasePair, certainIf, type Finding, originOf } from './comparison.ts'
import { impliedBy, isClosed, presentIn, propertyOf } from './members.ts'
import { isRefuted, maxListed, samplesOf } from './values.ts'

interface Condition {
  readonly kind: 'not' | 'if' | 'contains' | 'propertyNames' | 'dependentSchemas'
  /** Type of the values to which it applies; undefined for all. */
  readonly type?: Type
  /** Members of the model, the first of which makes the condition. */
  readonly members: readonly [keyof Schema, ...(keyof Schema)[]]
}

const conditions: readonly Condition[] = [
  { kind: 'not', members: ['not'] },
  { kind: 'if', members: ['if', 'then', 'else'] },
  { kind: 'contains', type: 'array', members: ['contains'] },
  { kind: 'propertyNames', type: 'object', members: ['names'] },
  { kind: 'dependentSchemas', type: 'object', members: ['dependentSchemas'] }
]

/** Returns conditions of the receiver that the sender's values are not known to satisfy. */
export function conditionFindings(pair: CasePair): Finding[] {
  const { sent, received, direction } = pair
  const found = conditions.flatMap(({ kind, members, type = sent.type }): Finding[] => {
    const demandsOf = ({ schemas }: Case) =>
      schemas
        .filter((schema) => schema[members[0]] !== undefined)
        .map((schema) => make(Object.fromEntries(members.map((key) => [key, schema[key]])), schema))
    const own = demandsOf(sent)
    const known = new Set(own.map(digestOf))
    const unmet = demandsOf(received).filter(
      (demand) => !known.has(digestOf(demand)) && !isVoid(pair, demand)
    )
    if (type !== sent.type || unmet.length === 0) return []
    const text = `${kind} ${own.length > 0 ? 'changed' : direction.isSentNew ? 'is gone' : 'added'}`
    const isShown = unmet.some((demand) => isRefuted(pair, demand, () => valuesFor(pair, demand)))
    return [certainIf(isShown, { kind, path: '', text, origin: originOf(pair, kind) })]
  })
  return sent.type === 'object' ? [...found, ...dependentFindings(pair)] : found
}

/** Recognises a condition without an effect: what it excludes is of another type or not sent; no item has to be there. */
function isVoid({ sent, direction }: CasePair, { not, contains }: Schema): boolean {
  const isApart = ({ type, values }: Case) =>
    type !== sent.type || values?.every((value) => accepts(value, [sent], direction.writer) === 'no')
  return (
    (not !== undefined && casesOf([not]).every(isApart)) ||
    (contains !== undefined && contains.min === 0 && contains.max === undefined)
  )
}

/** Returns values that a condition is about, which the samples of the sender may not have. */
function valuesFor({ sent, direction }: CasePair, { not, if: condition, contains }: Schema): Json[] {
  const samplesIn = (schema: Schema | undefined) =>
    casesOf(schema === undefined ? [] : [schema]).flatMap((each) => samplesOf(each, direction.writer))
  if (contains === undefined)
    return samplesIn(not ?? condition).filter((value) => typeOf(value) === sent.type)
  // Lists of what is contained, of one item more and of one less than allowed.
  const lengths = [contains.min - 1, (contains.max ?? 0) + 1].filter((each) => each >= 0 && each <= maxListed)
  return samplesIn(contains.schema).flatMap((item) =>
    lengths.map((length) => Array.from({ length }, () => item))
  )
}

/** Returns properties that other properties now require. */
function dependentFindings(pair: CasePair): Finding[] {
  const { schemas } = pair.sent
  const needed = pair.received.schemas.flatMap(({ dependentRequired }) => [...(dependentRequired ?? [])])
  const origin = originOf(pair, 'dependentRequired')
  return needed.flatMap(([name, others]) => {
    if (isClosed(propertyOf(schemas, name))) return []
    const known = impliedBy(schemas, [...presentIn(schemas, pair.direction.flag), name])
    const text = `${pair.direction.isSentNew ? 'no longer' : 'now'} required where ${name} is present`
    return others
      .filter((other) => !known.has(other))
      .map((other) => ({ kind: 'dependentRequired', path: `/${other}`, text, origin }) as const)
  })
}
