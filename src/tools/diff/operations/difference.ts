/** A difference within one operation, before it is a change of a list; and the comparison of members by their keys. */
import type { Origin } from '@contract-first/contract'
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

interface Ways<T> {
  /** Returns the member that a key means, by default the one under the key. */
  readonly find?: (key: string, members: ReadonlyMap<string, T>) => T | undefined
  readonly removed?: (member: T, key: string) => Difference
  readonly added?: (member: T, key: string) => Difference
  readonly changed: (pair: Both<T>, key: string) => readonly Difference[]
}

/** Compares the members of both contracts, those of the old one first. */
export function memberDifferences<T>(
  { old, now }: Both<ReadonlyMap<string, T>>,
  ways: Ways<T>
): Difference[] {
  const { find = (key, all) => all.get(key), removed, added, changed } = ways
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [before, after] = [find(key, old), find(key, now)]
    if (before === undefined) return added?.(after as T, key) ?? []
    if (after === undefined) return removed?.(before, key) ?? []
    return changed({ old: before, now: after }, key)
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
    const at = { place: '', origin: now.origin.at(flag) }
    return old[flag] === isSet ? [] : [{ rule: isSet ? set : unset, text: textOf(flag, isSet), ...at }]
  })

/** Returns the differences below a place: `200/body`. */
export const placed = (place: string, differences: readonly Difference[]): Difference[] =>
  differences.map((difference) => ({ ...difference, place: `${place}${difference.place}` }))

/** Writes both values: `style now form (was simple)`. */
export const nowText = (label: string, { old, now }: Both<unknown>): string =>
  `${label} now ${now} (was ${old})`
