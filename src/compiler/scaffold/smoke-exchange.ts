/** Calls one operation, and ends in a bounded time: a handler may never answer, and a stream never ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { RequestMismatch, ResponseMismatch } from '@contract-first/engine/client'

export interface Limits {
  /** Time to wait for the whole answer, or for the head of a stream. */
  readonly answerMs: number
  /** Time to wait for the first item of a stream, which is left then. */
  readonly itemMs: number
  /** Time after which a request that was answered 503 is sent again, at most five times. */
  readonly retryMs: number
}

/** Answer that the contract declares; otherwise the predicate of a sentence about the call, and the status if one came. */
export type Exchange =
  | {
      readonly status: number
      readonly body: unknown
      readonly text?: undefined
      readonly isUnsent?: undefined
    }
  | {
      readonly status?: number | undefined
      readonly text: string
      readonly isLate?: true
      /** True for a request that breaks the contract. */
      readonly isUnsent?: true
    }

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Function of a client. */
export type Call = (values: object) => Promise<Answer>

/** Repeats what is answered 503: a busy machine delays the event loop, and the service then sheds load. */
export async function exchange(call: Call, values: object, limits: Limits, retries = 5): Promise<Exchange> {
  const found = await exchangeOnce(call, values, limits)
  if (found.status !== 503 || retries === 0) return found
  await delay(limits.retryMs)
  return exchange(call, values, limits, retries - 1)
}

async function exchangeOnce(call: Call, values: object, { answerMs, itemMs }: Limits): Promise<Exchange> {
  const leaving = new AbortController()
  const { signal } = leaving
  const text = `does not answer within ${answerMs / 1000} s`
  const late = delay(answerMs, { text, isLate: true } as const, { signal })
  const patience = () => delay(itemMs, undefined, { signal })
  try {
    return await Promise.race([answered(call({ ...values, signal }), patience), late])
  } finally {
    leaving.abort()
  }
}

async function answered(answer: Promise<Answer>, patience: () => Promise<unknown>): Promise<Exchange> {
  try {
    const { status, body } = await answer
    if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return { status, body }
    const items = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]()
    await Promise.race([items.next(), patience()])
    return { status, body: undefined }
  } catch (error) {
    return flaw(error)
  }
}

function flaw(error: unknown): Exchange {
  if (error instanceof RequestMismatch)
    return { text: `breaks the contract: ${problemList(error)}`, isUnsent: true }
  if (error instanceof ResponseMismatch)
    return { status: error.status, text: `answers ${error.status}: ${problemList(error)}` }
  return { text: `is not answered: ${Object(error).message}` }
}

const problemList = ({ problems }: RequestMismatch | ResponseMismatch): string =>
  problems
    .map(({ place, message }) =>
      place === 'status' ? 'the contract does not declare this status' : `${place} ${message}`
    )
    .join('; ')
