/**
 * Judges changes of a place that is written as text by its texts: `5` is a number and a word. Where both contracts read
 * every text alike, the values decide; otherwise a text that is refused, or a receiver that takes any text.
 */
import { type Json, make, type Origin, type Schema, typeOf } from '@contract-first/contract'
import { itemSchemas, prefixLength } from '../../samples/members.ts'
import { type Answer, accepts, type Case, casesOf, identity, isInteger, types } from '../schemas/cases.ts'
import { type Direction, isProven } from '../schemas/comparison.ts'
import { lengthsOf, namesOf, othersOf, propertyOf } from '../schemas/members.ts'
import { unionItems } from '../schemas/unions.ts'
import { maxListed, samplesOf } from '../schemas/values.ts'
import { type Both, both, type Difference, isKept, type SchemaChanges, type Schemas } from './difference.ts'
import { listOf } from './rules.ts'

/** Way of writing lists (RFC 6570; OpenAPI 3.2.0, section 4.12.2.3). */
export interface Layout {
  /** Stands between the items of a list; undefined where each item has a text of its own. */
  readonly delimiter: string | undefined
  /** True where an item may hold the delimiter, because it is percent-encoded. */
  readonly isEncoded: boolean
}

export const exploded: Layout = { delimiter: undefined, isEncoded: true }

interface TextPlace {
  readonly schemas: Both<Schemas>
  readonly layouts: Both<Layout>
  readonly place: string
  readonly origin: Origin
}

type LayoutsOf = (name: string) => Both<Layout> | undefined

/**
 * Returns the changes of the values, as far as they are changes of the texts. The properties of an object are judged one by
 * one, because every style writes each as a text of its own.
 * @param layoutsOf returns how a property of a form is written, in which lists are texts, too; undefined for no text
 */
export function textDifferences(
  found: readonly Difference[],
  place: TextPlace,
  changes: SchemaChanges,
  layoutsOf?: LayoutsOf
): Difference[] {
  if (found.length === 0) return []
  const isWrittenAnew = found.some(({ rule }) => /-(style|explode)-/.test(rule))
  const properties = isWrittenAnew ? [] : propertyPlaces(place, layoutsOf)
  return properties.reduce<Difference[]>(
    (differences, property) => {
      const own = differences.filter(
        ({ place: at, rule }) => `${at}/`.startsWith(`${property.place}/`) && !/required|optional/.test(rule)
      )
      const others = differences.filter((difference) => !own.includes(difference))
      return own.length === 0 ? differences : [...others, ...placeDifferences(own, property, changes)]
    },
    placeDifferences(found, place, changes)
  )
}

/** Returns the properties that both objects declare and that are written as texts; `*` stands for all others. */
function propertyPlaces(place: TextPlace, layoutsOf?: LayoutsOf): TextPlace[] {
  const objects = both(place.schemas, objectSchemas)
  const names = both(objects, (all) => new Set([...namesOf(all), '*']))
  return [...names.old.intersection(names.now)].flatMap((name) => {
    const layouts = layoutsOf === undefined ? place.layouts : layoutsOf(name)
    const schemas = both(objects, (all) => (name === '*' ? othersOf(all) : propertyOf(all, name)).schemas)
    const isNested = [...casesOf(schemas.old), ...casesOf(schemas.now)].some(
      ({ type }) => type === 'object' || (type === 'array' && layoutsOf === undefined)
    )
    return layouts === undefined || isNested
      ? []
      : [{ ...place, layouts, schemas, place: `${place.place}/${name}` }]
  })
}

/** Returns the schemas of an object that has no alternatives; otherwise an empty list. */
function objectSchemas(schemas: Schemas): readonly Schema[] {
  const [first, ...others] = textCases(schemas)
  return first?.type === 'object' && others.length === 0 ? first.schemas : []
}

/** Returns the cases; a schema that allows every type is read as text. */
function textCases(schemas: Schemas): readonly Case[] {
  const cases = casesOf(schemas)
  const found = new Set(cases.map(({ type }) => type))
  return types.every((type) => found.has(type)) ? cases.filter(({ type }) => type === 'string') : cases
}

const isList = ({ type }: Case): boolean => type === 'array'
const itemCases = ({ schemas }: Case): readonly Case[] => textCases(itemSchemas(schemas, 0))

interface TextSide {
  readonly cases: readonly Case[]
  readonly layout: Layout
}

