/** Judges changes of a place that is written as text by its texts: `5` is a number and a word. */
import { type Json, type Origin, type Schema, typeOf } from '@contract-first/contract'
import { isUnique, itemSchemas } from '../../samples/members.ts'
import { type Answer, accepts, type Case, casesOf, identity, isInteger, types } from '../schemas/cases.ts'
import { type Direction, isIncluded } from '../schemas/comparison.ts'
import { lengthsOf, namesOf, othersOf, propertyOf } from '../schemas/members.ts'
import { samplesOf } from '../schemas/strings.ts'
import { type Both, both, type Difference } from './difference.ts'
import { listOf } from './rules.ts'
import type { SchemaChanges, Schemas } from './schema-changes.ts'

/** Way of writing lists (RFC 6570; OpenAPI 3.2.0, section 4.12.2.3). */
export interface Layout {
  /** Stands between the items of a list; undefined where each item has a text of its own. */
  readonly delimiter: string | undefined
  /** True where an item may hold the delimiter, because it is percent-encoded. */
  readonly isEncoded: boolean
}

export const exploded: Layout = { delimiter: undefined, isEncoded: true }

export interface TextPlace {
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

type Verdict = { readonly answer: 'yes' | 'unknown' } | { readonly answer: 'no'; readonly example: string }

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
    return [...others, { ...at, rule, text: `${verb} the text ${JSON.stringify(verdict.example)}` }]
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
const textOf = (value: Json): string => (typeof value === 'string' ? value : identity(value))

/** Decides whether every text of a sender is read as a valid value. `yes` is proven by cases, `no` by a text. */
function verdictOf(sent: TextSide, received: TextSide, direction: Direction): Verdict {
  const scalars = sent.cases.filter((each) => !isList(each))
  const limits = [...sent.cases, ...received.cases].flatMap(limitsIn)
  const samples = [
    ...scalars.flatMap((each) => valuesOf(each, direction, limits).map((value) => [value])),
    ...sent.cases.filter(isList).flatMap((each) => listsOf(each, direction, limits))
  ]
  const answers = samples.flatMap((items) => {
    const texts = written(items, sent.layout, sent.cases.some(isList))
    return texts === undefined
      ? []
      : [{ texts, answer: readAs(texts, received, direction, items.length, sent.layout) }]
  })
  const refused = answers.find(({ answer }) => answer === 'no')
  if (refused !== undefined)
    return { answer: 'no', example: refused.texts.join(sent.layout.delimiter ?? '&') }
  const isListed = sent.cases.every(({ values = [] }) => values.length > 0 && values.length <= maxSamples)
  if (isListed && answers.every(({ answer }) => answer === 'yes')) return { answer: 'yes' }
  const isWhole = sent.cases.every((each) => isTaken(each, sent, received, direction))
  return { answer: isWhole ? 'yes' : 'unknown' }
}

/** Most values of a case that are tried. */
const maxSamples = 24

/** Returns numbers around the limits of a case, or of the items of a list. */
function limitsIn(each: Case): number[] {
  if (isList(each))
    return textCases(itemSchemas(each.schemas, 0))
      .filter((item) => !isList(item))
      .flatMap(limitsIn)
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
  const limits = each.schemas.flatMap((schema) => keywords.flatMap((key) => schema[key] ?? [])).map(Number)
  return limits.flatMap((limit) => [limit, limit + 1, limit - 1])
}

/** Returns values of a case: those that it lists, otherwise some. */
function valuesOf(each: Case, direction: Direction, limits: readonly number[]): readonly Json[] {
  if (each.values !== undefined) return each.values.slice(0, maxSamples)
  const numbers = [...limits, 0, 1, 7, -1, 123456, 0.5]
  const isString = each.type === 'string'
  const values = isString
    ? numbers.map(String)
    : numbers.filter((value) => !each.isInteger || isInteger(value))
  const found = values.filter((value) => accepts(value, [each], direction.writer) === 'yes')
  return isString ? [...samplesOf(each.schemas), ...found] : found
}

/** Returns short lists of a case, of its items and of what it contains. */
function listsOf(each: Case, direction: Direction, limits: readonly number[]): Json[][] {
  const { least, most } = lengthsOf(each.schemas)
  const some = (schemas: Schemas) => {
    const items = textCases(schemas).filter((item) => !isList(item) && item.type !== 'object')
    return items.flatMap((item) => valuesOf(item, direction, limits))
  }
  const [first = [], second = []] = [0, 1].map((index) => some(itemSchemas(each.schemas, index)))
  const contained = each.schemas.flatMap(({ contains }) => (contains ? some([contains.schema]) : []))
  const starts = [...contained, ...first]
  const candidates = starts.flatMap((item, index) => {
    const others = [...new Set([item, starts[index + 1] ?? item, second[0] ?? item])]
    return [[item], ...others.map((other) => [item, other])].slice(least <= 1 ? 0 : 1, most > 1 ? 4 : 1)
  })
  return candidates.filter((list) => accepts(list, [each], direction.writer) === 'yes')
}

/** Returns the texts of the items; undefined for an item that holds the delimiter. */
function written(
  items: readonly Json[],
  { delimiter, isEncoded }: Layout,
  isSplit: boolean
): string[] | undefined {
  const texts = items.map(textOf)
  if (delimiter === undefined) return texts
  const isAmbiguous = (isSplit || !isEncoded) && texts.some((text) => text.includes(delimiter))
  return isAmbiguous ? undefined : [texts.join(delimiter)]
}

/** Returns whether the receiver reads the texts as a valid value, with as many items as were written. */
function readAs(
  texts: readonly string[],
  received: TextSide,
  direction: Direction,
  count: number,
  sentIn: Layout
): Answer {
  const { cases, layout } = received
  const [first = '', ...more] = texts
  const pieces = layout.delimiter === undefined ? texts : first === '' ? [] : first.split(layout.delimiter)
  const lists = cases.filter(isList)
  const scalars = cases.filter((each) => !isList(each))
  const isPrimitive =
    scalars.some(({ type }) => type === 'string') || typeof primitive(first, scalars) !== 'string'
  const isSame = layout.delimiter === sentIn.delimiter
  if (lists.length > 0 && (pieces.length > 1 || !isPrimitive)) {
    if (!isSame && pieces.length !== count) return 'no'
    const items = (index: number) => lists.flatMap(({ schemas }) => textCases(itemSchemas(schemas, index)))
    const read = pieces.map((piece, index) => primitive(piece, items(index)))
    const answers = read.map((item, index) => accepts(item, items(index), direction.writer))
    return answers.find((each) => each === 'unknown') ?? accepts(read, lists, direction.writer)
  }
  return more.length > 0 || (!isSame && count > 1) ? 'no' : takes(first, scalars, direction)
}

/** Returns whether a text is valid as a single value. */
function takes(text: string, cases: readonly Case[], direction: Direction): Answer {
  const value = primitive(text, cases)
  const alike = cases.filter(({ type }) => type === typeOf(value))
  return accepts(value, alike, direction.writer)
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

/** Returns true when no value of the type is refused. */
const isFree = ({ type, values, schemas, isInteger: isWhole, isApproximate, choices }: Case): boolean =>
  !isApproximate &&
  choices.length === 0 &&
  (values === undefined || type === 'null' || values.length === 2) &&
  !(type === 'number' && isWhole && schemas.some(({ format }) => format !== undefined)) &&
  schemas.every((schema) => constraints.every((key) => schema[key] === undefined))

const constraints = [
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'] as const),
  ...(['minLength', 'maxLength', 'pattern', 'not', 'if', 'const', 'enum', 'prefix', 'contains'] as const)
]

/** Returns true when any text is read as a valid value: as a text, or as a list of texts. */
const takesAnyText = (cases: readonly Case[]): boolean =>
  cases.some(({ type }) => type === 'string' || type === 'array') &&
  cases.every((each) => isFree(each) && (!isList(each) || isEndless(each)))

function isEndless({ schemas }: Case): boolean {
  const { least, most } = lengthsOf(schemas)
  const isFreeOfLimits = least <= 1 && most === Infinity && !isUnique(schemas)
  return isFreeOfLimits && takesAnyText(textCases(itemSchemas(schemas, 0)))
}

/** Returns true when certainly every text of a case is read as a valid value. */
function isTaken(each: Case, sent: TextSide, received: TextSide, direction: Direction): boolean {
  const { cases, layout } = received
  // A single text is a list of one where the receiver has lists.
  const { least, most } = isList(each) ? lengthsOf(each.schemas) : { least: 1, most: 1 }
  const isAlike = most <= 1 || sent.layout.delimiter === layout.delimiter
  const [list, ...others] = cases.toSorted((a, b) => Number(isList(b)) - Number(isList(a)))
  if (list === undefined || !isList(list)) {
    if (takesAnyText(cases)) return most <= 1 || sent.layout.delimiter !== undefined
    return !isList(each) && takesTexts(each, cases, direction)
  }
  if (!isAlike || takesAnyText(cases)) return isAlike
  if (others.length > 0 || !isPlain(list) || (isList(each) && !isPlain(each))) return false
  const limits = lengthsOf(list.schemas)
  const items = isList(each) ? textCases(itemSchemas(each.schemas, 0)) : [each]
  const wanted = textCases(itemSchemas(list.schemas, 0))
  const isSplit =
    !isList(each) && each.type === 'string' && layout.delimiter !== undefined && !layout.isEncoded
  const isWithin = least >= limits.least && most <= limits.most && (most <= 1 || !isUnique(list.schemas))
  return isWithin && !isSplit && items.every((item) => takesTexts(item, wanted, direction))
}

/** Returns true for a list whose items are alike, and without conditions on all of them. */
const isPlain = ({ schemas, isApproximate }: Case): boolean =>
  !isApproximate &&
  schemas.every(({ prefix, contains, not, if: condition }) =>
    [prefix, contains, not, condition].every((keyword) => keyword === undefined)
  )

/** Returns true when every text of a case is valid as a single value of others. */
function takesTexts(each: Case, cases: readonly Case[], direction: Direction): boolean {
  if (takesAnyText(cases)) return true
  const [schema] = each.schemas
  // Numbers and booleans are read before texts.
  const isReadFirst = ({ type }: Case) => type === 'number' || type === 'boolean'
  const isTextBesideOthers =
    each.type === 'string' && cases.some((other) => isReadFirst(other) && !isFree(other))
  if (each.isApproximate || schema === undefined || isList(each) || isTextBesideOthers) return false
  if (each.values !== undefined)
    return (
      each.type !== 'null' && each.values.every((value) => takes(textOf(value), cases, direction) === 'yes')
    )
  const alike = cases.filter(({ type }) => type === each.type)
  return alike.length > 0 && isIncluded(direction, direction.compareCases([each], alike, schema.origin))
}
