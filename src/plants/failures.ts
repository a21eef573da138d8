/** Error numbers of the service: the HTTP status times ten plus a digit, so that a client can derive the status. */

import { type Failure, type FailureCode, FailureError } from '@contract-first/engine/errors'
import type { components } from '../../generated/types.ts'
import { StoreOverloaded, StoreUnavailable } from '../store/store.ts'

type ErrorBody = components['schemas']['Error']

export const engineErrors = {
  'malformed-http': 4000,
  'malformed-url': 4000,
  'malformed-body': 4000,
  'missing-body': 4000,
  mismatch: 4001,
  'no-credentials': 4010,
  'credentials-refused': 4011,
  forbidden: 4030,
  'not-found': 4040,
  'method-not-allowed': 4050,
  'not-acceptable': 4060,
  timeout: 4080,
  'precondition-failed': 4120,
  'body-too-large': 4130,
  'unsupported-media-type': 4150,
  'expectation-failed': 4170,
  'too-many-requests': 4290,
  'headers-too-large': 4310,
  internal: 5000,
  'response-mismatch': 5001,
  'not-implemented': 5010,
  overloaded: 5030,
  unavailable: 5031,
  'shutting-down': 5030
} as const satisfies Record<FailureCode, number>

/** Numbers that only handlers use. A new one must also be added to the table of errors in the contract. */
export const serviceErrors = { taken: 4002 } as const

/** Implements `errorBody` of createContractServer. */
export function errorBody({ code, message }: Failure): ErrorBody {
  return { error: engineErrors[code], message }
}

/** Seconds after which a client may try again. */
const retryAfter = '1'

/**
 * Turns an error of the store into the failure for the client.
 * @throws {FailureError} or the error itself, when it is no error of the store
 */
export function storeFailure(cause: unknown): never {
  const details = { cause, headers: { 'retry-after': retryAfter } }
  if (cause instanceof StoreOverloaded) throw new FailureError('overloaded', details)
  if (cause instanceof StoreUnavailable)
    throw new FailureError('unavailable', { ...details, message: 'the store is unavailable' })
  throw cause
}

/** Implements `errorLabel`: metrics count error bodies by their number. */
export const errorLabel = (body: unknown): number => (body as ErrorBody).error

/** Implements `errorReason`: the reason of a handler's refusal, without the id, which is data of the client. */
export const errorReason = (body: unknown): string | undefined =>
  errorLabel(body) === serviceErrors.taken ? 'the id is taken by a different plant' : undefined
