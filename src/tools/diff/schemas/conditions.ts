/** Keywords that apply to some values only: `not`, `if`, `contains`, `propertyNames`, dependencies. */
import { make, type Schema } from '@contract-first/contract'
import { isUnique, itemSchemas, prefixLength, requiredOf } from '../../samples/members.ts'
import { type Answer, accepts, type Case, casesOf, meet, type Type } from './cases.ts'
import { answerOf, type CasePair, certainIf, type Finding, originOf } from './comparison.ts'
import {
  impliedBy,
  isClosed,
  isRequired,
  lengthsOf,
  namesOf,
  othersOf,
  patternsOf,
  propertyOf
} from './members.ts'

type Schemas = readonly Schema[]

interface Condition {
  readonly kind: 'not' | 'if' | 'contains' | 'propertyNames' | 'dependentSchemas'
  readonly member: keyof Schema
  /** Type of the values to which it applies; undefined for all. */
  readonly type?: Type
  /** @param received schema of the receiver that has the keyword */
  readonly answer: (pair: CasePair, received: Schema) => Answer
}

const conditions: readonly Condition[] = [
  { kind: 'not', member: 'not', answer: notAnswer },
  { kind: 'if', member: 'if', answer: ifAnswer },
  { kind: 'contains', member: 'contains', type: 'array', answer: containsAnswer },
  { kind: 'propertyNames', member: 'names', type: 'object', answer: namesAnswer },
  { kind: 'dependentSchemas', member: 'dependentSchemas', type: 'object', answer: dependentAnswer }
]

/** Returns conditions of the receiver that the sender's values do not satisfy. */
export function conditionFindings(pair: CasePair): Finding[] {
  const { sent, received, direction } = pair
  const found = conditions.flatMap(({ kind, member, type = sent.type, answer }): Finding[] => {
    if (type !== sent.type) return []
    const others = received.schemas.filter((schema) => schema[member] !== undefined)
    const answers = others.map((schema) => answer(pair, schema))
    if (answers.every((each) => each === 'yes')) return []
    const isIn = ({ schemas }: Case) => schemas.some((schema) => schema[member] !== undefined)
    const [now, old] = direction.isSentNew ? [sent, received] : [received, sent]
    const text = `${kind} ${!isIn(old) ? 'added' : !isIn(now) ? 'is gone' : 'changed'}`
    return [certainIf(answers.includes('no'), { kind, path: '', text, origin: originOf(pair, kind) })]
  })
  return sent.type === 'object' ? [...found, ...dependentFindings(pair)] : found
}

const any = (schema: Schema | undefined, from: Schema): Schema => schema ?? make({}, from)

const ofType = (schema: Schema, type: Type): Case[] => casesOf([schema]).filter((each) => each.type === type)

/** The excluded values are excluded before, or there are none of this type. */
function notAnswer({ direction, sent, origin }: CasePair, received: Schema): Answer {
  const { reversed } = direction
  const excluded = any(received.not, received)
  const cases = ofType(excluded, sent.type)
  const isExcluded = ({ not }: Schema) =>
    not !== undefined && reversed.answer([excluded], [not], origin) === 'yes'
  const isApart = ({ values }: Case) =>
    values?.every((value) => accepts(value, [sent], direction.writer) === 'no')
  if (cases.every(isApart) || sent.schemas.some(isExcluded)) return 'yes'
  const isHeld = ({ values }: Case) =>
    values?.some((value) => accepts(value, [sent], direction.writer) === 'yes')
  const isAll = answerOf(direction, direction.compareCases([sent], cases, origin)) === 'yes'
  return isAll || cases.some(isHeld) ? 'no' : 'unknown'
}

const branchesOf = (schema: Schema) => ({
  condition: any(schema.if, schema),
  consequence: any(schema.then, schema),
  otherwise: any(schema.else, schema)
})

/** The values to which the condition applies satisfy `then`, the others `else`. */
function ifAnswer({ direction, sent, origin }: CasePair, received: Schema): Answer {
  const { condition, consequence, otherwise } = branchesOf(received)
  const includes = (one: Schema, other: Schema) => direction.answer([one], [other], origin) === 'yes'
  const own = sent.schemas.filter((schema) => schema.if !== undefined)
  const isKnown = own.map(branchesOf).some((known) => {
    const isSame =
      includes(known.condition, condition) &&
      direction.reversed.answer([condition], [known.condition], origin) === 'yes'
    return isSame && includes(known.consequence, consequence) && includes(known.otherwise, otherwise)
  })
  if (isKnown) return 'yes'
  const applied = meet(sent, casesOf([condition]))
  const answer = answerOf(direction, direction.compareCases(applied, casesOf([consequence]), origin))
  const others = answerOf(direction, direction.compareCases([sent], casesOf([otherwise]), origin))
  if (answer === 'yes' && others === 'yes') return 'yes'
  const isFree = own.every((schema) => schema.then === undefined && schema.else === undefined)
  return isFree && answer === 'no' ? 'no' : 'unknown'
}

