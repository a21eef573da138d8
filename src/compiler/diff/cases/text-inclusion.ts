/**
 * Decides whether every text that one contract allows at a place is accepted by the other. `yes` is proven on schemas of
 * texts, `no` by a value that is written and read back.
 */
import type { Json } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { itemSchemas, valuesOf } from '../../evaluate/members.ts'
import { type Case, casesOf, types } from './cases.ts'
import { lengthsOf } from './members.ts'
import { maxSamples, samplesOf } from './samples.ts'
import type { Side } from './side.ts'
import { type Layout, read, type Texts, textOf, written } from './text-layout.ts'
import { isFree, listTexts, scalarTexts } from './text-schema.ts'

export interface TextSide {
  readonly side: Side
  readonly schema: Json
  readonly layout: Layout
  /** Cases of the schema: see `textCases`. */
  readonly cases: readonly Case[]
}

export type Verdict =
  | { readonly answer: 'yes' | 'unknown' }
  | { readonly answer: 'no'; readonly example: string }

interface Ends {
  readonly sent: TextSide
  readonly received: TextSide
}

/** Returns whether all values of a sender's schema are values of a receiver's. */
export type Includes = (sent: Json, received: Json) => boolean

export function textVerdict(ends: Ends, includes: Includes): Verdict {
  const accepted = acceptance(ends)
  const refused = [...accepted].find(([, isAccepted]) => isAccepted === false)
  if (refused !== undefined)
    return { answer: 'no', example: refused[0].join(ends.sent.layout.delimiter ?? '&') }
  const isProven = isListed(ends.sent) && [...accepted.values()].every((isAccepted) => isAccepted === true)
  return { answer: isProven || isIncluded(ends, includes) ? 'yes' : 'unknown' }
}

/** Returns the cases; a schema that allows every type is read as text. */
export function textCases({ schema, side }: Pick<TextSide, 'schema' | 'side'>): readonly Case[] {
  const cases = casesOf([schema], side)
  const found = new Set(cases.map(({ type }) => type))
  return types.every((type) => found.has(type)) ? cases.filter(({ type }) => type === 'string') : cases
}

/** Returns whether the samples of all cases are all values. */
const isListed = (sent: TextSide): boolean =>
  sent.cases.every(({ values = [] }) => values.length > 0 && values.length <= maxSamples)

/** Returns the texts of values that the sender may send, and whether the receiver accepts them. */
function acceptance({ sent, received }: Ends): Map<Texts, boolean | undefined> {
  const cases = { sent: sent.cases, received: received.cases }
  const values = [...samplesOf(cases.sent, sent.side), ...nearLimits(sent, cases.received)]
  const isLaidAlike = sent.layout.delimiter === received.layout.delimiter
  return new Map(
    values.flatMap((value): [Texts, boolean | undefined][] => {
      const texts = written(value, sent.layout)
      if (texts === undefined) return []
      const found = read(texts, cases.received, received.layout, received.side)
      const isRead = found !== undefined && (isLaidAlike || countOf(found) === countOf(value))
      return [[texts, isRead && satisfies(found, [received.schema], received.side)]]
    })
  )
}

const countOf = (value: Json): number => (Array.isArray(value) ? value.length : 1)

/** Returns numbers around the limits of the receiver, as far as the sender may send their texts. */
function nearLimits({ schema, side }: TextSide, received: readonly Case[]): Json[] {
  const keys = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
  const numbers = received.filter(({ type }) => type === 'number')
  const limits = numbers.flatMap(({ nodes }) => keys.flatMap((key) => valuesOf(nodes, key).map(Number)))
  const near = limits.flatMap((limit) => [limit - 1, limit, limit + 1, limit + 0.5])
  const others = numbers.length === 0 ? [] : [0.5, 1]
  return [...near, ...others]
    .flatMap((value): Json[] => [value, textOf(value)])
    .filter((value) => satisfies(value, [schema], side) === true)
}

const isList = ({ type }: Case): boolean => type === 'array'

function isIncluded({ sent, received }: Ends, includes: Includes): boolean {
  const cases = { sent: sent.cases, received: received.cases }
  const [lists, scalars] = [cases.sent.filter(isList), cases.sent.filter((each) => !isList(each))]
  return (
    (scalars.length === 0 || takesScalars(scalars, { sent, received }, includes)) &&
    lists.every((list) => takesList(list, { sent, received }, includes))
  )
}

/** A single text is a list of one where the receiver has lists alone. */
function takesScalars(scalars: readonly Case[], { received }: Ends, includes: Includes): boolean {
  const all = received.cases
  const own = all.filter((each) => !isList(each))
  const lists = all.filter(isList)
  const { delimiter, isEncoded } = received.layout
  const sent = scalarTexts({ cases: scalars, isSent: true })
  const isWhole =
    isEncoded || delimiter === undefined || lists.every((list) => takesAll(list, received, includes))
  if (!isWhole && !includes(sent, without(delimiter))) return false
  if (own.length > 0 && !(lists.length > 0 && own.every(isWholeType)))
    return includes(sent, scalarTexts({ cases: own, isSent: false }))
  const values = own.length === 0 ? [] : [scalarTexts({ cases: own, isSent: false })]
  return lists.some((list) => {
    const items = scalarTexts({ cases: itemCases(list, received), isSent: false })
    return isOne(list) && includes(sent, { anyOf: [...values, items] })
  })
}

/** Returns whether the pieces of any text are a list. */
function takesAll(list: Case, received: TextSide, includes: Includes): boolean {
  const isUnique = valuesOf(list.nodes, 'uniqueItems').includes(true)
  const items = scalarTexts({ cases: itemCases(list, received), isSent: false })
  return (
    isOne(list) &&
    lengthsOf(list).most === Number.POSITIVE_INFINITY &&
    !isUnique &&
    includes({ type: 'string' }, items)
  )
}

/** Recognises numbers, booleans and null without further keywords: no text that is read as such is refused. */
const isWholeType = (each: Case): boolean =>
  each.type === 'number'
    ? isFree(each)
    : each.type === 'null' || (each.type === 'boolean' && each.values?.length === 2)

const itemCases = ({ nodes }: Case, { side }: TextSide): readonly Case[] =>
  textCases({ schema: { allOf: itemSchemas(nodes, 0) }, side })

const without = (delimiter: string): Json => ({ type: 'string', pattern: `^[^${delimiter}]*$` })

function isOne(each: Case): boolean {
  const { least, most } = lengthsOf(each)
  const isFree = ['contains', 'unevaluatedItems', 'not', 'if'].every(
    (key) => valuesOf(each.nodes, key).length === 0
  )
  return isFree && least <= 1 && most >= 1
}

function takesList(list: Case, { sent, received }: Ends, includes: Includes): boolean {
  const all = received.cases
  const [other, ...more] = all.filter(isList)
  const isSingle = lengthsOf(list).most <= 1
  const isAlike = isSingle || sent.layout.delimiter === received.layout.delimiter
  if (other !== undefined) {
    if (more.length > 0 || all.length > 1 || !isAlike) return false
    return includes(
      listTexts(list, { cases: itemCases(list, sent), isSent: true }),
      listTexts(other, { cases: itemCases(other, received), isSent: false })
    )
  }
  const isJoined = sent.layout.delimiter !== undefined
  const item = scalarTexts({ cases: itemCases(list, sent), isSent: true })
  const texts = isJoined && !isSingle ? { type: 'string' } : item
  return (isJoined || isSingle) && includes(texts, scalarTexts({ cases: all, isSent: false }))
}
