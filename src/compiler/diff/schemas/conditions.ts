/** Keywords that apply to some values only: `not`, `if`, `contains`, `propertyNames`, dependencies. */
import { type Json, make, type Schema } from '@contract-first/contract'
import { type Case, casesOf, meet } from './cases.ts'
import {
  type CasePair,
  type Finding,
  findingsIn,
  isCertain,
  isEmpty,
  isProven,
  originOf
} from './comparison.ts'
import {
  isClosed,
  itemSchemas,
  lengthsOf,
  limitsOf,
  namesOf,
  othersOf,
  patternsOf,
  prefixLength,
  propertyOf,
  requiredOf
} from './members.ts'
import type { Type } from './values.ts'

/** `holds` where all values of the sender satisfy the condition, `broken` where certainly one does not. */
type Answer = 'holds' | 'broken' | 'unknown'

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
    if (answers.every((each) => each === 'holds')) return []
    const isIn = ({ schemas }: Case) => schemas.some((schema) => schema[member] !== undefined)
    const [now, old] = direction.isSentNew ? [sent, received] : [received, sent]
    const text = `${kind} ${!isIn(old) ? 'added' : !isIn(now) ? 'is gone' : 'changed'}`
    const finding: Finding = { kind, path: '', text, origin: originOf(pair, kind) }
    return [answers.includes('broken') ? finding : { ...finding, isUncertain: true }]
  })
  return sent.type === 'object' ? [...found, ...dependentFindings(pair)] : found
}

const any = (schema: Schema | undefined, from: Schema): Schema => schema ?? make({}, from)

const ofType = (schema: Schema, type: Type): Case[] => casesOf([schema]).filter((each) => each.type === type)

/** Returns true for a case that certainly has a value. */
const isInhabited = ({ schemas, type, isApproximate, choices }: Case): boolean =>
  !isApproximate &&
  choices.length === 0 &&
  schemas.every((schema) => narrowing.every((key) => schema[key] === undefined)) &&
  (type !== 'array' || lengthsOf(schemas).least === 0) &&
  (type !== 'object' || [...requiredOf(schemas)].every((name) => !isClosed(propertyOf(schemas, name)))) &&
  [limitsOf(schemas, 'minLength', 'maxLength'), limitsOf(schemas, 'minProperties', 'maxProperties')].every(
    ({ least, most }) => least <= most
  )

const narrowing = [
  'pattern',
  'format',
  'not',
  'if',
  'contains',
  'names',
  'dependentSchemas',
  'multipleOf'
] as const

/** The excluded values are excluded before, or there are none of this type. */
function notAnswer({ direction, sent, received: _all, origin }: CasePair, received: Schema): Answer {
  const excluded = any(received.not, received)
  const cases = ofType(excluded, sent.type)
  if (cases.length === 0) return 'holds'
  const { reversed } = direction
  const isKnown = sent.schemas.some(
    (schema) => schema.not !== undefined && reversed.includes([excluded], [schema.not], origin)
  )
  const isRefused = (value: Json) =>
    findingsIn(direction.compareCases([{ ...sent, values: [value] }], cases, origin)).some(isCertain)
  if (isKnown || sent.values?.every(isRefused)) return 'holds'
  const isPart = cases.some(
    (each) => isInhabited(each) && isEmpty(reversed.compareCases([each], [sent], origin))
  )
  return isPart || isProven(direction, direction.compareCases([sent], cases, origin)) ? 'broken' : 'unknown'
}

/** The values to which the condition applies satisfy `then`, the others `else`. */
function ifAnswer({ direction, sent, origin }: CasePair, received: Schema): Answer {
  const [then, otherwise] = [received.then, received.else].map((schema) => any(schema, received))
  const condition = any(received.if, received)
  const own = sent.schemas.filter((schema) => schema.if !== undefined)
  const isEqual = (schema: Schema) =>
    direction.includes([any(schema.if, schema)], [condition], origin) &&
    direction.reversed.includes([condition], [any(schema.if, schema)], origin)
  const isImplied = own.some(
    (schema) =>
      isEqual(schema) &&
      direction.includes([any(schema.then, schema)], [then ?? condition], origin) &&
      direction.includes([any(schema.else, schema)], [otherwise ?? condition], origin)
  )
  if (isImplied) return 'holds'
  const applied = meet(sent, ofType(condition, sent.type))
  const inner = direction.compareCases(applied, casesOf(then === undefined ? [] : [then]), origin)
  const others = direction.compareCases([sent], casesOf(otherwise === undefined ? [] : [otherwise]), origin)
  if (isProven(direction, inner) && isProven(direction, others)) return 'holds'
  const isPlain = own.every((schema) => schema.then === undefined && schema.else === undefined)
  return isPlain && findingsIn(inner).some(isCertain) ? 'broken' : 'unknown'
}

