/** The state of a run: the known values, the requests sent and the findings. */
import type { Contract as Model } from '@contract-first/contract'
import { type ContractCoverage, contractCoverage } from '@contract-first/engine/coverage'
import type { CompiledCode } from '@contract-first/engine/model'
import type { Draft, RawRequest, Subject } from '../samples/requests/draft.ts'
import { rawRequest } from '../samples/requests/raw-request.ts'
import { opensStream } from '../samples/requests/sequence.ts'
import { Judge } from '../samples/requests/verdict.ts'
import type { Credentials, Sending } from './credentials.ts'
import { type Deviation, type Exchange, type Finding, findingOf, type Repeated } from './finding.ts'
import { encoded, HttpClient, type HttpResponse, isResponse, type Outcome } from './http-client.ts'
import { FreshIds } from './requests/fresh-ids.ts'
import { KnownValues } from './requests/known-values.ts'
import type { Secrets } from './secrets.ts'

interface SessionOptions {
  readonly code: CompiledCode
  readonly model: Model
  /** Operations that are checked. */
  readonly chosen: readonly Subject[]
  readonly url: URL
  readonly credentials: Credentials
  readonly secrets: Secrets
  readonly seed: number
  readonly timeoutMs: number
}

/** Fraction of the time-out that remains after the server has exceeded it once. */
const laterTimeoutRatio = 0.3
/** Times to wait for an item of the first stream of an operation that does not end, and of each later one. */
const firstStream = { streamMs: 2_000, quietMs: 200 }
const laterStream = { streamMs: 200, quietMs: 20 }
const maxRetries = 3
const maxWaitMs = 30_000

export class Session {
  readonly options: SessionOptions
  readonly judge: Judge
  readonly code: CompiledCode
  readonly known = new KnownValues()
  readonly ids: FreshIds
  readonly coverage: ContractCoverage
  readonly findings = new Map<string, Finding>()
  requests = 0
  /** True after the first response, whatever it was. */
  hasResponded = false
  /** True when the server no longer accepts connections. */
  isGone = false
  readonly #client: HttpClient
  /** Operations whose streams have been left. */
  readonly #streams = new Set<Subject>()
  #timeoutMs: number
  #waitedMs = 0

  constructor(options: SessionOptions) {
    this.options = options
    this.code = options.code
    this.coverage = contractCoverage({ operations: options.chosen.map(({ operation }) => operation) })
    this.judge = new Judge(options.code)
    this.ids = new FreshIds(options.seed, (draft, other) => this.judge.isSame(draft, other))
    this.#client = new HttpClient(options.url)
    this.#timeoutMs = options.timeoutMs
  }

  close(): void {
    this.#client.close()
  }

  /**
   * Returns the draft with values that the server knows, unless they change whether it is valid.
   * @param at chooses one of several
   */
  fed(draft: Draft, at: number): Draft {
    const fed = this.known.fed(draft, at)
    return this.judge.isSame(draft, fed) ? fed : draft
  }

  /** Sends a draft with ids of its own. */
  async send(draft: Draft, sent: Sending): Promise<Exchange> {
    const fresh = this.ids.refreshed(draft)
    return this.exchange(fresh, this.#complete(rawRequest(fresh), sent))
  }

  async exchange(draft: Draft, raw: RawRequest): Promise<Exchange> {
    const outcome = await this.sendRaw(raw, draft.subject)
    if (isResponse(outcome)) this.#count(draft.subject, raw, outcome)
    if (isResponse(outcome) && !outcome.isWhole) this.#streams.add(draft.subject)
    return { draft, raw, url: this.#client.urlOf(raw.target), outcome }
  }

  /** A method that the path does not declare is sent for another operation. */
  #count({ operation }: Subject, { method, target, headers }: RawRequest, answer: HttpResponse): void {
    const contentType = answer.headers['content-type']
    if (method === operation.method)
      this.coverage.count(operation, { target, headers, status: answer.status, contentType })
  }

  /**
   * Sends a request; waits and tries again when the server asks for it (RFC 6585, section 4; RFC 9110, section 10.2.3).
   */
  async sendRaw(raw: RawRequest, subject?: Subject): Promise<Outcome> {
    const stream = subject && !this.#streams.has(subject) ? firstStream : laterStream
    const mayBeQuiet = subject !== undefined && opensStream(subject.operation)
    for (let tries = 0; ; tries++) {
      this.requests++
      const outcome = await this.#client.send(raw, { timeoutMs: this.#timeoutMs, ...stream })
      if (isResponse(outcome)) this.hasResponded = true
      else if (outcome.reason.includes('ECONNREFUSED')) this.isGone = true
      else if (outcome.kind === 'time-out' && !mayBeQuiet)
        this.#timeoutMs = this.options.timeoutMs * laterTimeoutRatio
      const waitMs = retryDelay(outcome, tries)
      if (waitMs === undefined || this.#waitedMs + waitMs > maxWaitMs) return outcome
      this.#waitedMs += waitMs
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  /** Returns the request that would show the same result once more. */
  repeated(draft: Draft, sent: Sending): Repeated {
    const raw = this.#complete(rawRequest(this.ids.refreshed(draft)), sent)
    return { raw, url: this.#client.urlOf(raw.target) }
  }

  #complete(raw: RawRequest, sent: Sending): RawRequest {
    const { others } = this.options.credentials
    return sent(encoded({ ...raw, headers: { ...others, ...raw.headers } }))
  }

  isNew(operation: string, deviation: Deviation): boolean {
    return !this.findings.has(keyOf(operation, deviation))
  }

  add(operation: string, deviation: Deviation, exchange: Exchange, repeated?: Repeated): void {
    this.findings.set(
      keyOf(operation, deviation),
      findingOf(operation, deviation, exchange, this.options.secrets, repeated)
    )
  }
}

export const keyOf = (operation: string, { check, place }: Deviation): string =>
  `${check} ${operation} ${place}`

function retryDelay(outcome: Outcome, tries: number): number | undefined {
  if (!isResponse(outcome) || tries >= maxRetries) return undefined
  const { status, headers } = outcome
  const asked = headers['retry-after']
  if (status !== 429 && !(status === 503 && asked !== undefined)) return undefined
  const seconds = Number(asked ?? 1)
  return Number.isFinite(seconds) ? Math.max(0.1, seconds) * 1000 : undefined
}
