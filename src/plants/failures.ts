/** The error numbers of the service: the HTTP status times ten plus a digit, so that a client needs no table to read them. */

import { type Failure, type FailureCode, FailureError } from '@contract-first/engine/errors'
import type { components } from '../../generated/types.ts'
import { StoreOverloaded, StoreUnavailable } from '../store/store.ts'

export type ErrorBody = components['schemas']['Error']

/** The number of every failure of the engine. */
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

/** The numbers that only handlers answer with. A further one goes here and into the table of errors in the contract. */
export const serviceErrors = { taken: 4002 } as const

/** The `errorBody` of createContractServer. */
export function errorBody({ code, message }: Failure): ErrorBody {
  return { error: engineErrors[code], message }
}

/** Seconds after which a client may try again. */
const retryAfter = '1'

/**
 * Turns what a store throws into the failure that the client sees.
 * @throws {FailureError} or the error itself, when it is not the store's
 */
export function storeFailure(cause: unknown): never {
  const details = { cause, headers: { 'retry-after': retryAfter } }
  if (cause instanceof StoreOverloaded) throw new FailureError('overloaded', details)
  if (cause instanceof StoreUnavailable)
    throw new FailureError('unavailable', { ...details, message: 'the store is unavailable' })
  throw cause
}

/** The `errorLabel` of the service: the number by which metrics count error bodies. */
export const errorLabel = (body: unknown): number => (body as ErrorBody).error

const reasons = new Map<number, string>([[serviceErrors.taken, 'the id is taken by a different plant']])

/** The `errorReason` of the service: why a handler refused, without the id, which is the client's. */
export const errorReason = (body: unknown): string | undefined => reasons.get(errorLabel(body))