/** Returns what decides how texts are read: types, those of items, and the delimiter. Beside texts null is none. */
function readingOf({ cases, layout }: TextSide): string {
  const names = new Set(cases.map((each) => (each.isInteger ? 'integer' : each.type)))
  if (names.has('string')) names.delete('null')
  const items = cases
    .filter(isList)
    .flatMap(({ schemas }) =>
      Array.from({ length: prefixLength(schemas) + 1 }, (_none, index) =>
        readingOf({ cases: textCases(itemSchemas(schemas, index)), layout: exploded })
      )
    )
  return JSON.stringify([[...names].sort(), ...(names.has('array') ? [layout.delimiter ?? '', items] : [])])
}

function placeDifferences(
  found: readonly Difference[],
  place: TextPlace,
  { isRequest, direction }: SchemaChanges
): Difference[] {
  const sides = both({ old: 'old', now: 'now' } as const, (side) => ({
    cases: textCases(place.schemas[side]),
    layout: place.layouts[side]
  }))
  const types = new Set([...sides.old.cases, ...sides.now.cases].map(({ type }) => type))
  if (types.has('object')) return [...found]
  if (isKept(both(sides, readingOf)) && !found.some(({ rule }) => /-type-/.test(rule))) {
    const nulls = types.has('string') ? found.filter(({ rule }) => /-null-/.test(rule)) : []
    const others = found.filter((difference) => !nulls.includes(difference))
    return nulls.length === 0 ? others : [...others, ...judged(nulls, [], place, isRequest)]
  }
  const [sent, received] = isRequest ? [sides.old, sides.now] : [sides.now, sides.old]
  const verdicts = sent.cases.map((each) => verdictFor(each, sent.layout, received, direction))
  return judged(found, verdicts, place, isRequest)
}

interface Verdict {
  /** `no` is shown by a text, `yes` is proven of all. */
  readonly answer: Answer
  /** Texts that are refused: `the text "a"`. */
  readonly refused?: string
}

function judged(
  found: readonly Difference[],
  verdicts: readonly Verdict[],
  { place, origin }: TextPlace,
  isRequest: boolean
): Difference[] {
  const hurting = found.filter(({ rule }) => isHurting(rule))
  const others = found.filter((difference) => !hurting.includes(difference))
  const at = { place, origin: hurting[0]?.origin ?? origin }
  const role = isRequest ? 'parameter' : 'response-header'
  const text = hurting.map((difference) => difference.text).join('; ')
  const refused = verdicts.find(({ answer }) => answer === 'no')
  if (refused !== undefined) {
    if (hurting.some(({ rule }) => listOf(rule) === 'breaking')) return [...found]
    const rule = isRequest ? 'parameter-texts-narrowed' : 'response-header-texts-widened'
    const verb = isRequest ? 'no longer accepts' : 'may now be'
    return [...others, { ...at, rule, text: `${verb} ${refused.refused}` }]
  }
  if (verdicts.some(({ answer }) => answer === 'unknown'))
    return [
      ...others,
      { ...at, rule: `${role}-texts-undecided`, text: text || 'its texts are read as other types' }
    ]
  if (hurting.length === 0) return [...found]
  const validity = isRequest ? 'of before is still valid' : 'was valid before'
  return [...others, { ...at, rule: `${role}-texts-kept`, text: `${text}, and every text ${validity}` }]
}

/** Recognises rules about which values are valid. */
const isHurting = (rule: Difference['rule']): boolean =>
  !/discriminator|default|xml|deprecated/.test(rule) &&
  (listOf(rule) === 'breaking' || /^(request|response)-.*-undecided$/.test(rule))

function verdictFor(each: Case, { delimiter }: Layout, received: TextSide, direction: Direction): Verdict {
  const hasLists = received.cases.some(isList)
  // A single text is a list of one where the receiver has lists.
  const { most } = isList(each) ? lengthsOf(each.schemas) : { most: 1 }
  const isOneText =
    most <= 1 || (hasLists ? delimiter === received.layout.delimiter : delimiter !== undefined)
  if (!isOneText) return { answer: 'no', refused: 'several items' }
  if (takesAnyText(received.cases, direction)) return { answer: 'yes' }
  const texts = textsOf(each, delimiter, direction)
  const answers = texts.map((text) => readAs(text, received, direction))
  const refused = texts[answers.indexOf('no')]
  if (refused !== undefined) return { answer: 'no', refused: `the text ${JSON.stringify(refused)}` }
  const { values = [] } = each
  const isListed =
    values.length > 0 && values.length <= maxListed && ['boolean', 'number', 'string'].includes(each.type)
  if (isListed) return { answer: answers.includes('unknown') ? 'unknown' : 'yes' }
  return { answer: isReadAlike(each, received.cases, direction) ? 'yes' : 'unknown' }
}

