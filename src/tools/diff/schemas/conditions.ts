/**
 * Keywords that apply to some values only: `not`, `if`, `contains`, `propertyNames`, dependencies. The sender's values
 * satisfy them if its own keywords say so; otherwise a sample shows that they do not, or it stays open.
 */
import { type Json, make, type Schema } from '@contract-first/contract'
import { itemSchemas, prefixLength, requiredOf, valuesOf } from '../../samples/members.ts'
import { accepts, type Case, casesOf, meet, type Type } from './cases.ts'
import { type CasePair, certainIf, type Finding, isProven, originOf } from './comparison.ts'
import { impliedBy, isClosed, lengthsOf, namesOf, othersOf, patternsOf, propertyOf } from './members.ts'
import { isRefuted, maxListed, samplesOf } from './values.ts'

interface Condition {
  readonly kind: 'not' | 'if' | 'contains' | 'propertyNames' | 'dependentSchemas'
  /** Type of the values to which it applies; undefined for all. */
  readonly type?: Type
  /** Members of the model, the first of which makes the condition. */
  readonly members: readonly (keyof Schema)[]
  /** @param received schema of the receiver that has the keyword */
  readonly isImplied: (pair: CasePair, received: Schema) => boolean
  /** Returns values that the condition is about, which the sender's samples may not have. */
  readonly values?: (pair: CasePair, received: Schema) => readonly Json[]
}

const conditions: readonly Condition[] = [
  {
    kind: 'not',
    members: ['not'],
    isImplied: isExcluded,
    values: ({ direction, sent }, { not }) => samplesIn(not, direction.writer, sent.type)
  },
  {
    kind: 'if',
    members: ['if', 'then', 'else'],
    isImplied: isConsequent,
    values: ({ direction, sent }, schema) => samplesIn(schema.if, direction.writer, sent.type)
  },
  {
    kind: 'contains',
    type: 'array',
    members: ['contains'],
    isImplied: isContained,
    values: ({ direction }, { contains }) => listsOf(contains, direction.writer)
  },
  { kind: 'propertyNames', type: 'object', members: ['names'], isImplied: areNamed },
  { kind: 'dependentSchemas', type: 'object', members: ['dependentSchemas'], isImplied: isDependent }
]

type Writer = CasePair['direction']['writer']

const samplesIn = (schema: Schema | undefined, writer: Writer, type?: Type): readonly Json[] =>
  casesOf(schema === undefined ? [] : [schema])
    .filter((each) => type === undefined || each.type === type)
    .flatMap((each) => samplesOf(each, writer))

/** Returns lists of what is contained, of one item more and one less than allowed. */
const listsOf = (contains: Schema['contains'], writer: Writer): Json[] =>
  samplesIn(contains?.schema, writer).flatMap((item) =>
    [(contains?.min ?? 0) - 1, (contains?.max ?? 0) + 1]
      .filter((length) => length >= 0 && length <= maxListed)
      .map((length) => Array.from({ length }, () => item))
  )

/** Returns conditions of the receiver that the sender's values do not satisfy. */
export function conditionFindings(pair: CasePair): Finding[] {
  const { sent, received, direction } = pair
  const found = conditions.flatMap(({ kind, members, type = sent.type, isImplied, values }): Finding[] => {
    const [member] = members
    const isHere = (schema: Schema) => member !== undefined && schema[member] !== undefined
    const unmet = received.schemas.filter((schema) => isHere(schema) && !isImplied(pair, schema))
    if (type !== sent.type || unmet.length === 0) return []
    const isIn = ({ schemas }: Case) => schemas.some(isHere)
    const [now, old] = direction.isSentNew ? [sent, received] : [received, sent]
    const text = `${kind} ${!isIn(old) ? 'added' : !isIn(now) ? 'is gone' : 'changed'}`
    const isShown = unmet.some((schema) => {
      const demand = make(Object.fromEntries(members.map((key) => [key, schema[key]])), schema)
      return isRefuted(pair, demand, () => values?.(pair, schema))
    })
    return [certainIf(isShown, { kind, path: '', text, origin: originOf(pair, kind) })]
  })
  return sent.type === 'object' ? [...found, ...dependentFindings(pair)] : found
}

const any = (schema: Schema | undefined, from: Schema): Schema => schema ?? make({}, from)

const ofType = (schema: Schema, type: Type): Case[] => casesOf([schema]).filter((each) => each.type === type)

