/**
 * Sends the requests of one operation that show deviations: each kind of them at least once, whatever the number of
 * requests by chance; then those by chance.
 */

import type { Draft, Subject } from '../instances/requests/draft.ts'
import type { ValidDrafts } from '../instances/requests/valid-drafts.ts'
import type { Expectation } from './expectation.ts'
import { isResponse } from './http-client.ts'
import type { Trials } from './judged-sending.ts'
import { breaksOf } from './requests/breaks.ts'
import { coveringDrafts } from './requests/covering.ts'
import { withPathInBody } from './requests/known-values.ts'
import type { Break } from './requests/message-breaks.ts'
import { inTurn, unknownDrafts, unusualDrafts, unusualNames } from './requests/unusual-drafts.ts'
import { variantsOf } from './requests/variants.ts'
import type { Session } from './session.ts'

/** Most drafts by chance that are made. */
const maxDrafts = 20_000
/** Share of the requests by chance: one in so many is invalid, and one has an id of its own. */
const [invalidShare, unknownShare] = [10, 5]

/** Number of resources among which the requests by chance choose. */
const idsByChance = 200

const unknown: Expectation = {
  kind: 'answered',
  what: 'for a resource that nobody created',
  isDeclared: true
}

const named: Expectation = { kind: 'accepted', what: 'with a bound or a listed value in its path' }

/** Way to send requests of one operation. */
interface Sender {
  readonly subject: Subject
  readonly trials: Trials
  /** Plain valid requests. */
  readonly bases: readonly Draft[]
  /** Sends a valid request, each only once; returns false for one that shows a deviation. */
  readonly accept: (draft: Draft) => Promise<boolean>
  /** Returns the draft with values that the server knows. */
  readonly fed: (draft: Draft) => Promise<Draft>
  /** Creates one resource where fewer are known for the path. */
  readonly supply: (count: number) => Promise<void>
}

export class OperationSearch {
  readonly #check: Sender
  readonly #drafts: ValidDrafts
  readonly #session: Session
  /** Signatures of the breaks that were sent. */
  readonly #known = new Set<string>()

  constructor(check: Sender, drafts: ValidDrafts, session: Session) {
    this.#check = check
    this.#drafts = drafts
    this.#session = session
  }

  /** @param max number of valid requests by chance */
  async run(max: number): Promise<void> {
    const { seed } = this.#session.options
    const covering = coveringDrafts(
      [...this.#check.bases, ...this.#drafts.whole(seed)],
      this.#session.schemas
    )
    // Of requests that show a deviation already, changes would only repeat it.
    const good: Draft[] = []
    for (const draft of covering) if (await this.#check.accept(draft)) good.push(draft)
    if (good.length > 0) await this.#short(seed)
    await this.#breaks(covering, max)
    for (const base of good.slice(0, 1)) await this.#unknown(base)
    for (const base of oneOfEachType(good)) await this.#variants(base)
    const seen = new Set<string>()
    for (const base of good) {
      await this.#unusual(base, seen)
      for (const name of unusualNames(base, this.#session.schemas)) seen.add(name)
    }
    await this.#byChance(max)
  }

  get #isOver(): boolean {
    return this.#check.trials.fails || this.#session.isGone
  }

  async #short(seed: number): Promise<void> {
    const draft = this.#drafts.short(seed)
    if (draft !== undefined) await this.#accept(draft, 'with the required parts only')
  }

  async #breaks(covering: readonly Draft[], max: number): Promise<void> {
    const found = covering.flatMap((base) => breaksOf(base, this.#session))
    const extra = found.filter(({ isExtra }) => isExtra)
    for (const each of [...found.filter(({ isExtra }) => !isExtra), ...extra.slice(0, max)])
      await this.#refuse(each)
  }

  async #refuse({ draft, problem, signature }: Break): Promise<void> {
    if (this.#known.has(signature) || this.#isOver) return
    this.#known.add(signature)
    await this.#check.trials.try(await this.#check.fed(draft), { kind: 'refused', problem })
  }

  async #unknown(base: Draft): Promise<void> {
    const { schemas, judge } = this.#session
    for (const { draft, isNamed } of unknownDrafts(await this.#check.fed(base), schemas, judge))
      await this.#tryUnknown(draft, isNamed ? named : unknown)
  }

  /** Treats a resource that a request has created at the bounds of a type as a known one, which is not deleted. */
  async #tryUnknown(draft: Draft, expectation: Expectation): Promise<void> {
    const isAlive = this.#session.known.isAlive(draft)
    if (isAlive && this.#check.subject.operation.method === 'DELETE') return
    await this.#check.trials.try(draft, isAlive ? { kind: 'accepted' } : expectation)
  }

  async #variants(base: Draft): Promise<void> {
    const version = String(this.#session.options.document['openapi'])
    for (const { draft, what, isValid } of variantsOf(base, version)) {
      const expectation: Expectation = isValid
        ? { kind: 'accepted', what }
        : { kind: 'answered', what, isDeclared: false }
      await this.#check.trials.try(await this.#check.fed(draft), expectation)
    }
  }

  async #unusual(base: Draft, seen: ReadonlySet<string>): Promise<void> {
    const { schemas, judge } = this.#session
    for (const { draft, what, single } of unusualDrafts(base, { schemas, judge, seen })) {
      if (this.#isOver) return
      if (await this.#accept(draft, what)) continue
      for (const each of single) await this.#accept(each, what)
    }
  }

  /** @returns false for a request that was refused */
  async #accept(draft: Draft, what: string): Promise<boolean> {
    const tried = await this.#check.trials.try(await this.#check.fed(draft), { kind: 'accepted', what })
    if (tried === undefined) return true
    const { outcome } = tried.exchange
    return isResponse(outcome) && outcome.status < 400
  }

  /** Sends valid requests with known values, and among them invalid ones, and ones with values of their own. */
  async #byChance(max: number): Promise<void> {
    const { seed } = this.#session.options
    const { schemas, judge } = this.#session
    const drafts = this.#drafts.varied(seed, Math.min(2 * max, maxDrafts))
    const hasPath = this.#check.subject.parameters.some(({ spec }) => spec.in === 'path')
    for (const [index, draft] of drafts.slice(0, max).entries()) {
      if (this.#isOver) return
      await this.#check.supply(Math.min(index + 1, idsByChance))
      await this.#check.accept(inTurn(draft, index, { schemas, judge }))
      const next = drafts[max + index] ?? draft
      const other = withPathInBody(inTurn(next, Math.floor(index / unknownShare), { schemas, judge }))
      if (index % invalidShare === 0) await this.#breakByChance(other, index)
      if (hasPath && index % unknownShare === 0) await this.#tryUnknown(other, unknown)
    }
  }

  async #breakByChance(draft: Draft, index: number): Promise<void> {
    const found = breaksOf(draft, this.#session)
    const fresh = found.filter(({ signature }) => !this.#known.has(signature))
    const chosen = fresh[index % fresh.length] ?? found[index % Math.max(1, found.length)]
    if (chosen === undefined) return
    this.#known.add(chosen.signature)
    const { draft: broken, problem } = chosen
    await this.#check.trials.try(await this.#check.fed(broken), { kind: 'refused', problem })
  }
}

/** Returns the first draft of each media type. */
const oneOfEachType = (drafts: readonly Draft[]): readonly Draft[] =>
  [...Map.groupBy(drafts, ({ body }) => body?.of.content.mediaType).values()].flatMap((all) =>
    all.slice(0, 1)
  )
