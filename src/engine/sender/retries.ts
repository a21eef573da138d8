/** Repeats a request that may be repeated, after pauses of random length, within the time of the call. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Problems } from '../client/mismatch.ts'
import { httpDate } from '../model/http-date.ts'
import { AnswerRefused } from './http-exchange.ts'
import { TargetRefused } from './target.ts'

interface RetryOptions {
  /** Number of attempts after the first. */
  readonly retries: number
  /** Longest pause before the second attempt in milliseconds; it doubles with each further one. */
  readonly retryDelay: number
  /** Time for all attempts and pauses in milliseconds. */
  readonly timeout: number
  /** Signal of the caller. */
  readonly signal: AbortSignal | undefined
}

/** Methods that may be repeated (RFC 9110, section 9.2.2; RFC 10008 for QUERY). */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])

export const isIdempotent = (method: string): boolean => idempotent.has(method)

/** Statuses of receivers that may answer later. */
const transient: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/**
 * Returns the first answer that is final. So is one whose receiver asks for a pause beyond the time of the call.
 * @param attempt sends the request once, and ends with the signal
 */
export async function withRetries(
  attempt: (signal: AbortSignal) => Promise<Response>,
  { retries, retryDelay, timeout, signal: caller }: RetryOptions
): Promise<Response> {
  const end = performance.now() + timeout
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(caller ? [caller] : [])])
  for (let left = retries, longest = retryDelay; ; left--, longest *= 2) {
    const outcome = await attempt(signal).catch((error: unknown) => ({ error }))
    const isAnswer = outcome instanceof Response
    const mayRepeat = isAnswer ? transient.has(outcome.status) : !isFinal(outcome.error, signal)
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

const isFinal = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || finalErrors.some((type) => error instanceof type)
