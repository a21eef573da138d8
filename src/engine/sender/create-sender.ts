/** Makes a sender of a contract: one function for each webhook and callback. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientOptions, createClient, type Fetch, type TypesOf } from '../client/create-client.ts'
import { Problems, problemAt } from '../client/mismatch.ts'
import { checkHeaders, lowerCased } from '../client/request.ts'
import type { ClientOperation } from '../model/client-operation.ts'
import type { Contract, Operation, SenderCode } from '../model/compiled-contract.ts'
import type { AnsweredExchange, SendOptions } from '../model/contract-types.ts'
import { httpDate } from '../model/http-date.ts'
import { withTraceContext } from '../server/tracing/registered.ts'
import { AnswerRefused, httpExchange, type OutgoingRequest } from './http-exchange.ts'
import { guardedLookup, TargetRefused, type TargetRules, targetIn, targetOf } from './target.ts'

/** @typeParam Signed names of the headers that `sign` returns */
export interface SenderOptions<Signed extends string = string> extends TargetRules {
  /** Credentials of the webhooks and callbacks that require some, by security scheme. */
  readonly security?: ClientOptions['security']
  /** Headers of every request. */
  readonly headers?: ClientOptions['headers']
  /** Returns further headers of a request, such as its signature; it is called for each attempt. Calls need not give them. */
  readonly sign?: (
    request: OutgoingRequest
  ) => Readonly<Record<Signed, string>> | Promise<Readonly<Record<Signed, string>>>
  /** Time for a call in milliseconds, with all attempts, pauses and its answer; 10 s by default. */
  readonly timeout?: number
  /** Attempts after the first, of a request that may be repeated; 2 by default. */
  readonly retries?: number
  /** Longest pause before the second attempt in milliseconds, 500 by default; it doubles with each further one. */
  readonly retryDelay?: number
  /** Largest body of an answer in bytes, 1 MiB by default. */
  readonly maxAnswerBytes?: number
}

/** Members of a call beside the values of its request. */
interface Sending extends SendOptions {
  readonly url?: string | URL | undefined
  readonly on?: AnsweredExchange | undefined
}

/** One function for each webhook and callback. */
export type Sender<Source, Signed extends string = never> =
  TypesOf<Source> extends { readonly sender: infer Calls } ? SignedCalls<Calls, Lowercase<Signed>> : never

type SignedCalls<Calls, Signed extends string> = [Signed] extends [never]
  ? Calls
  : {
      [Name in keyof Calls]: Calls[Name] extends (call: infer Call) => infer Answer
        ? (call: SignedCall<Call, Signed>) => Answer
        : never
    }

/** A call, whose headers of these names are optional. */
type SignedCall<Call, Signed extends string> = Call extends { readonly headers: infer Headers }
  ? Omit<Call, 'headers'> & Given<Omit<Headers, Signed> & Partial<Headers>>
  : Call

type Given<Headers> =
  Record<never, never> extends Headers ? { readonly headers?: Headers } : { readonly headers: Headers }

type SendingContract = Contract & { readonly sender: SenderCode }

/** The code of the functions is loaded by their first call. */
export function createSender<Source extends SendingContract, Signed extends string = never>(
  { sender }: Source,
  options: SenderOptions<Signed> = {}
): Sender<Source, Signed> {
  const { security, headers, maxAnswerBytes = 2 ** 20 } = options
  const calls = sender.names.map((name) => {
    const call = async ({ url, on, ...sent }: Sending) => {
      const { operations, targets } = await sender.load()
      const template = Object.hasOwn(targets, name) ? targets[name] : undefined
      const target = targetOf(url ?? expressed(name, template, on), options)
      const code = operations[name] as ClientOperation
      const fetch = fetchFor(code, target, sent, { ...options, maxAnswerBytes })
      const client = createClient({ call: code }, { fetch, security, headers, maxAnswerBytes })
      return Reflect.apply(client.call as never, undefined, [sent])
    }
    return [name, call] as const
  })
  return Object.fromEntries(calls) as Sender<Source, Signed>
}

function expressed(name: string, target: string | undefined, on: AnsweredExchange | undefined): string {
  if (target !== undefined && on !== undefined) return targetIn(target, on)
  throw new TargetRefused(`${name} needs a url${target === undefined ? '' : ', or `on` with the exchange'}`)
}

