/**
 * Tries requests of one operation: judges each exchange, and searches for the smallest request that shows a deviation.
 */
import type { Draft } from '../samples/requests/draft.ts'
import { deviationsOf, isSilentStream } from './check-exchange.ts'
import { nothing, type Sending } from './credentials.ts'
import type { Deviation, Exchange } from './finding.ts'
import { isResponse } from './http-client.ts'
import { exactValue } from './requests/changed-value.ts'
import { smallerDrafts } from './requests/draft-part.ts'
import { type Attempt, type Expectation, mayBeAccepted } from './requests/expectation.ts'
import { idProperty } from './requests/fresh-ids.ts'
import { linkedValues } from './requests/known-values.ts'
import { keyOf, type Session } from './session.ts'

/** Most requests in the search for a smaller one that shows the same deviation, and in all searches of an operation. */
const [maxShrinks, maxShrinksOfAll] = [60, 1_000]

export class Trials {
  /** True when the operation does not answer, or every valid request fails: no other check is possible. */
  isStopped = false
  /** Credentials of requests without credentials of their own. */
  credentials: Sending = nothing
  /** True when a valid request has opened a stream without an item: another one would wait as long. */
  #isSilentStream = false
  /** Counts of valid requests by result. */
  readonly #ends = { accepted: 0, failed: 0, tolerated: undefined as Exchange | undefined }
  #shrinksLeft = maxShrinksOfAll
  readonly #name: string
  readonly #session: Session
  readonly #feed: (draft: Draft) => Promise<Draft>

  /** @param feed returns the draft with values that the server knows */
  constructor(name: string, session: Session, feed: (draft: Draft) => Promise<Draft>) {
    this.#name = name
    this.#session = session
    this.#feed = feed
  }

