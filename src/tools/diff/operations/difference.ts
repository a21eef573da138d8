/** Differences within one operation, before they are changes of a list: of members by their keys, and of schemas. */
import type { Origin, Schema } from '@contract-first/contract'
import { Direction, type Finding, findingsOf } from '../schemas/comparison.ts'
import { type Effect, isSameBothWays, type Role, wordFor } from '../schemas/rules.ts'
import { schemaItems } from '../schemas/unions.ts'
import type { RuleId } from './rules.ts'

export interface Difference {
  readonly rule: RuleId
  /** Operation by its old path: `POST /pets`; undefined for the contract. */
  readonly operation?: string
  /** Place in the operation: `body/name`, `query/limit`, `200/header/ETag`. */
  readonly place: string
  readonly text: string
  /** Place in the new contract. */
  readonly origin: Origin
}

/** A part of both contracts. */
export interface Both<T> {
  readonly old: T
  readonly now: T
}

export const both = <T, U>({ old, now }: Both<T>, read: (part: T) => U): Both<U> => ({
  old: read(old),
  now: read(now)
})

export const isKept = <T>({ old, now }: Both<T>): boolean => old === now

type Verb = 'added' | 'removed'

/** Members of one kind: parameters, statuses, links. */
interface Kind<T> {
  /** Place of members that are gone. */
  readonly origin?: Origin
  /** Returns the member that a key means, by default the one under the key. */
  readonly find?: (key: string, members: ReadonlyMap<string, T>) => T | undefined
  /** Describes a member that only one contract has, by default as the name that is added or gone. */
  readonly alone?: (member: T, key: string, verb: Verb) => Partial<Difference> & Named
  readonly changed?: (pair: Both<T>, key: string) => readonly Difference[]
}

interface Named extends Pick<Difference, 'rule' | 'place'> {
  readonly name: string
}

/** Compares the members of both contracts, those of the old one first. */
export function memberDifferences<T extends { readonly origin?: Origin }>(
  { old, now }: Both<ReadonlyMap<string, T>>,
  { find = (key, all) => all.get(key), alone, changed, ...kind }: Kind<T>
): Difference[] {
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [before, after] = [find(key, old), find(key, now)]
    if (before !== undefined && after !== undefined) return changed?.({ old: before, now: after }, key) ?? []
    const [member, verb] = after === undefined ? [before as T, 'removed' as const] : [after, 'added' as const]
    const { name = '', ...found } = alone?.(member, key, verb) ?? {}
    const origin = (verb === 'added' ? member.origin : undefined) ?? kind.origin
    const text = `${name} ${verb === 'added' ? 'added' : 'is gone'}`
    return name === '' ? [] : [{ origin, text, ...found } as Difference]
  })
}

/** Compares boolean members, each with the rule for a change to true and the rule for a change to false. */
export const flagDifferences = <Flag extends string>(
  { old, now }: Both<Readonly<Record<Flag, boolean>> & { readonly origin: Origin }>,
  rules: readonly (readonly [flag: Flag, set: RuleId, unset: RuleId])[],
  textOf: (flag: Flag, isSet: boolean) => string
): Difference[] =>
  rules.flatMap(([flag, set, unset]) => {
    const isSet = now[flag]
    if (old[flag] === isSet) return []
    return [{ rule: isSet ? set : unset, place: '', text: textOf(flag, isSet), origin: now.origin.at(flag) }]
  })

/** Returns the differences below a place: `200/body`. */
export const placed = (place: string, differences: readonly Difference[]): Difference[] =>
  differences.map((difference) => ({ ...difference, place: `${place}${difference.place}` }))

/** Writes both values: `style now form (was simple)`. */
export const nowText = (label: string, { old, now }: Both<unknown>): string =>
  `${label} now ${now} (was ${old})`

/** Schemas of a place that apply together; none for any value. */
export type Schemas = readonly Schema[]

export class SchemaChanges {
  readonly isRequest: boolean
  /** Clients send the old requests, the service sends the new answers. */
  readonly direction: Direction

  constructor(role: Role) {
    this.isRequest = role === 'request'
    this.direction = new Direction(role, !this.isRequest, schemaItems)
  }

  /** Returns the changes: requests may only widen, answers may only narrow. */
  changes({ old, now }: Both<Schemas>, place: string, origin: Origin): Difference[] {
    const [own, other] = this.isRequest ? [old, now] : [now, old]
    this.direction.restart()
    const compared = findingsOf(this.direction.compare(own, other, origin))
    const opposite = findingsOf(this.direction.reversed.compare(other, own, origin))
    if (compared.length + opposite.length === 0) return []
    const opposites = groupedByPath(opposite)
    const all = groupedByPath([...compared, ...opposite])
    const hurting = compared.filter((finding) => !isImplied(finding, all))
    const [hurtings, both] = [groupedByPath(hurting), groupedByPath([...hurting, ...opposite])]
    const harmless = opposite.filter(
      (each) => !isSameBothWays(each.kind) && !isOverlap(each, both) && !isAmong(each, hurtings)
    )
    const difference = (
      { kind, path, text, origin: at }: Finding,
      effects: readonly Effect[]
    ): Difference => ({
      rule: `${this.direction.role}-${wordFor(kind, effects)}`,
      place: `${place}${path}`,
      text,
      origin: at
    })
    const [narrowed, widened] = [['narrowed'], ['widened', 'lost']] as const
    const [worse, better] = this.isRequest ? [narrowed, widened] : [widened, narrowed]
    return [
      ...hurting.map((each) => {
        const open = each.isUncertain === true ? (['open'] as const) : []
        const changed = isAmong(each, opposites) ? (['changed'] as const) : []
        return difference(each, [...open, ...changed, ...worse])
      }),
      ...harmless.map((each) => difference(each, better))
    ]
  }
}

type ByPath = ReadonlyMap<string, readonly Finding[]>

const groupedByPath = (found: readonly Finding[]): ByPath => Map.groupBy(found, ({ path }) => path)

/** Recognises findings that follow from a required property that is new or removed, which is reported once. */
const isImplied = ({ path, isMinor }: Finding, all: ByPath): boolean =>
  isMinor === true && (all.get(path) ?? []).some(({ kind }) => kind === 'required-property')

/** Recognises values of several alternatives beside another change, such as that of the alternatives. */
const isOverlap = ({ kind, isUncertain, path }: Finding, all: ByPath): boolean =>
  kind === 'schema' && isUncertain === true && (all.get(path) ?? []).some((other) => other.kind !== kind)

const isAmong = ({ kind, path, text }: Finding, others: ByPath): boolean =>
  (others.get(path) ?? []).some(
    (other) => other.kind === kind && (other.text === text || other.isUncertain === true)
  )