/** Returns some texts of a case, as clients write them. */
function textsOf(each: Case, delimiter: string | undefined, { writer }: Direction): string[] {
  const values = samplesOf(each, writer)
  if (!isList(each)) return values.map(textOf)
  return values
    .map((list) => (list as readonly Json[]).map(textOf))
    .filter((items) =>
      delimiter === undefined
        ? items.length === 1
        : items.length > 0 && !items.some((item) => item.includes(delimiter))
    )
    .map((items) => items.join(delimiter))
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : identity(value))

/** Numbers and booleans are read before texts, so that they are valid where their values are; lists, by their items. */
function isReadAlike(each: Case, cases: readonly Case[], direction: Direction): boolean {
  const alike = cases.filter(({ type }) => type === each.type)
  const isReadFirst = ({ type }: Case) => type === 'number' || type === 'boolean'
  const read = isList(each) ? itemCases(each) : [each]
  return read.every(isReadFirst) && alike.length > 0 && isIncludedIn(each, alike, direction)
}

/** Returns whether the receiver reads a text as a valid value. */
function readAs(text: string, { cases, layout }: TextSide, { writer }: Direction): Answer {
  const lists = cases.filter(isList)
  const scalars = cases.filter((each) => !isList(each))
  const value = primitive(text, scalars)
  const isScalar = typeof value !== 'string' || scalars.some(({ type }) => type === 'string')
  const pieces = layout.delimiter === undefined ? [text] : text === '' ? [] : text.split(layout.delimiter)
  if (lists.length === 0 || (isScalar && pieces.length <= 1)) {
    const alike = scalars.filter(({ type }) => type === typeOf(value))
    return accepts(value, alike, writer)
  }
  const items = (index: number) => lists.flatMap(({ schemas }) => textCases(itemSchemas(schemas, index)))
  const read = pieces.map((piece, index) => primitive(piece, items(index)))
  const answers = read.map((item, index) => accepts(item, items(index), writer))
  return answers.find((each) => each === 'unknown') ?? accepts(read, lists, writer)
}

/** Numbers as the grammar of JSON spells them; other texts are read as texts. */
const spelled = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** Reads a number, otherwise a boolean, otherwise null, otherwise the text. */
function primitive(text: string, cases: readonly Case[]): Json {
  const has = (wanted: Case['type']) => cases.some(({ type }) => type === wanted)
  const number = spelled.test(text) ? (/^-?\d{16,}$/.test(text) ? BigInt(text) : Number(text)) : undefined
  // A fraction stays a text where only integers are declared.
  const isRead = (each: Case) => each.type === 'number' && (!each.isInteger || isInteger(number ?? 0))
  if (number !== undefined && cases.some(isRead)) return number
  if (has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return has('null') && !has('string') && (text === 'null' || text === '') ? null : text
}

/** Returns true when any text is read as a valid value: as a text, or as a list of texts. */
const takesAnyText = (cases: readonly Case[], direction: Direction): boolean =>
  cases.some(({ type }) => type === 'string' || type === 'array') &&
  cases.every((each) => (isList(each) ? takesAnyList(each, direction) : isFree(each, direction)))

/** Returns true for a list that allows every list of texts, however they are read. */
function takesAnyList(each: Case, direction: Direction): boolean {
  const [first] = each.schemas
  const items = itemCases(each)
  if (first === undefined || prefixLength(each.schemas) > 0 || items.some(isList)) return false
  const texts = make({ items: make({ types: new Set(['string'] as const) }, first), minItems: 1 }, first)
  const lists = casesOf([texts]).filter(isList)
  return lists.every((list) => isIncludedIn(list, [each], direction)) && takesAnyText(items, direction)
}

/** Returns true when no value of the type is refused, integers apart where only they are read. */
const isFree = (each: Case, direction: Direction): boolean =>
  casesOf([])
    .filter(({ type }) => type === each.type)
    .every((any) => isIncludedIn({ ...any, isInteger: each.isInteger }, [each], direction))

function isIncludedIn(each: Case, cases: readonly Case[], direction: Direction): boolean {
  const [schema] = cases.flatMap(({ schemas }) => schemas)
  const pair = { direction, sent: [each], received: cases }
  return schema === undefined || isProven(direction, unionItems({ ...pair, origin: schema.origin }))
}