/** Returns a `fetch` that sends to one target; the URL that it is given holds the query of the operation only. */
function fetchFor(
  { operation }: ClientOperation,
  target: URL,
  sending: Sending,
  options: SenderOptions & { readonly maxAnswerBytes: number }
): Fetch {
  const { timeout = 10_000, retries = 2, retryDelay = 500, maxAnswerBytes, sign } = options
  const lookup = guardedLookup(options)
  return (query, { method = 'GET', headers, body, signal }) =>
    withTraceContext(async (trace) => {
      const { idempotencyKey: key, retry } = sending
      const own = { ...trace, ...Object(headers), ...(key !== undefined && { 'idempotency-key': key }) }
      const request = await requestOf(target, query, { method, body, headers: own })
      const attempt = async (signal: AbortSignal) => {
        const all = { ...own, ...lowerCased(await sign?.(request)) }
        checkHeaders(all)
        checkRequired(operation, all)
        return httpExchange({ ...request, headers: all }, { lookup, signal, maxAnswerBytes })
      }
      const mayRepeat = idempotent.has(method) || key !== undefined || retry === true
      return withRetries(attempt, { retries: mayRepeat ? retries : 0, retryDelay, timeout, signal })
    })
}

/** @throws {Problems} for a header that neither the call nor the options give */
function checkRequired({ parameters }: Operation, headers: OutgoingRequest['headers']): void {
  const missing = parameters.find(
    ({ in: place, key, required }) => place === 'header' && required && headers[key] === undefined
  )
  if (missing !== undefined) throw problemAt(`headers/${missing.key}`, 'is required')
}

/** Returns the request with the bytes of its body, which a signature covers and every attempt sends again. */
async function requestOf(
  target: URL,
  query: string,
  { method, body, headers }: Omit<OutgoingRequest, 'url' | 'body'> & { readonly body: RequestInit['body'] }
): Promise<OutgoingRequest> {
  const url = new URL(target)
  url.hash = ''
  if (query !== '') url.search += `${url.search === '' ? '' : '&'}${query.slice(1)}`
  return { method, url, headers, body: new Uint8Array(await new Response(body ?? null).arrayBuffer()) }
}

interface RetryOptions {
  /** Number of attempts after the first. */
  readonly retries: number
  /** Longest pause before the second attempt in milliseconds; it doubles with each further one. */
  readonly retryDelay: number
  /** Time for all attempts and pauses in milliseconds. */
  readonly timeout: number
  /** Signal of the caller. */
  readonly signal: AbortSignal | null | undefined
}

/** Methods that may be repeated (RFC 9110, section 9.2.2; RFC 10008 for QUERY). */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])

/** Statuses of receivers that may answer later. */
const transient: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/**
 * Returns the first answer that is final. So is one whose receiver asks for a pause beyond the time of the call.
 * @param attempt sends the request once, and ends with the signal
 */
async function withRetries(
  attempt: (signal: AbortSignal) => Promise<Response>,
  { retries, retryDelay, timeout, signal: caller }: RetryOptions
): Promise<Response> {
  const end = performance.now() + timeout
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(caller ? [caller] : [])])
  for (let left = retries, longest = retryDelay; ; left--, longest *= 2) {
    const outcome = await attempt(signal).catch((error: unknown) => ({ error }))
    const isAnswer = outcome instanceof Response
    const isFinal = (error: unknown) => signal.aborted || finalErrors.some((type) => error instanceof type)
    const mayRepeat = isAnswer ? transient.has(outcome.status) : !isFinal(outcome.error)
    const asked = isAnswer ? retryAfter(outcome.headers.get('retry-after') ?? '') : 0
    const pause = Math.max(asked, Math.random() * longest)
    if (left > 0 && mayRepeat && performance.now() + pause < end)
      await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted())
    else if (isAnswer) return outcome
    else throw outcome.error
  }
}

/** Returns the pause in milliseconds that a receiver asks for, in seconds or until a date (RFC 9110, section 10.2.3). */
function retryAfter(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  return Math.max(0, httpDate(text) - Date.now() || 0)
}

/** Errors of what is not sent and of what has arrived: another attempt would change neither. */
const finalErrors = [TargetRefused, Problems, AnswerRefused]
