/**
 * Checks one operation: first with plain requests, without credentials, with each break of the contract and with each
 * kind of unusual value; then by chance.
 */
import type { Draft, Subject } from '../samples/requests/draft.ts'
import { ValidDrafts } from '../samples/requests/valid-drafts.ts'
import { nothing, type Sending } from './credentials.ts'
import { isResponse } from './http-client.ts'
import { isSuccess, Trials } from './judged-sending.ts'
import { type Break, breaksOf } from './requests/breaks.ts'
import { coveringDrafts } from './requests/draft-part.ts'
import { accepted, type Expectation, unauthorized } from './requests/expectation.ts'
import { withoutCursors, withPathInBody } from './requests/known-values.ts'
import { inTurn, unknown, unknownDrafts, unusualDrafts, variantsOf } from './requests/unusual-drafts.ts'
import type { Session } from './session.ts'

/** Most drafts by chance that are made. */
const maxDrafts = 20_000
/** Share of the requests by chance: one in so many is invalid, and one has an id of its own. */
const [invalidShare, unknownShare] = [10, 5]

/** Number of resources among which the requests by chance choose. */
const idsByChance = 200

export class OperationCheck {
  readonly subject: Subject
  readonly trials: Trials
  /** Operation that creates the resource in the path of this one. */
  producer: OperationCheck | undefined
  readonly #session: Session
  readonly #drafts: ValidDrafts
  #bases: readonly Draft[] | undefined
  /** Valid requests that were sent, and true for those without a deviation. */
  readonly #sent = new Map<string, boolean>()
  /** Signatures of the breaks that were sent. */
  readonly #known = new Set<string>()
  /** Schemes whose credentials are sent. */
  #alternative: readonly string[] = []
  /** Counter of drafts, which alternates between known values. */
  #turn = 0

  constructor(subject: Subject, session: Session) {
    this.subject = subject
    this.#session = session
    this.#drafts = new ValidDrafts(subject, session.judge)
    this.trials = new Trials(subject.name, session, (draft) => this.fed(draft))
  }

  /** Returns plain valid requests; none when none can be made. They are made only for operations that are checked. */
  get bases(): readonly Draft[] {
    this.#bases ??= this.#drafts.plain(this.#session.options.seed).map(withoutCursors)
    return this.#bases
  }

  /**
   * Finds accepted credentials, and sends the first valid request, so that other operations can use values of its
   * answer.
   */
  async begin(): Promise<void> {
    const [base] = this.bases
    if (base === undefined || this.isLocked) return
    await this.#chooseCredentials(base)
    if (this.subject.operation.method !== 'DELETE') await this.accept(base)
  }

  /** Finds accepted credentials for an operation that is not checked, but creates what another one needs. */
  async prepare(): Promise<void> {
    const [base] = this.bases
    if (base !== undefined && !this.isLocked) await this.#chooseCredentials(base)
  }

