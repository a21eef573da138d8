/** Searches for values of several alternatives of the receiver's `oneOf`, which refuses them: no single case shows it. */
import { arrayOf, type Json, type JsonObject, own } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { type Case, casesOf } from '../cases/cases.ts'
import { isEmpty } from '../cases/emptiness.ts'
import { samplesOf } from '../cases/samples.ts'
import { flattened, type Side } from '../cases/side.ts'
import { isApart } from './alternatives.ts'
import { type Comparison, type Finding, isIncluded, type Schemas, type Spot, shown } from './comparison.ts'

export interface Alternatives {
  readonly comparison: Comparison
  readonly sent: readonly Case[]
  readonly received: readonly Case[]
  readonly spot: Spot
  readonly schemas: { readonly sent: Schemas; readonly received: Schemas }
}

type Ends = Pick<Alternatives, 'comparison' | 'schemas'>

/** Returns whether the sender certainly may send the value, and the receiver certainly refuses it. */
export const isRefused = (value: Json, { comparison: { sent, received }, schemas }: Ends): boolean =>
  satisfies(value, schemas.sent, sent) === true && satisfies(value, schemas.received, received) === false

export function overlapFindings(alternatives: Alternatives): Finding[] {
  const { comparison, spot } = alternatives
  const shared = sharedCases(alternatives)
  if (shared.length === 0) return []
  const { isNew } = comparison.sent
  const samples = [
    ...samplesOf(shared, comparison.received),
    ...samplesOf(alternatives.sent, comparison.sent)
  ]
  const value = samples.find((each) => isRefused(each, alternatives))
  const verb = isNew ? 'may now be' : 'no longer accepts'
  const text =
    value === undefined
      ? `${isNew ? verb : 'may refuse'} a value of several alternatives`
      : `${verb} ${shown(value)}`
  const finding = { kind: 'schema', path: '', text, spot } as const
  // For objects, `oneOf` usually means the intended alternative, so that an overlap is not certain.
  const isCertain = value !== undefined && (typeof value !== 'object' || value === null)
  return [isCertain ? finding : { ...finding, isUncertain: true }]
}

/** Returns the cases of two alternatives of a `oneOf` at once, as far as the sender's schemas allow them. */
function sharedCases({ comparison, sent, schemas }: Alternatives): Case[] {
  const types = new Set(sent.map(({ type }) => type))
  const exclusive = exclusiveIn(flattened(schemas.received, comparison.received))
  const others = exclusive.length === 0 ? [] : exclusiveIn(certain(schemas.sent, comparison.sent))
  return exclusive.flatMap((branches) => {
    comparison.received.budget.spend(branches.length ** 2)
    const known = leastOf(others.map((other) => unmatched(branches, other, comparison)))
    return pairsOf(branches).flatMap(([one, other]) =>
      known !== undefined && !known.has(one) && !known.has(other)
        ? []
        : sharedBy([one, other], comparison).filter(({ type }) => types.has(type))
    )
  })
}

/** Returns the schemas that hold for every value of the types that they allow: alternatives only of types of their own. */
function certain(schemas: Schemas, side: Side): JsonObject[] {
  const found = new Set(flattened(schemas, side, ['allOf']))
  for (const node of found)
    for (const key of ['anyOf', 'oneOf'])
      for (const each of flattened(aloneIn(arrayOf(own(node, key)), side), side, ['allOf'])) found.add(each)
  return [...found]
}

/** Returns the alternatives that share no type with others. */
function aloneIn(branches: Schemas, side: Side): Json[] {
  const types = branches.map((branch) => new Set(casesOf([branch], side).map(({ type }) => type)))
  return branches.filter((_branch, index) =>
    types.every((others, other) => other === index || others.isDisjointFrom(types[index] ?? others))
  )
}

/** Returns the alternatives of each `oneOf`; a discriminator chooses one, so that nothing is refused for another. */
const exclusiveIn = (nodes: readonly JsonObject[]): Schemas[] =>
  nodes
    .filter((node) => own(node, 'discriminator') === undefined)
    .map((node) => arrayOf(own(node, 'oneOf')))
    .filter(({ length }) => length > 1)

const leastOf = (sets: readonly ReadonlySet<Json>[]): ReadonlySet<Json> | undefined =>
  sets.toSorted((a, b) => a.size - b.size)[0]

const pairsOf = (branches: Schemas): [Json, Json][] =>
  branches.flatMap((one, index) => branches.slice(index + 1).map((other): [Json, Json] => [one, other]))

/**
 * Returns the receiver's alternatives that are not part of an alternative of their own of the sender: a value of two
 * others was no value of the sender either.
 */
function unmatched(branches: Schemas, sent: Schemas, { reverse, sent: side }: Comparison): Set<Json> {
  const free = new Set(sent.keys())
  const found = branches.filter((branch, index) => {
    const order = [index, ...free].filter((each) => free.has(each))
    const match = order.find((each) =>
      isIncluded({ received: side }, reverse([branch], [sent[each] as Json], nowhere))
    )
    if (match !== undefined) free.delete(match)
    return match === undefined
  })
  return new Set(found)
}

const nowhere = { spot: { node: undefined }, isCondition: true } as const

function sharedBy(pair: readonly [Json, Json], { received }: Comparison): Case[] {
  const [some, more] = [casesOf([pair[0]], received), casesOf([pair[1]], received)]
  const isShared = some.some((a) => more.some((b) => a.type === b.type && !isApart(a, b)))
  return isShared ? casesOf(pair, received).filter((each) => !isEmpty(each, received)) : []
}
