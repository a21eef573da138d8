/**
 * Decides whether every value of some schemas is valid by others, and explains why not. Recursive schemas are compared
 * by coinduction: a pair under comparison is assumed to hold, and the results that rely on it are computed again if it
 * does not.
 */
import { isObject } from '../../compile/documents.ts'
import { casesOf } from '../cases/cases.ts'
import type { Role, Side } from '../cases/side.ts'
import { annotationFindings } from './annotations.ts'
import {
  type Comparison,
  distinct,
  type Finding,
  type Place,
  type Schemas,
  type Spot,
  spotAt,
  unfinished
} from './comparison.ts'
import { Identity } from './identity.ts'
import { unionFindings } from './unions.ts'

export class Inclusion {
  readonly comparison: Comparison
  readonly #identity: Identity
  readonly #done = new Map<string, readonly Finding[]>()
  /** Pairs under comparison, by their depth. */
  readonly #open = new Map<string, number>()
  /** Results without a finding that rely on a pair of lower depth. */
  #provisional: { readonly key: string; readonly depth: number }[] = []
  #lowest = Number.POSITIVE_INFINITY
  #other: Inclusion | undefined

  constructor(role: Role, sent: Side, received: Side) {
    this.#identity = new Identity(sent, received)
    const compare = this.compare.bind(this)
    this.comparison = { role, sent, received, compare, reverse: (...pair) => this.reversed.compare(...pair) }
  }

  get reversed(): Inclusion {
    const { role, sent, received } = this.comparison
    this.#other ??= new Inclusion(role, received, sent)
    this.#other.#other = this
    return this.#other
  }

  isSame(sent: Schemas, received: Schemas): boolean {
    return this.#identity.isSame(sent, received)
  }

  /** Returns why values of the sender's schemas are not values of the receiver's. */
  compare(written: Schemas, writtenToo: Schemas, place: Place): readonly Finding[] {
    if (this.isSame(written, writtenToo)) return []
    const sent = written.map((schema) => this.comparison.sent.resolve(schema))
    const received = writtenToo.map((schema) => this.comparison.received.resolve(schema))
    const key = `${this.#identity.keyOf(sent)} ${this.#identity.keyOf(received)}`
    const known = this.#done.get(key)
    if (known !== undefined) return known
    const depth = this.#open.get(key)
    if (depth === undefined) return this.#compareAnew(key, [sent, received], place)
    this.#lowest = Math.min(this.#lowest, depth)
    return []
  }

  #compareAnew(key: string, pair: readonly [Schemas, Schemas], place: Place): readonly Finding[] {
    const depth = this.#open.size
    const outer = this.#lowest
    this.#lowest = Number.POSITIVE_INFINITY
    this.#open.set(key, depth)
    let found: readonly Finding[] | undefined
    try {
      found = this.#attempt(pair, place)
      return found
    } finally {
      this.#open.delete(key)
      const relied = this.#lowest
      // A condition that takes too many steps has no result; neither have those that relied on it.
      if (found === undefined) this.#forget(depth)
      else this.#settle(key, found, { depth, relied })
      this.#lowest = Math.min(outer, relied < depth ? relied : Number.POSITIVE_INFINITY)
    }
  }

  /** Compares within the budget; conditions take part in that of the place around them. */
  #attempt([sent, received]: readonly [Schemas, Schemas], place: Place): readonly Finding[] {
    const { comparison } = this
    const [side, schemas] = comparison.sent.isNew ? [comparison.sent, sent] : [comparison.received, received]
    const spot = spotAt(schemas, side, place.spot)
    const run = () => distinct(this.#findings([sent, received], spot))
    return place.isCondition === true ? run() : side.budget.place(run, () => [unfinished(spot)])
  }

  #settle(
    key: string,
    found: readonly Finding[],
    { depth, relied }: { readonly depth: number; readonly relied: number }
  ): void {
    this.#done.set(key, found)
    if (found.length > 0) {
      // The results that relied on this pair are computed again.
      this.#forget(depth)
    } else if (relied < depth) {
      this.#provisional = this.#provisional.map((each) => ({ ...each, depth: Math.min(each.depth, relied) }))
      this.#provisional.push({ key, depth: relied })
    } else this.#provisional = this.#provisional.filter((each) => each.depth < depth)
  }

  #forget(depth: number): void {
    for (const each of this.#provisional) if (each.depth >= depth) this.#done.delete(each.key)
    this.#provisional = this.#provisional.filter((each) => each.depth < depth)
  }

  #findings([sent, received]: readonly [Schemas, Schemas], spot: Spot): Finding[] {
    const { comparison } = this
    const cases = { sent: casesOf(sent, comparison.sent), received: casesOf(received, comparison.received) }
    const nodes = (schemas: Schemas) => ({ nodes: schemas.filter(isObject) })
    return [
      ...unionFindings({ comparison, ...cases, spot, schemas: { sent, received } }),
      ...annotationFindings({ comparison, sent: nodes(sent), received: nodes(received), spot })
    ]
  }
}