/** The excluded values are excluded before, or there are none of this type. */
function isExcluded({ direction, sent, origin }: CasePair, received: Schema): boolean {
  const excluded = any(received.not, received)
  const cases = ofType(excluded, sent.type)
  const isApart = ({ values }: Case) =>
    values?.every((value) => accepts(value, [sent], direction.writer) === 'no')
  return (
    cases.every(isApart) ||
    valuesOf(sent.schemas, 'not').some((not) =>
      isProven(direction.reversed, direction.reversed.compareCases(cases, casesOf([not]), origin))
    )
  )
}

const branchesOf = (schema: Schema) => ({
  condition: any(schema.if, schema),
  consequence: any(schema.then, schema),
  otherwise: any(schema.else, schema)
})

/** The values to which the condition applies satisfy `then`, the others `else`. */
function isConsequent({ direction, sent, origin }: CasePair, received: Schema): boolean {
  const { condition, consequence, otherwise } = branchesOf(received)
  const holds = (one: Schema, other: Schema) => direction.holds([one], [other], origin)
  const isKnown = sent.schemas
    .filter((schema) => schema.if !== undefined)
    .map(branchesOf)
    .some(
      (known) =>
        holds(known.condition, condition) &&
        direction.reversed.holds([condition], [known.condition], origin) &&
        holds(known.consequence, consequence) &&
        holds(known.otherwise, otherwise)
    )
  if (isKnown) return true
  const applied = meet(sent, casesOf([condition]))
  return (
    isProven(direction, direction.compareCases(applied, casesOf([consequence]), origin)) &&
    isProven(direction, direction.compareCases([sent], casesOf([otherwise]), origin))
  )
}

/** The sender's items, or its own `contains`, keep the limits of what is contained. */
function isContained({ direction, sent: { schemas }, origin }: CasePair, { contains }: Schema): boolean {
  if (contains === undefined) return true
  const { schema, min, max = Infinity } = contains
  const own = valuesOf(schemas, 'contains')
  const { least, most } = lengthsOf(schemas)
  const reached = Math.max(least, ...own.map((each) => each.min))
  const items = Array.from({ length: prefixLength(schemas) + 1 }, (_none, index) =>
    itemSchemas(schemas, index)
  )
  const isEach = () => items.every((each) => direction.holds(each, [schema], origin))
  const isEnough =
    min === 0 ||
    own.some((each) => each.min >= min && direction.holds([each.schema], [schema], origin)) ||
    (reached >= min && isEach())
  const isFew =
    most <= max ||
    own.some(
      (each) => (each.max ?? Infinity) <= max && direction.reversed.holds([schema], [each.schema], origin)
    )
  return isEnough && isFew
}

function areNamed({ direction, sent: { schemas }, origin }: CasePair, { names }: Schema): boolean {
  if (names === undefined) return true
  const text = make({ types: new Set(['string'] as const) }, names)
  if (direction.holds([text, ...valuesOf(schemas, 'names')], [names], origin)) return true
  const isOpen = !isClosed(othersOf(schemas)) || patternsOf(schemas).length > 0
  const isValid = (name: string) => accepts(name, ofType(names, 'string'), direction.writer) === 'yes'
  return !isOpen && namesOf(schemas).every(isValid)
}

function isDependent({ direction, sent, origin }: CasePair, received: Schema): boolean {
  return [...(received.dependentSchemas ?? [])].every(([name, schema]) => {
    if (isClosed(propertyOf(sent.schemas, name))) return true
    const own = sent.schemas.flatMap((each) => each.dependentSchemas?.get(name) ?? [])
    const present = make({ required: new Set([name]) }, schema)
    const cases = meet(sent, casesOf([present, ...own]))
    return isProven(direction, direction.compareCases(cases, casesOf([schema]), origin))
  })
}

/** Returns properties that other properties now require. */
function dependentFindings(pair: CasePair): Finding[] {
  const { schemas } = pair.sent
  const needed = pair.received.schemas.flatMap(({ dependentRequired }) => [...(dependentRequired ?? [])])
  const origin = originOf(pair, 'dependentRequired')
  return needed.flatMap(([name, others]) => {
    if (isClosed(propertyOf(schemas, name))) return []
    const known = impliedBy(schemas, [...requiredOf(schemas), name])
    const text = `${pair.direction.isSentNew ? 'no longer' : 'now'} required where ${name} is present`
    return others
      .filter((other) => !known.has(other))
      .map((other) => ({ kind: 'dependentRequired', path: `/${other}`, text, origin }) as const)
  })
}
