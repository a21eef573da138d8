/**
 * Checks one operation: first with plain requests, without credentials, with each break of the contract and with each
 * kind of unusual value; then by chance.
 */

import type { Draft, Subject } from '../instances/requests/draft.ts'
import { ValidDrafts } from '../instances/requests/valid-drafts.ts'
import { nothing } from './credentials.ts'
import type { Expectation } from './expectation.ts'
import { isResponse } from './http-client.ts'
import { Trials } from './judged-sending.ts'
import { OperationSearch } from './operation-search.ts'
import { withoutCursors } from './requests/cursors.ts'
import type { Session } from './session.ts'

const accepted: Expectation = { kind: 'accepted' }

export class OperationCheck {
  readonly subject: Subject
  readonly trials: Trials
  /** Plain valid requests; empty when none can be made. */
  readonly bases: readonly Draft[]
  /** Operation that creates the resource in the path of this one. */
  producer: OperationCheck | undefined
  readonly #session: Session
  readonly #drafts: ValidDrafts
  /** Valid requests that were sent, and true for those without a deviation. */
  readonly #sent = new Map<string, boolean>()
  /** Schemes whose credentials are sent. */
  #alternative: readonly string[] = []
  /** Counter of drafts, which alternates between known values. */
  #turn = 0

  constructor(subject: Subject, session: Session) {
    this.subject = subject
    this.#session = session
    this.#drafts = new ValidDrafts(subject, session.judge)
    this.trials = new Trials(subject.name, session)
    this.trials.feed = (draft) => this.fed(draft)
    this.bases = this.#drafts.plain(session.options.seed).map(withoutCursors)
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
    await new OperationSearch(this, this.#drafts, this.#session).run(max)
    this.trials.end()
  }

  /** Creates the resource in the path of a request, so that the request does not end with a 404. */
  async produce(): Promise<void> {
    const [base] = this.bases
    if (base !== undefined && !this.trials.isStopped) await this.trials.create(base)
  }

  async #locked(): Promise<void> {
    const [base] = this.bases
    const what = 'without credentials'
    if (base !== undefined)
      await this.trials.try(
        base,
        { kind: 'unauthorized', check: 'missing-credentials-accepted', what },
        nothing
      )
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
      await this.trials.try(await this.fed(base), accepted, credentials.sentFor(alternative))
  }

  async #withoutCredentials(): Promise<void> {
    const { credentials } = this.#session.options
    const { operation } = this.subject
    const [base] = this.bases
    if (base === undefined || operation.security.some((all) => all.length === 0)) return
    for (const alternative of credentials.alternativesOf(operation))
      for (const { check, what, sent } of credentials.variantsOf(operation, alternative))
        await this.trials.try(await this.fed(base), { kind: 'unauthorized', check, what }, sent)
  }

  /**
   * Sends a valid request, each only once.
   * @returns false for one that shows a deviation
   */
  async accept(draft: Draft): Promise<boolean> {
    const fed = await this.fed(draft)
    const text = textOf(fed)
    const known = this.#sent.get(text)
    if (known !== undefined) return known
    const tried = await this.trials.try(fed, accepted)
    const isGood = tried?.deviations.length === 0
    this.#sent.set(text, isGood)
    return isGood
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
}

function textOf({ values, body, id }: Draft): string {
  return JSON.stringify([id, values, body?.of.content.mediaType, body?.value], (_key, value) =>
    typeof value === 'bigint' ? `${value}n` : value
  )
}
