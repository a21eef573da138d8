/** Calls one operation, and ends in a bounded time: a handler may never answer, and a stream never ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { RequestMismatch, ResponseMismatch } from '@contract-first/engine/client'
import { stringify } from '@contract-first/engine/json'
import type { Operation } from '@contract-first/engine/model'
import { sourceOf } from '../../compiler/source/values.ts'
import { opensStream } from '../samples/requests/sequence.ts'

export interface Limits {
  /** Time to wait for the whole answer, or for the head of a stream. */
  readonly answerMs: number
  /** Time to wait for the first item of a stream, which is left then. */
  readonly itemMs: number
  /** Time after which a request that was answered 503 is sent again, at most five times. */
  readonly retryMs: number
}

/** Answer that the contract declares; otherwise the predicate of a sentence about the call, and the status if one came. */
type Exchange =
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

export interface Finding {
  /** `unseen`: no success yet, because the project is not written so far; not a failure. */
  readonly kind: 'success' | 'unseen' | 'failure'
  readonly text: string
}

/**
 * Judges an answer: a success, nothing yet, or a failure.
 * @param values argument of the client's function
 * @param isAuthorized false when the operation needs a credential and none is given
 */
export function findingOf(
  operation: Operation,
  values: object,
  isAuthorized: boolean,
  exchange: Exchange
): Finding {
  const { status, text } = exchange
  const answer = `answers ${status}`
  if (text !== undefined && exchange.isLate && opensStream(operation))
    return { kind: 'success', text: 'holds a stream open, without an item so far' }
  if (status === 501) return { kind: 'unseen', text: `${answer}: its handler is not written` }
  if (status === 401 && !isAuthorized)
    return {
      kind: 'unseen',
      text: `${answer}: test/fixtures.ts has no credential of ${schemesOf(operation)}`
    }
  if (text === undefined && exchange.status < 400) return { kind: 'success', text: answer }
  const what = text ?? `${answer}: ${stringify(exchange.body ?? null)}`
  const isRefused = status === undefined ? exchange.isUnsent === true : status < 500
  const { operationId } = operation
  const call = `${operationId}(${sourceOf(values).slice(0, 500)})`
  const hint = isRefused ? `\nname values that succeed in test/fixtures.ts, under ${operationId}` : ''
  return { kind: 'failure', text: `${what.slice(0, 1000)}\n${call}${hint}` }
}

const schemesOf = ({ security }: Operation): string =>
  security.map((all) => all.map(({ scheme }) => scheme).join(' and ')).join(' or ')
