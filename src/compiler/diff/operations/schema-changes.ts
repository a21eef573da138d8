/** Compares the schemas of one place of a message in both directions, and names the changes. */
import type { Json, JsonObject } from '../../compile/documents.ts'
import { Budget } from '../cases/budget.ts'
import { casesOf, types } from '../cases/cases.ts'
import { type Role, Side } from '../cases/side.ts'
import { type Finding, type Spot, unfinished } from '../schemas/finding.ts'
import { Inclusion } from '../schemas/inclusion.ts'
import { type ComparedKind, kinds } from '../schemas/kinds.ts'
import type { Both, Draft } from './draft.ts'
import type { RuleId } from './rules.ts'

interface SchemaPair extends Both<Json> {
  readonly role: Role
  readonly place: string
  readonly spot: Spot
}

export class SchemaChanges {
  readonly #budget = new Budget()
  readonly #inclusions: Readonly<Record<Role, Inclusion>>

  constructor({ old, now }: Both<JsonObject>) {
    const inclusion = (role: Role) => {
      const [before, after] = [
        new Side(old, false, role, this.#budget),
        new Side(now, true, role, this.#budget)
      ]
      return role === 'request' ? new Inclusion(role, before, after) : new Inclusion(role, after, before)
    }
    this.#inclusions = { request: inclusion('request'), response: inclusion('response') }
  }

  /** Returns the types of the values that either schema allows: all, if finding them takes too many steps. */
  typesOf({ old, now, role }: Both<Json> & { readonly role: Role }): Set<string> {
    const { sent, received } = this.#inclusions[role].comparison
    const [before, after] = sent.isNew ? [received, sent] : [sent, received]
    const cases = () => [...casesOf([old], before), ...casesOf([now], after)].map(({ type }) => type)
    return new Set(this.#budget.message<readonly string[]>(cases, types))
  }

  /**
   * Returns the changes. Requests may only widen, because clients send the old ones; answers may only narrow, because
   * the server sends the new ones.
   */
  changes({ old, now, role, place, spot }: SchemaPair): Draft[] {
    const inclusion = this.#inclusions[role]
    const { sent } = inclusion.comparison
    const [own, other] = sent.isNew ? [now, old] : [old, now]
    const within = (run: () => readonly Finding[]) => this.#budget.message(run, [unfinished(spot)])
    const compared = within(() => inclusion.compare([own], [other], { spot }))
    const harmless = within(() => inclusion.reversed.compare([other], [own], { spot }))
    const hurting = compared.filter((finding) => !isImplied(finding, [...compared, ...harmless]))
    const context = { role, place, isNarrowed: role === 'request' }
    return [
      ...hurting.map((finding) => draft(finding, context, isAmong(finding, harmless))),
      ...harmless
        .filter((finding) => !isSameBothWays(finding) && !isOverlap(finding) && !isAmong(finding, hurting))
        .map((finding) =>
          draft({ ...finding, isUncertain: undefined }, { ...context, isNarrowed: role !== 'request' }, false)
        )
    ]
  }
}

interface Context {
  readonly role: Role
  readonly place: string
  /** True when fewer values are valid than before. */
  readonly isNarrowed: boolean
}

type Shaped = Omit<Finding, 'isUncertain'> & { readonly isUncertain?: true | undefined }

function draft(finding: Shaped, { role, place, isNarrowed }: Context, isBoth: boolean): Draft {
  const name = Object.hasOwn(kinds, finding.kind)
    ? wordFor(finding.kind as ComparedKind, { isNarrowed, isBoth, isOpen: finding.isUncertain === true })
    : plainWords[finding.kind as keyof typeof plainWords]
  return {
    // schema-rules.ts has a rule for each name, as its test checks.
    rule: `${role}-${name}` as RuleId,
    place: `${place}${finding.path}`,
    text: finding.text,
    spot: finding.spot
  }
}

interface Direction {
  readonly isNarrowed: boolean
  readonly isBoth: boolean
  readonly isOpen: boolean
}

function wordFor(kind: ComparedKind, { isNarrowed, isBoth, isOpen }: Direction): string {
  const words: { narrowed: string; widened: string; changed?: string; open?: string } = kinds[kind]
  if (isOpen && words.open !== undefined) return words.open
  if (isBoth && words.changed !== undefined) return words.changed
  return isNarrowed ? words.narrowed : words.widened
}

const plainWords = {
  'property-added': 'property-added',
  'property-removed': 'property-removed',
  hidden: 'property-hidden',
  shown: 'property-shown',
  default: 'default-changed',
  deprecated: 'property-deprecated',
  undeprecated: 'property-undeprecated',
  xml: 'xml-changed',
  'discriminator-hint': 'discriminator-added-or-removed'
} as const

/** Recognises findings that follow from a required property that is new or removed, which is reported once. */
const isImplied = ({ path, isMinor }: Finding, all: readonly Finding[]): boolean =>
  isMinor === true && all.some((other) => other.path === path && other.kind === 'required-property')

/** Recognises objects of one remaining alternative, which are not reported. */
const isOverlap = ({ kind, isUncertain }: Finding): boolean => kind === 'schema' && isUncertain === true

/** Returns whether the opposite direction finds the same. */
const isSameBothWays = ({ kind }: Finding): boolean => !Object.hasOwn(kinds, kind)

const isAmong = ({ kind, path, text }: Finding, others: readonly Finding[]): boolean =>
  others.some(
    (other) =>
      other.kind === kind && other.path === path && (other.text === text || other.isUncertain === true)
  )