  /** Tries the alternatives in their order; the token may be a credential of one of them only. */
  async #chooseCredentials(base: Draft): Promise<void> {
    const { credentials } = this.#session.options
    const alternatives = credentials.alternativesOf(this.subject.operation)
    for (const [index, alternative] of alternatives.entries()) {
      this.trials.credentials = credentials.sentFor(alternative)
      this.#alternative = alternative
      if (index === alternatives.length - 1 || credentials.isExplicit(alternative)) return
      const { outcome } = await this.#session.send(base, this.trials.credentials)
      if (!isResponse(outcome) || (outcome.status !== 401 && outcome.status !== 403)) return
    }
  }

  /** Returns true when the operation requires credentials and none were given. */
  get isLocked(): boolean {
    const { operation } = this.subject
    const isOpen = operation.security.length === 0 || operation.security.some((all) => all.length === 0)
    return !isOpen && this.#session.options.credentials.alternativesOf(operation).length === 0
  }

  /** Returns true when requests were left out because they are too large. */
  get isCut(): boolean {
    return this.#drafts.isCut
  }

  /** Returns why nothing is checked, when no valid request can be made. */
  get unmade(): readonly string[] {
    if (this.bases.length > 0) return []
    const place = this.#drafts.impossible
    const reason = place === undefined ? '' : `: no value is found for ${place}`
    return [`${this.subject.name} is not checked, because no valid request is found${reason}`]
  }

  /** @param max number of valid requests by chance */
  async run(max: number): Promise<void> {
    if (this.isLocked) return this.#locked()
    await this.#alternatives()
    for (const base of this.bases) await this.accept(base)
    if (this.trials.fails) return this.trials.end()
    await this.#withoutCredentials()
    await this.#search(max)
    this.trials.end()
  }

  /** Creates the resource in the path of a request, so that the request does not end with a 404. */
  async produce(): Promise<void> {
    const [base] = this.bases
    if (base !== undefined && !this.trials.isStopped) await this.trials.create(base)
  }

  async #locked(): Promise<void> {
    const [base] = this.bases
    const expectation = unauthorized('missing-credentials', 'without credentials')
    if (base !== undefined) await this.trials.try(base, expectation, nothing)
  }

  /** Checks that every alternative is accepted whose credentials were given by name. */
  async #alternatives(): Promise<void> {
    const { credentials } = this.#session.options
    const [base] = this.bases
    if (base === undefined) return
    const explicit = credentials
      .alternativesOf(this.subject.operation)
      .filter((each) => credentials.isExplicit(each))
    for (const alternative of explicit.filter((each) => each !== this.#alternative))
      await this.try(base, accepted(), credentials.sentFor(alternative))
  }

  async #withoutCredentials(): Promise<void> {
    const { credentials } = this.#session.options
    const { operation } = this.subject
    const [base] = this.bases
    if (base === undefined || operation.security.some((all) => all.length === 0)) return
    for (const alternative of credentials.alternativesOf(operation))
      for (const { expectation, sent } of credentials.variantsOf(operation, alternative))
        await this.try(base, expectation, sent)
  }

  /**
   * Sends a valid request, each only once.
   * @returns false for one that shows a deviation
   */
  async accept(draft: Draft): Promise<boolean> {
    const fed = await this.fed(draft)
    const text = draftKey(fed)
    const known = this.#sent.get(text)
    if (known !== undefined) return known
    const tried = await this.trials.try(fed, accepted())
    const isGood = tried?.deviations.length === 0
    this.#sent.set(text, isGood)
    return isGood
  }

  /** Tries a request with values that the server knows. */
  async try(draft: Draft, expectation: Expectation, sent?: Sending) {
    return this.trials.try(await this.fed(draft), expectation, sent)
  }

  /** Creates one resource where fewer are known for the path. */
  async supply(count: number): Promise<void> {
    if (this.producer !== undefined && this.#session.known.countFor(this.subject) < count)
      await this.producer.produce()
  }

  /** Returns the draft with values that the server knows, unless they change whether it is valid. */
  async fed(draft: Draft): Promise<Draft> {
    await this.supply(1)
    return this.#session.fed(draft, this.#turn++)
  }

  /**
   * Sends the requests that show deviations: each kind of them at least once, whatever the number of requests by chance;
   * then those by chance.
   */
  async #search(max: number): Promise<void> {
    const { seed } = this.#session.options
    const covering = coveringDrafts([...this.bases, ...this.#drafts.whole(seed)])
    // Of requests that show a deviation already, changes would only repeat it.
    const good: Draft[] = []
    for (const draft of covering) if (await this.accept(draft)) good.push(draft)
    if (good.length > 0) await this.#short(seed)
    await this.#breaks(covering, max)
    for (const base of good.slice(0, 1)) await this.#unknown(base)
    for (const base of oneOfEachType(good)) await this.#variants(base)
    const seen = new Set<string>()
    for (const base of good) await this.#unusual(base, seen)
    await this.#byChance(max)
  }

  get #isOver(): boolean {
    return this.trials.fails || this.#session.isGone
  }

  async #short(seed: number): Promise<void> {
    const draft = this.#drafts.short(seed)
    if (draft !== undefined) await this.try(draft, accepted('with the required parts only'))
  }

  async #breaks(covering: readonly Draft[], max: number): Promise<void> {
    const seen = new Set<string>()
    const found = covering.flatMap((base) => this.#breaksOf(base, seen))
    const extra = found.filter(({ isExtra }) => isExtra)
    for (const each of [...found.filter(({ isExtra }) => !isExtra), ...extra.slice(0, max)])
      await this.#refuse(each)
  }

  /** A broken parameter is not sent where a credential takes its place. */
  #breaksOf(base: Draft, seen?: Set<string>): readonly Break[] {
    const { judge, options } = this.#session
    const replaced = options.credentials.replacedBy(this.subject.operation)
    const isSent = ({ expectation: { place } }: Break) =>
      !replaced.some((each) => `${place}/`.startsWith(`${each}/`))
    return breaksOf(base, judge, seen).filter(isSent)
  }

  async #refuse({ draft, expectation, signature }: Break): Promise<void> {
    if (this.#known.has(signature) || this.#isOver) return
    this.#known.add(signature)
    await this.try(draft, expectation)
  }

  async #unknown(base: Draft): Promise<void> {
    for (const { draft, expectation } of unknownDrafts(await this.fed(base), this.#session.judge))
      await this.#tryUnknown(draft, expectation)
  }

  /** Treats a resource that a request has created at the bounds of a type as a known one, which is not deleted. */
  async #tryUnknown(draft: Draft, expectation: Expectation): Promise<void> {
    const isAlive = this.#session.known.isAlive(draft)
    if (isAlive && this.subject.operation.method === 'DELETE') return
    await this.trials.try(draft, isAlive ? accepted() : expectation)
  }

  async #variants(base: Draft): Promise<void> {
    for (const { draft, expectation } of variantsOf(base, this.#session.options.model))
      await this.try(draft, expectation)
  }

  async #unusual(base: Draft, seen: Set<string>): Promise<void> {
    for (const { draft, expectation, single } of unusualDrafts(base, this.#session.judge, seen)) {
      if (this.#isOver) return
      const tried = await this.try(draft, expectation)
      if (tried === undefined || isSuccess(tried.exchange)) continue
      for (const each of single) await this.try(each, expectation)
    }
  }

  /** Sends valid requests with known values, and among them invalid ones, and ones with values of their own. */
  async #byChance(max: number): Promise<void> {
    const { seed } = this.#session.options
    const drafts = this.#drafts.varied(seed, Math.min(2 * max, maxDrafts))
    const hasPath = this.subject.parameters.some(({ spec }) => spec.in === 'path')
    for (const [index, draft] of drafts.slice(0, max).entries()) {
      if (this.#isOver) return
      await this.supply(Math.min(index + 1, idsByChance))
      await this.accept(inTurn(draft, index, this.#session.judge))
      const next = drafts[max + index] ?? draft
      const other = withPathInBody(inTurn(next, Math.floor(index / unknownShare), this.#session.judge))
      if (index % invalidShare === 0) await this.#breakByChance(other, index)
      if (hasPath && index % unknownShare === 0) await this.#tryUnknown(other, unknown)
    }
  }

  async #breakByChance(draft: Draft, index: number): Promise<void> {
    const found = this.#breaksOf(draft)
    const fresh = found.filter(({ signature }) => !this.#known.has(signature))
    const chosen = fresh[index % fresh.length] ?? found[index % Math.max(1, found.length)]
    if (chosen === undefined) return
    this.#known.add(chosen.signature)
    await this.try(chosen.draft, chosen.expectation)
  }
}

function draftKey({ values, body, id }: Draft): string {
  return JSON.stringify([id, values, body?.of.content.mediaType, body?.value], (_key, value) =>
    typeof value === 'bigint' ? `${value}n` : value
  )
}

/** Returns the first draft of each media type. */
const oneOfEachType = (drafts: readonly Draft[]): readonly Draft[] =>
  [...Map.groupBy(drafts, ({ body }) => body?.of.content.mediaType).values()].flatMap((all) =>
    all.slice(0, 1)
  )
