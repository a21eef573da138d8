/** Judges what an operation has answered: a success, nothing yet, or a failure. */
import { declaredResponse, type Operation } from '@contract-first/engine/model'
import type { RawRequest } from '../instances/requests/raw-request.ts'
import { opensStream } from '../instances/requests/sequence.ts'
import type { Exchange } from './exchange.ts'

export interface Finding {
  /** `unseen`: no success yet, because the project is not written so far; not a failure. */
  readonly kind: 'success' | 'unseen' | 'failure'
  readonly text: string
}

interface Tried {
  readonly operation: Operation
  readonly raw: RawRequest
  /** False when the operation needs a credential and none is given. */
  readonly isAuthorized: boolean
}

export function findingOf(tried: Tried, { text, ...exchange }: Exchange): Finding {
  const { operation, isAuthorized } = tried
  const { status } = exchange
  if (status === undefined && exchange.isLate && opensStream(operation))
    return { kind: 'success', text: 'holds a stream open, without an item so far' }
  if (status === undefined) return { kind: 'failure', text: `${requestLine(tried)} ${text}` }
  const answer = `answers ${status}`
  if (status === 501) return { kind: 'unseen', text: `${answer}: its handler is not written` }
  if (status === 401 && !isAuthorized)
    return {
      kind: 'unseen',
      text: `${answer}: test/fixtures.ts has no credential of ${schemesOf(operation)}`
    }
  if (status < 400 && declaredResponse(operation, status) !== undefined)
    return { kind: 'success', text: answer }
  const hint = `name values that succeed in test/fixtures.ts, under ${operation.operationId}`
  return { kind: 'failure', text: `${requestLine(tried)} ${answer}: ${text.slice(0, 500)}\n${hint}` }
}

const schemesOf = ({ security }: Operation): string =>
  security.map((all) => all.map(({ scheme }) => scheme).join(' and ')).join(' or ')

function requestLine({ raw: { method, target, body } }: Tried): string {
  return body === undefined ? `${method} ${target}` : `${method} ${target} with ${String(body).slice(0, 500)}`
}
