/**
 * Checks one operation with valid requests, without credentials, with each break of the contract, with unusual values.
 */

import type { Draft, Subject } from '../instances/requests/draft.ts'
import { ValidDrafts } from '../instances/requests/valid-drafts.ts'
import type { Expectation } from './checks/expectation.ts'
import { isResponse } from './checks/http-client.ts'
import { nothing } from './credentials.ts'
import { Trials } from './judged-sending.ts'
import { type Break, breaksOf } from './requests/breaks.ts'
import { unusualDrafts } from './requests/unusual-drafts.ts'
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
  readonly #max: number
  readonly #sent = new Set<string>()
  /** Schemes whose credentials are sent. */
  #alternative: readonly string[] = []
  /** Counter of drafts, which alternates between known values. */
  #turn = 0

  constructor(subject: Subject, max: number, session: Session) {
    this.subject = subject
    this.#max = max
    this.#session = session
    this.#drafts = new ValidDrafts(subject, session.schemas, session.judge)
    this.trials = new Trials(subject.name, max, session)
    this.trials.feed = (draft) => this.#fed(draft)
    this.bases = this.#drafts.plain(session.options.seed)
  }

  /**
   * Finds accepted credentials, and sends the first valid request, so that other operations can use values of its
   * answer.
   */
  async begin(): Promise<void> {
    const [base] = this.bases
    if (base === undefined || this.isLocked) return
    await this.#chooseCredentials(base)
    if (this.subject.operation.method !== 'DELETE') await this.#accepted(base)
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
      this.trials.left--
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

  async run(): Promise<void> {
    if (this.isLocked) return this.#locked()
    await this.#alternatives()
    for (const base of this.bases) await this.#accepted(base)
    if (this.#fails) return this.trials.end()
    await this.#withoutCredentials()
    const breaks = this.#uniqueBreaks()
    await this.#refused(breaks, Math.floor(this.#max / 2))
    await this.#unusual(Math.floor(this.#max / 3))
    await this.#search(breaks)
    this.trials.end()
  }

  /** Creates the resource in the path of a request, so that the request does not end with a 404. */
  async produce(): Promise<void> {
    const [base] = this.bases
    if (base !== undefined && !this.trials.isStopped) await this.trials.create(base)
  }

  get #fails(): boolean {
    return this.trials.isStopped || this.trials.fails
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
      await this.trials.try(await this.#fed(base), accepted, credentials.sentFor(alternative))
  }

  async #withoutCredentials(): Promise<void> {
    const { credentials } = this.#session.options
    const { operation } = this.subject
    const [base] = this.bases
    if (base === undefined || operation.security.some((all) => all.length === 0)) return
    for (const alternative of credentials.alternativesOf(operation))
      for (const { check, what, sent } of credentials.variantsOf(operation, alternative))
        await this.trials.try(await this.#fed(base), { kind: 'unauthorized', check, what }, sent)
  }

  #uniqueBreaks(): readonly Break[] {
    const found = new Map<string, Break>()
    for (const base of this.bases)
      for (const each of breaksOf(base, this.#session))
        if (!found.has(each.signature)) found.set(each.signature, each)
    return [...found.values()]
  }

  async #refused(breaks: readonly Break[], max: number): Promise<void> {
    for (const { draft, problem } of breaks.slice(0, max))
      await this.trials.try(await this.#fed(draft), { kind: 'refused', problem })
  }

  async #unusual(max: number): Promise<void> {
    const { schemas, judge } = this.#session
    const [base] = this.bases
    if (base === undefined) return
    for (const draft of unusualDrafts(base, schemas, judge).slice(0, max)) await this.#accepted(draft)
  }

  /** Sends requests at random: three valid ones, then one that breaks the contract. */
  async #search(known: readonly Break[]): Promise<void> {
    const { seed } = this.#session.options
    const drafts = this.#drafts.varied(seed, Math.min(this.trials.left, 20_000))
    for (const [index, draft] of drafts.entries()) {
      if (this.trials.left <= 0 || this.#fails) return
      if (index % 4 < 3) await this.#accepted(draft)
      else await this.#searchBreak(draft, index, known)
    }
  }

  async #searchBreak(draft: Draft, index: number, known: readonly Break[]): Promise<void> {
    const found = breaksOf(draft, this.#session)
    const fresh = found.filter(({ signature }) => !known.some((other) => other.signature === signature))
    const chosen = (fresh.length > 0 ? fresh : found)[index % Math.max(1, fresh.length || found.length)]
    if (chosen !== undefined) await this.#refused([chosen], 1)
  }

  /** Sends a valid request, each only once. */
  async #accepted(draft: Draft): Promise<void> {
    const fed = await this.#fed(draft)
    const text = textOf(fed)
    if (this.#sent.has(text)) return
    this.#sent.add(text)
    await this.trials.try(fed, accepted)
  }

  /** Returns the draft with values that the server knows, unless they change whether it is valid. */
  async #fed(draft: Draft): Promise<Draft> {
    const { known, judge } = this.#session
    if (this.producer !== undefined && !known.hasFor(this.subject)) await this.producer.produce()
    const fed = known.fed(draft, this.#turn++)
    return judge.isSame(draft, fed) ? fed : draft
  }
}

function textOf({ values, body, id }: Draft): string {
  return JSON.stringify([id, values, body?.of.content.mediaType, body?.value], (_key, value) =>
    typeof value === 'bigint' ? `${value}n` : value
  )
}