function containsAnswer({ direction, sent, origin }: CasePair, { contains }: Schema): Answer {
  if (contains === undefined) return 'holds'
  const own = sent.schemas.flatMap((each) => each.contains ?? [])
  const { least: written, most } = lengthsOf(sent.schemas)
  const least = Math.max(written, ...own.map((each) => each.min))
  const { schema, min, max = Number.POSITIVE_INFINITY } = contains
  const items = itemSchemas(sent.schemas, prefixLength(sent.schemas))
  const isUnique = sent.schemas.some(({ uniqueItems }) => uniqueItems === true)
  const listed = [...items, ...own.map((each) => each.schema)]
  const compared = () => [{ segment: '', pair: direction.compare(listed, [schema], origin) }]
  if (most === prefixLength(sent.schemas) && least === most) {
    const answers = Array.from({ length: most }, (_none, index) => {
      const item = itemSchemas(sent.schemas, index)
      const found = [{ segment: '', pair: direction.compare(item, [schema], origin) }]
      return isProven(direction, found) ? 'in' : findingsIn(found).some(isCertain) ? 'out' : 'unknown'
    })
    const [some, others] = ['in', 'out'].map((wanted) => answers.filter((each) => each === wanted).length)
    if ((some ?? 0) >= min && most - (others ?? 0) <= max) return 'holds'
    return most - (others ?? 0) < min || (some ?? 0) > max ? 'broken' : 'unknown'
  }
  const isEqual = (each: Schema) =>
    direction.includes([each], [schema], origin) && direction.reversed.includes([schema], [each], origin)
  const isFew =
    min === 0 ||
    (least >= min && prefixLength(sent.schemas) === 0 && direction.includes(items, [schema], origin)) ||
    own.some((each) => each.min >= min && direction.includes([each.schema], [schema], origin))
  const isMany =
    most <= max || own.some((each) => (each.max ?? Number.POSITIVE_INFINITY) <= max && isEqual(each.schema))
  if (isFew && isMany) return 'holds'
  const isOther = () => !isUnique && findingsIn(compared()).some(isCertain)
  if (!isFew && (least < min || (prefixLength(sent.schemas) === 0 && isOther()))) return 'broken'
  const counted = own.map((each) => each.max ?? Number.POSITIVE_INFINITY)
  const isTooMany = !isMany && !isUnique && Math.min(...counted, most) > max
  return isTooMany && direction.reversed.includes([schema], listed, origin) ? 'broken' : 'unknown'
}

function namesAnswer({ direction, sent, origin }: CasePair, { names }: Schema): Answer {
  if (names === undefined) return 'holds'
  const text = make({ types: new Set(['string'] as const) }, names)
  const own = [text, ...sent.schemas.flatMap((schema) => schema.names ?? [])]
  const items = [{ segment: '', pair: direction.compare(own, [names], origin) }]
  if (isProven(direction, items)) return 'holds'
  const declared = namesOf(sent.schemas).map((name) => make({ const: name }, names))
  const isOpen = !isClosed(othersOf(sent.schemas)) || patternsOf(sent.schemas).length > 0
  if (isOpen) return findingsIn(items).some(isCertain) ? 'broken' : 'unknown'
  return declared.every((name) => direction.includes([name], [names], origin)) ? 'holds' : 'unknown'
}

function dependentAnswer({ direction, sent, origin }: CasePair, received: Schema): Answer {
  const answers = [...(received.dependentSchemas ?? [])].map(([name, schema]): Answer => {
    const own = sent.schemas.flatMap((each) => each.dependentSchemas?.get(name) ?? [])
    const present = make({ required: new Set([name]) }, schema)
    const cases = [present, ...own].reduce<Case[]>(
      (all, each) => all.flatMap((other) => meet(other, ofType(each, 'object'))),
      [sent]
    )
    const { schemas, isDeclared } = propertyOf(sent.schemas, name)
    if (isClosed({ schemas, isDeclared })) return 'holds'
    const items = direction.compareCases(cases, ofType(schema, 'object'), origin)
    if (isProven(direction, items)) return 'holds'
    const isKnown = isDeclared || requiredOf(sent.schemas).has(name)
    return isKnown && findingsIn(items).some(isCertain) ? 'broken' : 'unknown'
  })
  if (answers.includes('broken')) return 'broken'
  return answers.includes('unknown') ? 'unknown' : 'holds'
}

/** Returns properties that other properties now require. */
function dependentFindings(pair: CasePair): Finding[] {
  const { schemas } = pair.sent
  const needed = pair.received.schemas.flatMap(({ dependentRequired }) => [...(dependentRequired ?? [])])
  return needed.flatMap(([name, others]) => {
    if (isClosed(propertyOf(schemas, name))) return []
    const known = new Set([
      ...requiredOf(schemas),
      ...schemas.flatMap(({ dependentRequired }) => dependentRequired?.get(name) ?? [])
    ])
    const text = `${pair.direction.isSentNew ? 'no longer' : 'now'} required where ${name} is present`
    return others
      .filter((other) => !known.has(other) && other !== name)
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
