/** Judges what an operation has answered: a success, nothing yet, or a failure. */
import { stringify } from '@contract-first/engine/json'
import type { Operation } from '@contract-first/engine/model'
import { opensStream } from '../instances/requests/sequence.ts'
import { sourceOf } from '../source/values.ts'
import type { Exchange } from './smoke-exchange.ts'

export interface Finding {
  /** `unseen`: no success yet, because the project is not written so far; not a failure. */
  readonly kind: 'success' | 'unseen' | 'failure'
  readonly text: string
}

interface Tried {
  readonly operation: Operation
  /** Argument of the client's function. */
  readonly values: object
  /** False when the operation needs a credential and none is given. */
  readonly isAuthorized: boolean
}

export function findingOf({ operation, values, isAuthorized }: Tried, exchange: Exchange): Finding {
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
  const hint = `\nname values that succeed in test/fixtures.ts, under ${operation.operationId}`
  return {
    kind: 'failure',
    text: `${what.slice(0, 1000)}\n${callText(operation, values)}${isRefused ? hint : ''}`
  }
}

const schemesOf = ({ security }: Operation): string =>
  security.map((all) => all.map(({ scheme }) => scheme).join(' and ')).join(' or ')

const callText = ({ operationId }: Operation, values: object): string =>
  `${operationId}(${sourceOf(values).slice(0, 500)})`
