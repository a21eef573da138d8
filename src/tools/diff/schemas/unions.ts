/** Compares alternatives: each of the sender's must be one of the receiver's; and two cases of one type. */
import { type Json, type Origin, partsOf, type Schema } from '@contract-first/contract'
import { isUnique, itemSchemas, type Limits, prefixLength, requiredOf } from '../../samples/members.ts'
import { annotationFindings } from './annotations.ts'
import { accepts, type Case, casesOf, identitiesIn, shown, type Type, types } from './cases.ts'
import {
  type CasePair,
  certainIf,
  type Direction,
  differs,
  type Finding,
  findingsIn,
  type Item,
  isCertain,
  isEmpty,
  isFinding,
  isHarmless,
  isIncluded,
  isProven,
  isUnprovenItem,
  limitFindings,
  originOf,
  type SchemasPair,
  shownIn,
  unfinished
} from './comparison.ts'
import { demandFindings } from './demands.ts'
import { isClosed, isHidden, isRequired, lengthsOf, propertyOf } from './members.ts'
import { fewNumbers, numberFindings } from './numbers.ts'
import { objectItems } from './objects.ts'
import { stringItems } from './strings.ts'
import { samplesOf } from './values.ts'

interface Alternatives {
  readonly direction: Direction
  readonly sent: readonly Case[]
  readonly received: readonly Case[]
  readonly origin: Origin
}

/** Returns why values of the sender's schemas are not valid by the receiver's, and what is read otherwise. */
export function schemaItems(pair: SchemasPair): Item[] {
  const [sent, received] = [casesOf(pair.sent.schemas), casesOf(pair.received.schemas)]
  return [...unionItems({ ...pair, sent, received }), ...annotationFindings(pair)]
}

export function unionItems(alternatives: Alternatives): Item[] {
  const surplus = typeFindings(alternatives)
  const found = types.flatMap((type) => {
    const of = (cases: readonly Case[]) => cases.filter((each) => each.type === type)
    const [sent, received] = [of(alternatives.sent), of(alternatives.received)]
    return received.length === 0 ? [] : casesItems({ ...alternatives, sent, received })
  })
  // A change to integer is reported with the other types.
  const isReported = surplus.some(({ kind }) => kind === 'type')
  return [
    ...surplus,
    ...(isReported ? found.filter((each) => !isFinding(each) || each.kind !== 'type') : found)
  ]
}

/** Reports types that only the sender's values have. */
function typeFindings(alternatives: Alternatives): Finding[] {
  const { direction, sent, received } = alternatives
  const typesOf = (cases: readonly Case[]) => new Set(cases.map(({ type }) => type))
  const others = typesOf(received)
  const surplus = [...typesOf(sent).difference(others)]
  if (surplus.length === 0) return []
  const ends = schemasIn(alternatives)
  const finding = differs(ends, 'type', { sent: typeNames(sent), received: typeNames(received) })
  if (surplus.join() !== 'null' || others.size === 0) return [finding]
  return [{ ...finding, kind: 'null', text: direction.isSentNew ? 'may be null' : 'may not be null' }]
}

/** Returns the schemas of all cases. */
function schemasIn({ sent, received, ...pair }: Alternatives): SchemasPair {
  const all = (cases: readonly Case[]) => ({ schemas: [...new Set(cases.flatMap(({ schemas }) => schemas))] })
  return { ...pair, sent: all(sent), received: all(received) }
}

function typeNames(cases: readonly Case[]): string {
  const names = new Set(cases.map((each) => (each.isInteger ? 'integer' : each.type)))
  if (types.every((type) => names.has(type))) return 'any'
  return [...names].join(' or ') || 'nothing'
}

/** Compares cases of one type. */
function casesItems(alternatives: Alternatives): Item[] {
  const { direction, origin } = alternatives
  const received = listsMerged(alternatives.received)
  const [only, ...more] = received
  const isListed = received.some(({ values }) => values !== undefined)
  const sent = isListed ? alternatives.sent.map(listedIfFew) : alternatives.sent
  const [listed, others] = [
    sent.filter(({ values }) => values !== undefined),
    sent.filter(({ values }) => values === undefined)
  ]
  const isSingle = sent.length === 1 && more.length === 0
  return [
    ...valueItems({ ...alternatives, sent: listed }),
    ...others.flatMap((each) => {
      if (!isSingle || only === undefined) return alternativeItems(each, { ...alternatives, received })
      const pair = { direction, sent: each, received: only, origin }
      return [...caseItems(pair), ...overlapFindings(pair)]
    })
  ]
}

