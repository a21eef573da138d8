/** A change of one operation, before its place in the files is known; and the comparison of members by their keys. */
import { dereference, type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import type { Spot } from '../schemas/comparison.ts'
import type { RuleId } from './rules.ts'

export interface Draft {
  readonly rule: RuleId
  /** Operation by its old path: `POST /pets`; undefined for the document. */
  readonly operation?: string
  /** Place in the operation: `body/name`, `query/limit`, `200/header/ETag`. */
  readonly place: string
  readonly text: string
  readonly spot: Spot
}

/** A part of both contracts. */
export interface Both<T> {
  readonly old: T
  readonly now: T
}

/** An operation before or after the change. */
export interface OperationPart {
  readonly document: JsonObject
  readonly path: string
  readonly pathItem: JsonObject
  readonly node: JsonObject
}

export const both = <T, U>({ old, now }: Both<T>, read: (part: T) => U): Both<U> => ({
  old: read(old),
  now: read(now)
})

/** Returns the object of a member, its reference followed. */
export function memberOf(document: JsonObject, node: JsonObject, key: string): JsonObject | undefined {
  const member: Json | undefined = own(node, key)
  return member === undefined ? undefined : dereference(document, member)
}

/** Returns the members of the object under a key, their references followed. */
export const membersOf = (document: JsonObject, node: JsonObject, key: string): Map<string, JsonObject> =>
  new Map(
    Object.entries(objectOf(own(node, key))).map(([name, member]) => [
      name,
      objectOf(dereference(document, member))
    ])
  )

interface Ways<T> {
  /** Returns the member that a key means, by default the one under the key. */
  readonly find?: (key: string, members: ReadonlyMap<string, T>) => T | undefined
  readonly removed?: (member: T, key: string) => Draft
  readonly added?: (member: T, key: string) => Draft
  readonly changed?: (pair: Both<T>, key: string) => readonly Draft[]
}

/** Compares the members of both contracts, those of the old one first. */
export function memberDrafts<T>(members: Both<ReadonlyMap<string, T>>, ways: Ways<T>): Draft[] {
  const { old, now } = members
  const { find = (key, all) => all.get(key), removed, added, changed } = ways
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [before, after] = [find(key, old), find(key, now)]
    const drafts =
      before === undefined
        ? added?.(after as T, key)
        : after === undefined
          ? removed?.(before, key)
          : changed?.({ old: before, now: after }, key)
    return drafts ?? []
  })
}

/** Returns the drafts below a place: `200/body`. */
export const placed = (place: string, drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, place: `${place}${draft.place}` }))

/** Writes both values: `style now form (was simple)`. */
export const nowText = (label: string, { old, now }: Both<unknown>): string =>
  `${label} now ${now} (was ${old})`
