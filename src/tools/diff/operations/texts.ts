/** Judges changes of a place that is written as text by its texts: `5` is a number and a word. */
import { type Json, type Origin, type Schema, typeOf } from '@contract-first/contract'
import { isUnique, itemSchemas } from '../../samples/members.ts'
import { type Answer, accepts, type Case, casesOf, identity, isInteger, types } from '../schemas/cases.ts'
import { type Direction, isIncluded } from '../schemas/comparison.ts'
import { lengthsOf, namesOf, othersOf, propertyOf } from '../schemas/members.ts'
import { samplesOf } from '../schemas/scalars.ts'
import { type Both, both, type Difference, type SchemaChanges, type Schemas } from './difference.ts'
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

/**
 * Returns the changes of the values, as far as they are changes of the texts. The properties of an object are judged one by
 * one, because every style writes each as a text of its own.
 * @param layoutsOf returns how a property of a form is written, in which lists are texts, too; undefined for no text
 */
export function textDifferences(
  found: readonly Difference[],
  place: TextPlace,
  changes: SchemaChanges,
  layoutsOf?: (name: string) => Both<Layout> | undefined
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
function propertyPlaces(
  place: TextPlace,
  layoutsOf: ((name: string) => Both<Layout> | undefined) | undefined
): TextPlace[] {
  const { old, now } = both(place.schemas, objectSchemas)
  const names = both({ old, now }, (all) => new Set([...namesOf(all), '*']))
  return [...names.old.intersection(names.now)].flatMap((name) => {
    const layouts = layoutsOf === undefined ? place.layouts : layoutsOf(name)
    if (layouts === undefined) return []
    const schemas = both(
      { old, now },
      (all) => (name === '*' ? othersOf(all) : propertyOf(all, name)).schemas
    )
    const cases = [...casesOf(schemas.old), ...casesOf(schemas.now)]
    const isNested = cases.some(
      ({ type }) => type === 'object' || (type === 'array' && layoutsOf === undefined)
    )
    return isNested ? [] : [{ ...place, layouts, schemas, place: `${place.place}/${name}` }]
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

function placeDifferences(
  found: readonly Difference[],
  place: TextPlace,
  changes: SchemaChanges
): Difference[] {
  const cases = both(place.schemas, textCases)
  const typesIn = (all: readonly Case[]) => [...new Set(all.map(({ type }) => type))].sort()
  const [before, after] = [typesIn(cases.old), typesIn(cases.now)]
  if (before.includes('object') || after.includes('object')) return [...found]
  const isAlike = before.join() === after.join() && before.length === 1 && before[0] !== 'array'
  if (isAlike && !found.some(({ rule }) => /-type-/.test(rule))) return [...found]
  const ends = both({ old: 'old', now: 'now' } as const, (side) => ({
    cases: cases[side],
    layout: place.layouts[side]
  }))
  const [sent, received] = changes.isRequest ? [ends.old, ends.now] : [ends.now, ends.old]
  return judged(found, verdictOf(sent, received, changes.direction), place, changes.isRequest)
}

interface Verdict {
  readonly answer: Answer
  /** Texts that are refused: `the text "a"`. */
  readonly refused?: string
}

function judged(
  found: readonly Difference[],
  verdict: Verdict,
  { place, origin }: TextPlace,
  isRequest: boolean
): Difference[] {
  const hurting = found.filter(({ rule }) => isHurting(rule))
  const others = found.filter((difference) => !hurting.includes(difference))
  const text = hurting.map((difference) => difference.text).join('; ')
  const at = { place, origin: hurting[0]?.origin ?? origin }
  if (verdict.answer === 'no') {
    if (hurting.some(({ rule }) => listOf(rule) === 'breaking')) return [...found]
    const rule = isRequest ? 'parameter-texts-narrowed' : 'response-header-texts-widened'
    const verb = isRequest ? 'no longer accepts' : 'may now be'
    return [...others, { ...at, rule, text: `${verb} ${verdict.refused}` }]
  }
  const role = isRequest ? 'parameter' : 'response-header'
  if (hurting.length === 0) {
    const difference: Difference = {
      ...at,
      rule: `${role}-texts-undecided`,
      text: 'its texts are read as other types'
    }
    return verdict.answer === 'yes' ? [...found] : [...found, difference]
  }
  if (verdict.answer === 'yes') {
    const validity = isRequest ? 'of before is still valid' : 'was valid before'
    return [...others, { ...at, rule: `${role}-texts-kept`, text: `${text}, and every text ${validity}` }]
  }
  if (hurting.some(({ rule }) => listOf(rule) === 'breaking' && !isOfTypes(rule))) return [...found]
  return [...others, { ...at, rule: `${role}-texts-undecided`, text }]
}

/** Recognises rules about which values are valid. */
const isHurting = (rule: Difference['rule']): boolean =>
  !/discriminator|default|xml|deprecated/.test(rule) &&
  (listOf(rule) === 'breaking' || /^(request|response)-.*-undecided$/.test(rule))

/** Recognises rules whose changes may leave every text valid; bounds of the same type say the same of texts. */
const isOfTypes = (rule: Difference['rule']): boolean =>
  /-(type|null|enum|style|explode|pattern|alternative)-/.test(rule)

interface TextSide {
  readonly cases: readonly Case[]
  readonly layout: Layout
}

const isList = ({ type }: Case): boolean => type === 'array'
const sentText = (value: Json): string => (typeof value === 'string' ? value : identity(value))

/** Decides whether every text of a sender is read as a valid value: `no` is shown by a text, `yes` is proven. */
function verdictOf(sent: TextSide, received: TextSide, direction: Direction): Verdict {
  const verdicts = sent.cases.map((each) => verdictFor(each, sent.layout, received, direction))
  return (
    verdicts.find(({ answer }) => answer === 'no') ??
    verdicts.find(({ answer }) => answer === 'unknown') ?? { answer: 'yes' }
  )
}

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
  const { values } = each
  if (values !== undefined && values.length <= maxValues && each.type !== 'null' && !isList(each))
    return { answer: answers.includes('unknown') ? 'unknown' : 'yes' }
  const isProven = hasLists
    ? isTakenAsList(each, received, direction)
    : isTaken(each, received.cases, direction)
  return { answer: isProven ? 'yes' : 'unknown' }
}

/** Returns some texts of a case: of the values that it lists, otherwise of some values, and of short lists of them. */
function textsOf(each: Case, delimiter: string | undefined, direction: Direction): string[] {
  if (!isList(each)) return valuesOf(each, direction).map(sentText)
  const items = textCases(itemSchemas(each.schemas, 0)).flatMap((item) => valuesOf(item, direction))
  const lists = items.flatMap((item, index) => [[item], [item, items[index + 1] ?? item]])
  return lists
    .filter((list) => accepts(list, [each], direction.writer) === 'yes')
    .map((list) => list.map(sentText))
    .filter((texts) =>
      delimiter === undefined ? texts.length === 1 : !texts.some((item) => item.includes(delimiter))
    )
    .map((texts) => texts.join(delimiter))
}

/** Most listed values of a case that are tried. */
const maxValues = 24

function valuesOf(each: Case, { writer }: Direction): readonly Json[] {
  if (each.values !== undefined) return each.values.slice(0, maxValues)
  const numbers = [0, 1, 7, -1, 123456, 0.5]
  const texts = each.type === 'string' ? [...samplesOf(each.schemas), ...numbers.map(String)] : []
  const values: readonly Json[] = each.type === 'number' ? numbers : texts
  return values.filter((value) => accepts(value, [each], writer) === 'yes')
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

/** Returns true when certainly every text of a case is read as a valid list. */
function isTakenAsList(each: Case, { cases, layout }: TextSide, direction: Direction): boolean {
  const [list, ...others] = cases
  const isUnclear = others.length > 0 || [list, each].some((one) => one && isList(one) && !isPlain(one))
  if (list === undefined || isUnclear) return false
  const limits = lengthsOf(list.schemas)
  const { least, most } = isList(each) ? lengthsOf(each.schemas) : { least: 1, most: 1 }
  const isWithin = least >= limits.least && most <= limits.most && (most <= 1 || !isUnique(list.schemas))
  const isSplit = each.type === 'string' && layout.delimiter !== undefined && !layout.isEncoded
  const items = isList(each) ? textCases(itemSchemas(each.schemas, 0)) : [each]
  const wanted = textCases(itemSchemas(list.schemas, 0))
  return isWithin && !isSplit && items.every((item) => isTaken(item, wanted, direction))
}

/** Returns true when certainly every text of a value is read as a valid single value. */
function isTaken(each: Case, cases: readonly Case[], direction: Direction): boolean {
  if (takesAnyText(cases, direction)) return true
  if (each.values !== undefined && each.type !== 'null') {
    const received = { cases, layout: exploded }
    return each.values.every((value) => readAs(sentText(value), received, direction) === 'yes')
  }
  // Numbers and booleans are read before texts.
  const isReadFirst = (other: Case) =>
    (other.type === 'number' || other.type === 'boolean') && !isFree(other, direction)
  const alike = cases.filter(({ type }) => type === each.type)
  const isUnclear = each.isApproximate || isList(each) || (each.type === 'string' && cases.some(isReadFirst))
  return !isUnclear && alike.length > 0 && isIncludedIn(each, alike, direction)
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
  cases.every((each) => (isList(each) ? isEndless(each, direction) : isFree(each, direction)))

function isEndless(each: Case, direction: Direction): boolean {
  const { least, most } = lengthsOf(each.schemas)
  const hasLimits = least > 1 || most < Infinity || isUnique(each.schemas)
  const items = textCases(itemSchemas(each.schemas, 0))
  return !hasLimits && isPlain(each) && !items.some(isList) && takesAnyText(items, direction)
}

/** Returns true when no value of the type is refused, integers apart where only they are read. */
const isFree = (each: Case, direction: Direction): boolean =>
  casesOf([])
    .filter(({ type }) => type === each.type)
    .every((any) => isIncludedIn({ ...any, isInteger: each.isInteger }, [each], direction))

/** Returns true for a list whose items are alike, and without conditions on all of them. */
const isPlain = ({ schemas, values, isApproximate, choices }: Case): boolean =>
  values === undefined &&
  !isApproximate &&
  choices.length === 0 &&
  schemas.every(({ prefix, contains, not, if: condition }) =>
    [prefix, contains, not, condition].every((keyword) => keyword === undefined)
  )

function isIncludedIn(each: Case, cases: readonly Case[], direction: Direction): boolean {
  const [schema] = cases.flatMap(({ schemas }) => schemas)
  return schema === undefined || isIncluded(direction, direction.compareCases([each], cases, schema.origin))
}
