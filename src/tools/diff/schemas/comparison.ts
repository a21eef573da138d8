/** The comparison of schemas in one direction, and its results: findings, and those of the parts of a value. */
import {
  digestOf,
  type Flag,
  hiddenFlags,
  idOf,
  type Origin,
  type Schema,
  target,
  type Writer
} from '@contract-first/contract'
import type { Limits } from '../../samples/members.ts'
import { type Case, shown } from './cases.ts'
import type { Kind, Role } from './rules.ts'

export interface Finding {
  readonly kind: Kind
  /** Path in the value: `/tags/*`. */
  readonly path: string
  /** Description of the change: `maximum now 5 (was 10)`. */
  readonly text: string
  /** Place in the new contract. */
  readonly origin: Origin
  /** True when neither acceptance nor refusal of a value is proven. */
  readonly isUncertain?: true
  /** True for a difference that receivers which ignore undeclared members do not notice. */
  readonly isMinor?: true
}

/** Result of a part of the value. */
export interface Part {
  readonly segment: string
  readonly pair: Pair
  /** True when another alternative may allow what this one refuses. */
  readonly isUnproven?: true
  /** True for what a text holds, which has the place of the text. */
  readonly isContent?: true
}

export type Item = Finding | Part

/** Result of a pair of schemas. */
export interface Pair {
  items: readonly Item[]
  /** True while it is compared: it has no findings yet. */
  isOpen?: boolean
}

/** Returns the finding, marked as uncertain unless it is proven. */
export const certainIf = (isProven: boolean, finding: Finding): Finding =>
  isProven ? finding : { ...finding, isUncertain: true }

export const isFinding = (item: Item): item is Finding => 'kind' in item

/** Pairs and cases that one message may compare: schemas can name each other so that their meaning takes exponential work. */
const maxSteps = 20_000
/** Differences of one message that are tried with samples. */
const maxTrials = 300

/** Compares two lists of schemas that differ. */
type Judge = (pair: SchemasPair) => Item[]

/**
 * One direction of the comparison: the sender's schemas are those of one contract, the receiver's those of the other. Each
 * pair of schemas is compared once: its result is made first and filled later, so that cycles close; a pair under
 * comparison is assumed to hold.
 */
export class Direction {
  readonly role: Role
  readonly isSentNew: boolean
  /** Side that writes the messages. */
  readonly writer: Writer
  /** Flag of properties that the messages do not have. */
  readonly flag: Flag
  readonly reversed: Direction
  readonly #judge: Judge
  readonly #left: { steps: number; trials: number }
  readonly #pairs = new Map<string, Pair>()

  /** @param reversed the other direction, which is made by default */
  constructor(role: Role, isSentNew: boolean, judge: Judge, reversed?: Direction) {
    this.role = role
    this.isSentNew = isSentNew
    this.writer = role === 'request' ? 'client' : 'service'
    this.flag = hiddenFlags[this.writer]
    this.#judge = judge
    this.#left = reversed === undefined ? { steps: maxSteps, trials: maxTrials } : reversed.#left
    this.reversed = reversed ?? new Direction(role, !isSentNew, judge, this)
  }

  /** @param around place of the innermost part of the new contract that still exists */
  compare(senders: readonly Schema[], receivers: readonly Schema[], around: Origin): Pair {
    const [sent, received] = [senders.map(target), receivers.map(target)]
    if (areSame(sent, received)) return same
    const key = `${sent.map(idOf).sort()} ${received.map(idOf).sort()}`
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    const [first] = this.isSentNew ? sent : received
    const origin = first?.origin ?? around
    if (this.isSpent()) return { items: [unfinished(origin)] }
    const pair: Pair = { items: [], isOpen: true }
    this.#pairs.set(key, pair)
    pair.items = this.#judge({
      direction: this,
      sent: { schemas: sent },
      received: { schemas: received },
      origin
    })
    pair.isOpen = false
    return pair
  }

  /** Begins another message. */
  restart(): void {
    this.#left.steps = maxSteps
    this.#left.trials = maxTrials
  }

  /** Spends a step; returns true when none was left. */
  isSpent(): boolean {
    return this.#left.steps-- <= 0
  }

  /** Spends a trial with samples; returns false when none was left. */
  mayTry(): boolean {
    return this.#left.trials-- > 0
  }
}

const same: Pair = { items: [] }

const areSame = (sent: readonly Schema[], received: readonly Schema[]): boolean =>
  sent.length === received.length &&
  sent.every((schema, index) => {
    const other = received[index] ?? schema
    return other === schema || digestOf(schema) === digestOf(other)
  })

/** Reports schemas whose comparison takes more steps than it may. */
export const unfinished = (origin: Origin): Finding => ({
  kind: 'comparison',
  path: '',
  text: 'takes too many steps to compare',
  origin,
  isUncertain: true
})

/** Two cases of one type, or the schemas of several. */
export interface CasePair<Side extends Pick<Case, 'schemas'> = Case> {
  readonly direction: Direction
  readonly sent: Side
  readonly received: Side
  readonly origin: Origin
}
export type SchemasPair = CasePair<Pick<Case, 'schemas'>>

interface DifferentValues {
  /** Keyword that differs; the kind by default. */
  readonly keyword?: string
  /** Name of the keyword in the message, if it differs. */
  readonly label?: string
  readonly sent: string
  readonly received: string
}

/** Makes a finding: `maximum now 5 (was 10)`. */
export function differs(pair: SchemasPair, kind: Kind, values: DifferentValues): Finding {
  const { keyword = kind, label = keyword, sent, received } = values
  const [is, was] = pair.direction.isSentNew ? [sent, received] : [received, sent]
  return { kind, path: '', text: `${label} now ${is} (was ${was})`, origin: originOf(pair, keyword) }
}