/** Lists the values of a range of few numbers, because a list may allow each of them. */
function listedIfFew(each: Case): Case {
  const values = each.type === 'number' && each.values === undefined ? fewNumbers(each) : undefined
  return values === undefined ? each : { ...each, values }
}

/** Merges alternatives that list values into one list. */
function listsMerged(cases: readonly Case[]): readonly Case[] {
  const lists = cases.filter(({ values }) => values !== undefined)
  const [first] = lists
  if (first === undefined || lists.length === 1) return cases
  const merged = { ...first, schemas: [], choices: [], values: lists.flatMap(({ values = [] }) => values) }
  return [merged, ...cases.filter(({ values }) => values === undefined)]
}

/** Checks listed values one by one. */
function valueItems(alternatives: Alternatives): Finding[] {
  const { direction, sent, received } = alternatives
  const answers = sent.flatMap((each) =>
    (each.values ?? [])
      .filter((value) => accepts(value, [each], direction.writer) !== 'no')
      .map((value) => ({ value, answer: accepts(value, received, direction.writer, each.schemas) }))
  )
  const ends = schemasIn(alternatives)
  const sign = direction.isSentNew ? '+' : '-'
  const refused = answers
    .filter(({ answer }) => answer === 'no')
    .map(({ value }) => `${sign} ${shown(value)}`)
  const text = `enum: ${[...new Set(refused)].join(', ')}`
  return [
    ...(refused.length > 0
      ? [{ kind: 'enum', path: '', text, origin: originOf(ends, 'enum') } as const]
      : []),
    ...(answers.some(({ answer }) => answer === 'unknown')
      ? [
          certainIf(
            false,
            differs(
              ends,
              'format',
              shownIn(ends, ({ format }) => format)
            )
          )
        ]
      : [])
  ]
}

/** Compares one alternative with all of the receiver's: with the one that takes all of it, or with its partner. */
function alternativeItems(each: Case, { direction, sent, received, origin }: Alternatives): Item[] {
  const candidates = received.filter((other) => !areDisjoint(each, other))
  const partner = partnerOf(each, sent, candidates)
  const ordered = [...new Set([...(partner === undefined ? [] : [partner]), ...candidates])]
  const compared: { readonly pair: CasePair; readonly items: Item[] }[] = []
  let overlapping: Item[] | undefined
  for (const other of ordered) {
    const pair = { direction, sent: each, received: other, origin }
    const items = caseItems(pair)
    if (isEmpty(items)) {
      const found = [...items, ...overlapFindings(pair)]
      if (isEmpty(found)) return found
      overlapping ??= found
    } else compared.push({ pair, items })
  }
  if (overlapping !== undefined) return overlapping
  const isOwn = partner !== undefined && (ordered.length === 1 || isHarmless(compared[0]?.items ?? []))
  const wider = isOwn ? undefined : compared.find(({ items }) => isIncluded(direction, items))
  // What was assumed of a pair under comparison may turn out to be wrong.
  if (wider !== undefined)
    return [...wider.items.filter((item) => !isFinding(item)), ...overlapFindings(wider.pair)]
  const [own] = compared
  if (own === undefined || partner === undefined)
    return [alternativeFinding(each, direction, origin, isGone(each, compared))]
  const isExpected = (name: string) =>
    isRequired(each.schemas, name) || isHidden(each.schemas, name, direction.flag)
  const isElsewhere = (other: Case) => [...requiredOf(other.schemas)].some((name) => !isExpected(name))
  const isTold = isOwn || ordered.slice(1).every(isElsewhere)
  return [...(isTold ? own.items : own.items.map(isUnprovenItem)), ...overlapFindings(own.pair)]
}

/** Most alternatives that a sample is tried with. */
const maxTried = 24

/** Returns true when no alternative takes the values of one: a sample shows it, or the only one that is left. */
function isGone(
  each: Case,
  compared: readonly { readonly pair: CasePair; readonly items: Item[] }[]
): boolean {
  const [only, ...others] = compared
  if (only === undefined) return true
  // Only optional properties differ: one alternative leaves open what the other restricts.
  if (compared.some(({ items }) => isHarmless(items))) return true
  if (others.length === 0 && findingsIn(only.items).some(isCertain)) return true
  const { direction } = only.pair
  const received = compared.map(({ pair }) => pair.received)
  const isRefused = (value: Json) => accepts(value, received, direction.writer) === 'no'
  const mayTry = !each.isApproximate && others.length < maxTried && direction.mayTry()
  return mayTry && samplesOf(each, direction.writer).some(isRefused)
}