  /** Sends a request unless the operation, or the server, does not answer any more. */
  async try(draft: Draft, expectation: Expectation, sent = this.credentials): Promise<Tried | undefined> {
    const trial = { draft, expectation, sent }
    const tried = await this.#attempt(trial)
    if (tried === undefined) return undefined
    if (expectation.kind === 'accepted') this.#count(tried.exchange)
    if (mayBeAccepted(expectation)) this.#learn(tried.exchange)
    for (const deviation of tried.deviations)
      if (this.#session.isNew(this.#name, deviation)) await this.#report(trial, deviation, tried.exchange)
    return tried
  }

  /** Returns true when every valid request ended in a failure of the server. */
  get fails(): boolean {
    return this.isStopped || (this.#ends.failed > 0 && this.#ends.accepted === 0)
  }

  /** Reports an operation that refuses every valid request, each time for a reason that one of them may have. */
  end(): void {
    const { accepted, tolerated } = this.#ends
    if (accepted > 0 || tolerated === undefined || !isResponse(tolerated.outcome)) return
    const message = `answers ${tolerated.outcome.status} to every valid request`
    const deviation: Deviation = { check: 'valid-request-refused', place: '', message }
    if (this.#session.isNew(this.#name, deviation)) this.#session.add(this.#name, deviation, tolerated)
  }

  #count(exchange: Exchange): void {
    const { outcome } = exchange
    if (isSilentStream(exchange)) {
      this.#isSilentStream = true
      this.#ends.accepted++
    } else if (!isResponse(outcome) || outcome.status >= 500) this.#ends.failed++
    else if (outcome.status < 400 || outcome.status === 404) this.#ends.accepted++
    else if (outcome.status === 409 || outcome.status === 422) this.#ends.tolerated ??= exchange
  }

  /** Sends a valid request only to create a resource. */
  async create(draft: Draft): Promise<void> {
    this.#learn(await this.#session.send(draft, this.credentials))
  }

  async #attempt(trial: Trial): Promise<Tried | undefined> {
    const first = await this.#once(trial)
    // Earlier runs with the same seed may have taken the id.
    for (const range of first !== undefined && mayBeTaken(trial, first)
      ? this.#session.ids.otherRanges()
      : []) {
      this.#session.ids.use(range)
      const next = await this.#once(trial)
      if (next !== undefined && !mayBeTaken(trial, next)) return next
      this.#session.ids.use(0)
    }
    return first
  }

  async #once({ draft, expectation, sent }: Trial): Promise<Tried | undefined> {
    if (this.isStopped || this.#session.isGone) return undefined
    if (this.#isSilentStream && mayBeAccepted(expectation)) return undefined
    const exchange = await this.#session.send(draft, sent)
    return { exchange, deviations: deviationsOf(exchange, expectation, this.#session) }
  }

  #learn({ draft, outcome }: Exchange): void {
    const { known } = this.#session
    if (!isResponse(outcome)) return
    const { status, headers } = outcome
    if (status >= 300) return
    if (draft.subject.operation.method === 'DELETE') {
      known.forget(draft)
      return
    }
    const body = exactValue(outcome.body.toString())
    known.learn(draft, body, status === 200 || status === 201)
    const given = { draft, status, headers, body }
    for (const { operationId, parameter, value } of linkedValues(given))
      known.learnLink(operationId, parameter, value)
  }

  async #report(trial: Trial, deviation: Deviation, exchange: Exchange): Promise<void> {
    const isSilent = deviation.check === 'time-out'
    if (isSilent) this.isStopped = true
    const first = { draft: trial.draft, deviation, exchange }
    const shown = isSilent ? first : await this.#smallest(trial, first)
    const again = await this.#again(shown.draft)
    const repeated = isOnly(shown) ? undefined : this.#session.repeated(again, trial.sent)
    this.#session.add(this.#name, shown.deviation, shown.exchange, repeated)
  }

  /** Returns the request that shows the same again: for a deletion, of another resource, which is kept until then. */
  async #again(draft: Draft): Promise<Draft> {
    const isDeletion = draft.subject.operation.method === 'DELETE' && this.#session.judge.isValid(draft)
    const again = isDeletion ? await this.#feed(draft) : draft
    this.#session.known.keep(again)
    return again
  }

  /** Tries smaller requests of the same kind, and continues from the first that shows the same deviation. */
  async #smallest(trial: Trial, first: Shown): Promise<Shown> {
    const { judge } = this.#session
    const signature = judge.signature(first.draft)
    let [smallest, tries] = [first, 0]
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false
      for (const draft of smallerDrafts(smallest.draft)) {
        if (judge.signature(draft) !== signature) continue
        if (++tries > maxShrinks || this.#shrinksLeft-- <= 0) return smallest
        const tried = await this.#once({ ...trial, draft })
        const same = tried?.deviations.find((other) => keyOf('', other) === keyOf('', first.deviation))
        if (tried === undefined || same === undefined) continue
        if (statusOf(tried.exchange) !== statusOf(first.exchange)) continue
        smallest = { draft, deviation: same, exchange: tried.exchange }
        isSmaller = true
        break
      }
    }
    return smallest
  }
}

export interface Tried {
  readonly exchange: Exchange
  readonly deviations: readonly Deviation[]
}

/** A request to send with credentials. */
interface Trial extends Attempt {
  readonly sent: Sending
}

interface Shown {
  readonly draft: Draft
  readonly deviation: Deviation
  readonly exchange: Exchange
}

/** Returns true for an id at the bound of its type that was refused: no other id shows the same. */
const isOnly = ({ draft: { id }, exchange }: Shown): boolean =>
  (id === 'highest' || id === 'lowest') && !isSuccess(exchange)

export const isSuccess = ({ outcome }: Exchange): boolean => isResponse(outcome) && outcome.status < 400

const statusOf = ({ outcome }: Exchange): number => (isResponse(outcome) ? outcome.status : 0)

/** Returns true when a valid request with an id of its own was refused. */
function mayBeTaken({ expectation }: Trial, { exchange: { draft, outcome } }: Tried): boolean {
  if (expectation.kind !== 'accepted' || draft.id === undefined || !isResponse(outcome)) return false
  return (
    outcome.status >= 400 &&
    outcome.status < 500 &&
    idProperty(draft.subject, draft.body?.value) !== undefined
  )
}