/** Writes the values of a keyword for a message: `none`, `^a and b$`. */
export function shownIn({ sent, received }: SchemasPair, read: (schema: Schema) => string | undefined) {
  const written = ({ schemas }: SchemasPair['sent']) =>
    [...new Set(schemas.flatMap((schema) => read(schema) ?? []).map(shown))].sort().join(' and ') || 'none'
  return { sent: written(sent), received: written(received) }
}

/** Returns the place of the keyword in the new contract; that of the schema if the keyword is gone. */
export function originOf({ direction, sent, received, origin }: SchemasPair, keyword: string): Origin {
  const { schemas } = direction.isSentNew ? sent : received
  const member = members[keyword] ?? (keyword as keyof Schema)
  const schema = schemas.find((each) => each[member] !== undefined)
  return schema?.origin.at(keyword) ?? schemas[0]?.origin ?? origin
}

/** Members of the model whose keywords have other names. */
const members: Readonly<Record<string, keyof Schema>> = {
  type: 'types',
  additionalProperties: 'additional',
  propertyNames: 'names',
  contentEncoding: 'content',
  contentMediaType: 'content'
}

/** Compares bounds of lengths, or of counts of items or properties. */
export function limitFindings(
  pair: CasePair,
  [minimum, maximum]: readonly [Kind, Kind],
  sent: Limits,
  received: Limits
): Finding[] {
  const finding = (kind: Kind, key: keyof Limits) =>
    differs(pair, kind, { sent: shownLimit(sent[key]), received: shownLimit(received[key]) })
  return [
    ...(sent.least < received.least ? [finding(minimum, 'least')] : []),
    ...(sent.most > received.most ? [finding(maximum, 'most')] : [])
  ]
}

const shownLimit = (limit: number): string => (Number.isFinite(limit) ? String(limit) : 'none')

/** Yields the findings at any depth, each pair once. A pair under comparison has none yet. */
export function* findingsIn(items: readonly Item[], seen = new Set<Pair>()): Generator<Finding> {
  for (const item of items)
    if (isFinding(item)) yield item
    else if (!seen.has(item.pair)) {
      seen.add(item.pair)
      const inner = findingsIn(item.pair.items, seen)
      yield* item.isUnproven ? inner.map(unproven) : inner
    }
}

/** Returns a difference that may be none, because another alternative may allow what this one refuses. */
const unproven = (finding: Finding): Finding =>
  finding.isMinor === true ? finding : { ...finding, kind: 'alternative', isUncertain: true }

export const isUnprovenItem = (item: Item): Item =>
  isFinding(item) ? unproven(item) : { ...item, isUnproven: true }

export const isEmpty = (items: readonly Item[]): boolean => findingsIn(items).next().done === true

/** Returns true when only minor differences were found. */
export const isHarmless = (items: readonly Item[]): boolean =>
  findingsIn(items).every(({ isMinor }) => isMinor === true)

export const isCertain = ({ isUncertain, isMinor }: Finding): boolean =>
  isUncertain !== true && isMinor !== true

/** Returns true when all values are valid, those with undeclared members included. */
export function isIncluded({ isSentNew }: Direction, items: readonly Item[]): boolean {
  const lost = isSentNew ? 'property-removed' : 'property-added'
  return findingsIn(items).every(({ isMinor, kind }) => isMinor === true && kind !== lost)
}

/** Returns true when all values are proven to be valid, without relying on a pair that is being compared. */
export const isProven = (direction: Direction, items: readonly Item[]): boolean =>
  isIncluded(direction, items) && isSettled(items)

function isSettled(items: readonly Item[], seen = new Set<Pair>()): boolean {
  return items.every((item) => {
    if (isFinding(item) || seen.has(item.pair)) return true
    seen.add(item.pair)
    return item.pair.isOpen !== true && isSettled(item.pair.items, seen)
  })
}

/** Most places of one changed part: 28 levels that name the next one twice have 2^28. */
const maxPlaces = 100
/** Most parts that are visited for one message before each is reported at one place only. */
const maxVisits = 20_000

/**
 * Returns the findings of each place, certain ones first. A part that is shared by more places than are listed has one
 * more line, for all others.
 */
export function findingsOf(root: Pair): Finding[] {
  const found = new Map<string, Finding>()
  const visits = new Map<Pair, number>()
  const open = new Set<Pair>()
  let left = maxVisits
  const visit = (pair: Pair, path: string, isDoubted: boolean, content?: string): void => {
    if (open.has(pair) || pair.items.length === 0) return
    const count = visits.get(pair) ?? 0
    const most = left-- > 0 ? maxPlaces : 1
    if (count > most) return
    visits.set(pair, count + 1)
    open.add(pair)
    for (const item of pair.items) {
      if (!isFinding(item)) {
        const inner = path + item.segment
        visit(item.pair, inner, isDoubted || item.isUnproven === true, item.isContent ? inner : content)
        continue
      }
      const own = { ...(isDoubted ? unproven(item) : item), path: path + item.path }
      const at = own.path === content ? ofContent(own) : own
      const text = count === most ? at.text + elsewhere : at.text
      const key = [at.kind, at.path, text].join()
      if (found.get(key)?.isUncertain !== undefined || !found.has(key)) found.set(key, { ...at, text })
    }
    open.delete(pair)
  }
  visit(root, '', false)
  return [...found.values()].sort((a, b) => Number(a.isUncertain ?? false) - Number(b.isUncertain ?? false))
}

const elsewhere = ', and in more places'

/** Tells a difference of the whole content from one of the text. */
const ofContent = (finding: Finding): Finding =>
  finding.isMinor ? finding : { ...finding, kind: 'contentSchema', text: `contentSchema: ${finding.text}` }