/** Compares how many items are contained with what the sender's items and its own `contains` say. */
function containsAnswer({ direction, sent: { schemas }, origin }: CasePair, { contains }: Schema): Answer {
  if (contains === undefined) return 'yes'
  const { schema, min, max = Infinity } = contains
  const own = schemas.flatMap((each) => each.contains ?? [])
  const lengths = lengthsOf(schemas)
  const least = Math.max(lengths.least, ...own.map((each) => each.min))
  const isContained = (items: Schemas) => direction.answer(items, [schema], origin)
  const isIn = (items: Schemas) => direction.reversed.answer([schema], items, origin) === 'yes'
  const tuple = Array.from({ length: prefixLength(schemas) }, (_none, index) => itemSchemas(schemas, index))
  const others = itemSchemas(schemas, tuple.length)
  const isEach = [...tuple, others].every((items) => isContained(items) === 'yes')
  const isEnough =
    (isEach && least >= min) || own.some((each) => each.min >= min && isContained([each.schema]) === 'yes')
  const isFew =
    lengths.most <= max || own.some((each) => (each.max ?? Infinity) <= max && isIn([each.schema]))
  if ((isEnough || min === 0) && isFew) return 'yes'
  if (isEach && least > max) return 'no'
  if (tuple.length > 0) return 'unknown'
  const wanted = [...others, ...own.map((each) => each.schema)]
  const isAvoidable = isContained(wanted) === 'no' && (least <= 1 || !isUnique(schemas))
  if (!isEnough && (isAvoidable ? 0 : least) < min) return 'no'
  const most = Math.min(lengths.most, ...own.map((each) => each.max ?? Infinity))
  return most > max && !isUnique(schemas) && isIn(wanted) ? 'no' : 'unknown'
}

function namesAnswer({ direction, sent: { schemas }, origin }: CasePair, { names }: Schema): Answer {
  if (names === undefined) return 'yes'
  const text = make({ types: new Set(['string'] as const) }, names)
  const answer = direction.answer([text, ...schemas.flatMap((each) => each.names ?? [])], [names], origin)
  const isOpen = !isClosed(othersOf(schemas)) || patternsOf(schemas).length > 0
  if (isOpen || answer === 'yes') return answer
  const isValid = (name: string) => accepts(name, ofType(names, 'string'), direction.writer) === 'yes'
  return namesOf(schemas).every(isValid) ? 'yes' : 'unknown'
}

function dependentAnswer({ direction, sent, origin }: CasePair, received: Schema): Answer {
  const answers = [...(received.dependentSchemas ?? [])].map(([name, schema]): Answer => {
    const property = propertyOf(sent.schemas, name)
    if (isClosed(property)) return 'yes'
    const own = sent.schemas.flatMap((each) => each.dependentSchemas?.get(name) ?? [])
    const present = make({ required: new Set([name]) }, schema)
    const cases = meet(sent, casesOf([present, ...own]))
    const answer = answerOf(direction, direction.compareCases(cases, casesOf([schema]), origin))
    // Undeclared properties are not expected.
    const isExpected = property.isDeclared || isRequired(sent.schemas, name)
    return answer === 'no' && !isExpected ? 'unknown' : answer
  })
  return answers.find((each) => each === 'no') ?? answers.find((each) => each === 'unknown') ?? 'yes'
}

/** Returns properties that other properties now require. */
function dependentFindings(pair: CasePair): Finding[] {
  const { schemas } = pair.sent
  const needed = pair.received.schemas.flatMap(({ dependentRequired }) => [...(dependentRequired ?? [])])
  return needed.flatMap(([name, others]) => {
    if (isClosed(propertyOf(schemas, name))) return []
    const known = impliedBy(schemas, [...requiredOf(schemas), name])
    const text = `${pair.direction.isSentNew ? 'no longer' : 'now'} required where ${name} is present`
    return others
      .filter((other) => !known.has(other))
      .map(
        (other): Finding => ({
          kind: 'dependentRequired',
          path: `/${other}`,
          text,
          origin: originOf(pair, 'dependentRequired')
        })
      )
  })
}