function alternativeFinding(
  each: Case,
  { isSentNew }: Direction,
  origin: Origin,
  isProven: boolean
): Finding {
  const [branch] = each.branches
  const text = `alternative ${alternativeName(each)} ${isSentNew ? 'added' : 'is gone'}`
  const at = isSentNew && branch !== undefined ? branch.origin : origin
  return certainIf(isProven, { kind: 'alternative', path: '', text, origin: at })
}

/** Names an alternative: by its schema, by the value that marks it, or by its type. */
function alternativeName(each: Case): string {
  const [mark] = [...marksOf(each).values].filter(([, values]) => values.size === 1)
  const text = mark && `${mark[0]}=${String(constantsOf(each.schemas, mark[0])[0])}`
  return each.branches[0]?.name ?? text ?? (each.isInteger ? 'integer' : each.type)
}

/** Returns the alternative of the same name, with the same values in the same properties, or in the same position. */
function partnerOf(each: Case, sent: readonly Case[], received: readonly Case[]): Case | undefined {
  const likeness = (other: Case): number => {
    const names = new Set(other.branches.map(({ name }) => name))
    const isNamesake = each.branches.some(({ name }) => name !== undefined && names.has(name))
    const { values: others } = marksOf(other)
    const isMarked = [...marksOf(each).values].some(
      ([name, values]) => values.symmetricDifference(others.get(name) ?? new Set()).size === 0
    )
    return (isNamesake ? 2 : 0) + (isMarked ? 1 : 0)
  }
  const [alike] = received.toSorted((a, b) => likeness(b) - likeness(a))
  if (alike !== undefined && likeness(alike) > 0) return alike
  return sent.length === received.length ? received[sent.indexOf(each)] : undefined
}

/** Returns true when a required property of the one alternative has other values in the other one, or is refused there. */
const areDisjoint = (a: Case, b: Case): boolean =>
  [...marksOf(a).values].some(([name, values]) => marksOf(b).values.get(name)?.isDisjointFrom(values)) ||
  isRefusing(a, b) ||
  isRefusing(b, a)

/** Returns true when one alternative refuses a property that only the other one requires. */
const isRefusing = (a: Case, b: Case): boolean =>
  marksOf(b).required.some(
    (name) => !marksOf(a).required.includes(name) && isClosed(propertyOf(a.schemas, name))
  )

