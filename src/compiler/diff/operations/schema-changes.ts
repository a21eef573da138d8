/** Compares the schemas of one place of a message in both directions, and names the changes. */
import type { Json, JsonObject } from '../../compile/documents.ts'
import { Reading } from '../../evaluate/evaluate.ts'
import { Budget } from '../cases/budget.ts'
import { casesOf, types } from '../cases/cases.ts'
import { type Role, Side } from '../cases/side.ts'
import { type Finding, isHarmless, type Spot, unfinished } from '../schemas/comparison.ts'
import { Identity } from '../schemas/identity.ts'
import { Inclusion } from '../schemas/inclusion.ts'
import { isSameBothWays, wordFor } from '../schemas/kinds.ts'
import type { Both, Draft } from './draft.ts'

interface SchemaPair extends Both<Json> {
  readonly place: string
  readonly spot: Spot
}

/** A schema with the contract that it belongs to. */
interface End {
  readonly side: Side
  readonly schema: Json
}

/** Returns whether all values of a sender's schema are values of a receiver's. */
type Includes = (sent: Json, received: Json) => boolean

/** The comparers of both directions, which share a budget. */
export type SchemaComparers = Readonly<Record<Role, SchemaChanges>>

export function schemaComparers(documents: Both<JsonObject>): SchemaComparers {
  const budget = new Budget()
  return {
    request: new SchemaChanges('request', documents, budget),
    response: new SchemaChanges('response', documents, budget)
  }
}

export class SchemaChanges {
  readonly isRequest: boolean
  readonly #role: Role
  readonly #budget: Budget
  readonly #sides: Both<Side>
  readonly #inclusion: Inclusion
  /** Returns whether parts of the contracts, and all to which they refer, have the same text. */
  readonly isUnchanged: (parts: Both<Json>) => boolean

  constructor(role: Role, { old, now }: Both<JsonObject>, budget: Budget) {
    this.isRequest = role === 'request'
    this.#role = role
    this.#budget = budget
    const texts = new Identity(new Reading(old, role, false), new Reading(now, role, false), new Set())
    this.isUnchanged = (parts) => texts.isSame([parts.old], [parts.now])
    const [before, after] = [new Side(old, false, role, budget), new Side(now, true, role, budget)]
    this.#sides = { old: before, now: after }
    this.#inclusion =
      role === 'request' ? new Inclusion(role, before, after) : new Inclusion(role, after, before)
  }

  /** Returns the types of the values that either schema allows: all, if finding them takes too many steps. */
  typesOf({ old, now }: Both<Json>): Set<string> {
    const cases = () => [...casesOf([old], this.#sides.old), ...casesOf([now], this.#sides.now)]
    return new Set(this.#budget.message<readonly string[]>(() => cases().map(({ type }) => type), types))
  }

  /** Runs a judgement of schemas within the budget. */
  judge<T>(run: (ends: (schemas: Both<Json>) => Both<End>, includes: Includes) => T, otherwise: T): T {
    const ends = ({ old, now }: Both<Json>) => ({
      old: { side: this.#sides.old, schema: old },
      now: { side: this.#sides.now, schema: now }
    })
    const includes = (sent: Json, received: Json) =>
      isHarmless(this.#inclusion.compare([sent], [received], { spot: { node: undefined } }))
    return this.#budget.message(() => run(ends, includes), otherwise)
  }

  /**
   * Returns the changes. Requests may only widen, because clients send the old ones; responses may only narrow, because
   * the server sends the new ones.
   */
  changes({ old, now, place, spot }: SchemaPair): Draft[] {
    const isRequest = this.#role === 'request'
    const [own, other] = isRequest ? [old, now] : [now, old]
    const within = (run: () => readonly Finding[]) => this.#budget.message(run, [unfinished(spot)])
    const compared = within(() => this.#inclusion.compare([own], [other], { spot }))
    const opposite = within(() => this.#inclusion.reversed.compare([other], [own], { spot }))
    const hurting = compared.filter((finding) => !isImplied(finding, [...compared, ...opposite]))
    const harmless = opposite.filter(
      (finding) =>
        !isSameBothWays(finding.kind) &&
        !isOverlap(finding, [...hurting, ...opposite]) &&
        !isAmong(finding, hurting)
    )
    const draft = ({ kind, path, text, spot: at }: Finding, found: Parameters<typeof wordFor>[1]): Draft => ({
      rule: `${this.#role}-${wordFor(kind, found)}`,
      place: `${place}${path}`,
      text,
      spot: at
    })
    return [
      ...hurting.map((finding) =>
        draft(finding, {
          isNarrowed: isRequest,
          isBoth: isAmong(finding, opposite),
          isOpen: finding.isUncertain === true
        })
      ),
      ...harmless.map((finding) => draft(finding, { isNarrowed: !isRequest, isBoth: false, isOpen: false }))
    ]
  }
}

/** Recognises findings that follow from a required property that is new or removed, which is reported once. */
const isImplied = ({ path, isMinor }: Finding, all: readonly Finding[]): boolean =>
  isMinor === true && all.some((other) => other.path === path && other.kind === 'required-property')

/** Recognises values of several alternatives beside another change, such as that of the alternatives. */
const isOverlap = ({ kind, isUncertain, path }: Finding, all: readonly Finding[]): boolean =>
  kind === 'schema' && isUncertain === true && all.some((other) => other.kind !== kind && other.path === path)

const isAmong = ({ kind, path, text }: Finding, others: readonly Finding[]): boolean =>
  others.some(
    (other) =>
      other.kind === kind && other.path === path && (other.text === text || other.isUncertain === true)
  )
