/** The failures of the service: `error` is the HTTP status times ten plus a digit, so that nobody needs a table to read it. */
import type { components } from '../../generated/types.ts'
import type { Failure, FailureCode } from '../contract/errors.ts'

export type ErrorBody = components['schemas']['Error']

/** The digit of every failure that the engine can answer with. */
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

/** The failures of the service itself, answered by its handlers. */
export const serviceErrors = { taken: 4002, overloaded: 5030, unavailable: 5031 } as const

/** The `errorBody` of createContractServer. */
export function errorBody({ code, message }: Failure): ErrorBody {
  return { error: engineErrors[code], message }
}
