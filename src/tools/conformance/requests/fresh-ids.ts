/** Gives every request that creates a resource an unused id, so that no server refuses it as taken. */
import { anyValue, isObject, make, own } from '@contract-first/contract'
import { plainInstance } from '../../samples/plain-instance.ts'
import type { Draft, IdKind, Subject } from '../../samples/requests/draft.ts'
import { placesIn, withPart } from './draft-part.ts'
import { comparableName, resourceOf } from './known-values.ts'

const int64 = 2n ** 63n
const double = 2n ** 53n

/** Returns the property of a body that identifies the created resource. */
export function idProperty({ operation }: Subject, body: unknown): string | undefined {
  const creates = operation.method === 'POST' || (operation.method === 'PUT' && !operation.path.includes('{'))
  if (!creates || !isObject(body)) return undefined
  const names = ['id', 'uuid', 'guid', `${resourceOf(operation.path)}id`]
  return Object.keys(body).find((name) => names.includes(comparableName(name)))
}

/** Ranges of ids to try where earlier runs with the seed have taken those of the first; all are derived from the seed. */
const maxRanges = 4

/** Ids that depend only on the seed, also where an earlier run has taken the first ones. */
export class FreshIds {
  readonly #isSame: (draft: Draft, other: Draft) => boolean
  readonly #seeded: bigint
  /** Range of ids; 0 is the first one of the seed. */
  #range = 0
  #count = 0n
  /** Number of ids of each kind: the first of an extreme one is the bound itself. */
  readonly #kinds = new Map<IdKind, bigint>()
  /** Number of ranges that are left to try. */
  #left = maxRanges

  /** @param isSame returns true when both drafts are valid, or break the contract in the same way */
  constructor(seed: number, isSame: (draft: Draft, other: Draft) => boolean) {
    this.#isSame = isSame
    this.#seeded = 1_000_000n * BigInt(1 + (Math.abs(seed) % 900))
  }

  /** Yields the ranges to try, once in a run; none when the ids are of another range already. */
  *otherRanges(): Generator<number> {
    while (this.#range === 0 && this.#left > 0) yield maxRanges - --this.#left
  }

  use(range: number): void {
    this.#range = range
  }

  /** Returns the distance of an int32 id from the bound of its type, which earlier runs may have taken. */
  get #away(): bigint {
    return 100_000n * BigInt(this.#range)
  }

  get #first(): bigint {
    return this.#range === 0 ? this.#seeded : 1_000_000_000n + 2n * this.#away + this.#seeded
  }

  /** Returns the draft with an id that was never sent; the draft itself if it has none, or one that must not change. */
  refreshed(draft: Draft): Draft {
    const body = draft.body?.value
    const name = idProperty(draft.subject, body)
    if (draft.id === undefined || name === undefined || !isObject(body)) return draft
    this.#count++
    for (const id of this.#candidates(own(body, name), draft.id)) {
      const fresh = withPart(draft, 'body', { ...body, [name]: id })
      if (this.#isSame(draft, fresh)) return fresh
    }
    return this.#sampled(draft, name)
  }

  /** Makes an id from its schema, when that has a pattern or a list of values. */
  #sampled(draft: Draft, name: string): Draft {
    const places = placesIn(draft, 'body')
    const schemas = places.find(({ path }) => path.length === 1 && path[0] === name)?.schemas ?? []
    const id = plainInstance(make({ allOf: schemas }, anyValue), {
      direction: 'request',
      seed: Number(this.#first + this.#count),
      usesExamples: false,
      depth: 1
    })
    if (id === undefined) return draft
    const fresh = withPart(draft, 'body', { ...Object(draft.body?.value), [name]: id })
    return this.#isSame(draft, fresh) ? fresh : draft
  }

  #candidates(id: unknown, kind: IdKind): readonly unknown[] {
    const [next, count] = [this.#first + this.#count, this.#count]
    if (kind === 'wrong') return otherWrong(id, count)
    if (typeof id === 'string') return [uuid(next), `c${next.toString(36)}`, String(next)]
    if (typeof id !== 'number' && typeof id !== 'bigint') return []
    const before = this.#kinds.get(kind) ?? 0n
    this.#kinds.set(kind, before + 1n)
    const jump = this.#range === 0 ? 0n : this.#first
    const special = {
      highest: [int64 - 1n - before - jump, 2n ** 31n - 1n - before - this.#away],
      lowest: [-int64 + before + jump, -(2n ** 31n) + before + this.#away],
      beyond: [double + 1n + 2n * (count + jump)],
      plain: []
    }[kind]
    return [...special, next, count].map((value) =>
      typeof id === 'bigint' || !isSafe(value) ? value : Number(value)
    )
  }
}

/** Returns different wrong values each time, because a server may take them for ids. */
function otherWrong(id: unknown, count: bigint): readonly unknown[] {
  if (typeof id === 'string') return [`${id}${count}`]
  if (typeof id === 'bigint') return [id < 0n ? id - count : id + count]
  return typeof id === 'number' ? [id + Number(count), id - Number(count)] : []
}

const isSafe = (value: bigint): boolean => Number.isSafeInteger(Number(value))

/** Returns a UUID of version 4 (RFC 9562, section 5.4) that is not random. */
function uuid(number: bigint): string {
  const digits = number.toString(16).padStart(12, '0')
  return `${digits.slice(-8)}-${digits.slice(0, 4)}-4000-8000-${digits.padStart(12, '0').slice(-12)}`
}