/** Properties by which alternatives of objects are told apart. */
interface Marks {
  /** Properties that every object has, from the client and from the service. */
  readonly required: readonly string[]
  /** Values of those that list them. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>
}

const marked = new WeakMap<Case, Marks>()

function marksOf(each: Case): Marks {
  const known = marked.get(each)
  if (known !== undefined) return known
  const { type, schemas } = each
  const isHere = (name: string) =>
    !isHidden(schemas, name, 'readOnly') && !isHidden(schemas, name, 'writeOnly')
  const required = type === 'object' ? [...requiredOf(schemas)].filter(isHere) : []
  const listed = required.map((name) => [name, identitiesIn(constantsOf(schemas, name))] as const)
  const marks = { required, values: new Map(listed.filter(([, values]) => values.size > 0)) }
  marked.set(each, marks)
  return marks
}

/** Returns the values that the schemas of a property list. */
function constantsOf(schemas: readonly Schema[], name: string): readonly Json[] {
  const lists = propertyOf(schemas, name).schemas.flatMap((schema) =>
    partsOf(schema).map((part) => (part.const === undefined ? (part.enum ?? []) : [part.const]))
  )
  return lists.toSorted((a, b) => a.length - b.length).find(({ length }) => length > 0) ?? []
}

/** Returns the branches of each `oneOf` that the values of a case do not match. */
const othersIn = ({ choices }: Case): Schema[] =>
  choices.flatMap(({ branches, chosen }) => branches.filter((_branch, index) => index !== chosen))

/** Reports values of the sender that may be in several branches of the receiver's `oneOf`, which refuses them. */
function overlapFindings({ direction, sent, received, origin }: CasePair): Finding[] {
  const { reversed, isSentNew, writer } = direction
  /** The value is in no second branch of the sender's own `oneOf`: that rules out what is part of such a branch. */
  const isPart = (branch: Schema, own: Schema) =>
    isProven(reversed, [{ segment: '', pair: reversed.compare([branch], [own], origin) }])
  const isRuledOut = (branch: Schema) => othersIn(sent).some((own) => isPart(branch, own))
  const shared = othersIn(received).flatMap((branch) => {
    const cases = casesOf([branch]).filter((other) => other.type === sent.type && !areDisjoint(sent, other))
    return cases.length === 0 || isRuledOut(branch) ? [] : cases
  })
  if (shared.length === 0) return []
  // For objects, `oneOf` usually means the intended alternative, so that an overlap is not certain.
  const isScalar = sent.type !== 'object' && sent.type !== 'array' && !sent.isApproximate
  const isIn = (value: Json, cases: readonly Case[]) => accepts(value, cases, writer) === 'yes'
  const isInSeveral = (value: Json) =>
    received.choices.some(
      ({ branches }) => branches.filter((branch) => isIn(value, casesOf([branch]))).length > 1
    )
  const isShown =
    isScalar &&
    direction.mayTry() &&
    samplesOf(sent, writer).some((value) => isIn(value, [sent]) && isInSeveral(value))
  const verb = isSentNew ? 'may now be' : isShown ? 'no longer accepts' : 'may refuse'
  const text = `${verb} a value of several alternatives`
  return [certainIf(isShown, { kind: 'schema', path: '', text, origin })]
}

const readers: Readonly<Record<Type, (pair: CasePair) => Item[]>> = {
  null: () => [],
  boolean: () => [],
  number: numberFindings,
  string: stringItems,
  array: arrayItems,
  object: objectItems
}

/** Returns why values of the one case are not values of the other. */
function caseItems(pair: CasePair): Item[] {
  const { direction, sent, received, origin } = pair
  if (direction.isSpent()) return [unfinished(origin)]
  const { values } = received
  const found = [
    ...(values === undefined ? [] : [differs(pair, 'enum', { sent: 'any', received: shown([...values]) })]),
    ...readers[sent.type](pair),
    ...demandFindings(pair),
    ...(received.isApproximate ? [uncompared(pair)] : [])
  ]
  // A case that allows more than its schema proves nothing.
  return sent.isApproximate ? found.map(isUnprovenItem) : found
}

const uncompared = ({ origin }: CasePair): Finding => ({
  kind: 'alternative',
  path: '',
  text: 'has alternatives or conditions that are not compared',
  origin,
  isUncertain: true
})

/** Returns why lists of the one case are not lists of the other. */
function arrayItems(pair: CasePair): Item[] {
  const [own, other] = [reachedLengths(pair.sent.schemas), lengthsOf(pair.received.schemas)]
  const isNarrower = own.most > 1 && !isUnique(pair.sent.schemas) && isUnique(pair.received.schemas)
  return [
    ...limitFindings(pair, ['minItems', 'maxItems'], own, other),
    ...(isNarrower ? [differs(pair, 'uniqueItems', { sent: 'false', received: 'true' })] : []),
    ...itemsItems(pair, Math.min(own.most, other.most))
  ]
}

/** Returns the lengths that lists have by their limits, by what they contain, and by how many items differ. */
function reachedLengths(schemas: readonly Schema[]): Limits {
  const { least, most } = lengthsOf(schemas)
  const contained = schemas.flatMap(({ contains }) => contains?.min ?? [])
  const length = prefixLength(schemas)
  const cases = isUnique(schemas) ? casesOf(itemSchemas(schemas, length)) : []
  const counts = cases.map(({ values }) => values?.length ?? Infinity)
  const different = cases.length === 0 ? Infinity : counts.reduce((sum, count) => sum + count, length)
  return { least: Math.max(least, ...contained), most: Math.min(most, different) }
}

/** Compares items one by one up to the length of a tuple, then all others. */
function itemsItems({ direction, sent, received, origin }: CasePair, most: number): Item[] {
  const length = prefixLength([...sent.schemas, ...received.schemas])
  const part = (segment: string, index: number): Item => {
    const [own, other] = [itemSchemas(sent.schemas, index), itemSchemas(received.schemas, index)]
    return { segment, pair: direction.compare(own, other, origin) }
  }
  const tuple = Array.from({ length: Math.min(length, most) }, (_none, index) => part(`/${index}`, index))
  return most > length ? [...tuple, part('/*', length)] : tuple
}
