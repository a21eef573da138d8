/** Compares the schemas of one place of a message in both directions, and names the changes. */
import type { Origin, Schema } from '@contract-first/contract'
import { type Finding, findingsOf } from '../schemas/comparison.ts'
import { SchemaDirection } from '../schemas/direction.ts'
import { isSameBothWays, type Role, wordFor } from '../schemas/rules.ts'
import type { Both, Difference } from './difference.ts'

/** Schemas of a place that apply together; none for any value. */
export type Schemas = readonly Schema[]

export class SchemaChanges {
  readonly isRequest: boolean
  /** Clients send the old requests, the service sends the new answers. */
  readonly direction: SchemaDirection
  readonly #role: Role

  constructor(role: Role) {
    this.#role = role
    this.isRequest = role === 'request'
    this.direction = new SchemaDirection(role, !this.isRequest)
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
      found: Parameters<typeof wordFor>[1]
    ): Difference => ({
      rule: `${this.#role}-${wordFor(kind, found)}`,
      place: `${place}${path}`,
      text,
      origin: at
    })
    return [
      ...hurting.map((each) => {
        const isOpen = each.isUncertain === true
        return difference(each, { isNarrowed: this.isRequest, isBoth: isAmong(each, opposites), isOpen })
      }),
      ...harmless.map((each) =>
        difference(each, { isNarrowed: !this.isRequest, isBoth: false, isOpen: false })
      )
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
