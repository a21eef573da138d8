/** Chooses the value of an enumeration that matches a failure. */
import type { Failure, FailureCode } from '@contract-first/engine/errors'

/** Words that people use for each failure, the closest first. */
const words: Readonly<Record<FailureCode, string>> = {
  'malformed-http': 'malformed badrequest invalidrequest invalid syntax client',
  'malformed-url': 'malformed badrequest invalidrequest invalid syntax client',
  'malformed-body': 'malformed parse badrequest invalidrequest invalid syntax client',
  'missing-body': 'missing required badrequest invalidrequest invalid client',
  mismatch:
    'validation validate invalidrequest badrequest invalidparameter invalidargument invalid badinput client',
  'no-credentials':
    'unauthenticated unauthorized unauthorised authentication notauthenticated credential login token auth',
  'credentials-refused':
    'unauthorized unauthorised invalidtoken unauthenticated authentication credential token auth',
  forbidden: 'forbidden permission accessdenied notallowed denied unauthorized unauthorised authorization',
  'not-found': 'notfound unknownresource missing nosuch badrequest invalid client',
  'method-not-allowed': 'methodnotallowed notallowed unsupported badrequest invalid client',
  'not-acceptable': 'notacceptable unsupported badrequest invalid client',
  timeout: 'requesttimeout timeout timedout badrequest invalid client',
  'body-too-large': 'toolarge payloadtoolarge contenttoolarge size limit badrequest invalid client',
  'unsupported-media-type': 'unsupportedmediatype mediatype unsupported badrequest invalid client',
  'expectation-failed': 'expectation unsupported badrequest invalid client',
  'too-many-requests': 'toomanyrequests ratelimit throttl quota limit badrequest invalid client',
  'headers-too-large': 'headerstoolarge toolarge limit badrequest invalid client',
  internal: 'internalservererror internalerror internal server unexpected unknown api error',
  'response-mismatch': 'internalservererror internalerror internal server unexpected unknown api error',
  'not-implemented': 'notimplemented unimplemented unsupported internal server unexpected unknown api error',
  overloaded: 'overload serviceunavailable unavailable busy internal server unexpected unknown api error',
  unavailable: 'serviceunavailable unavailable internal server unexpected unknown api error',
  'shutting-down': 'serviceunavailable unavailable internal server unexpected unknown api error'
}

/** Returns the values, the best match for the failure first. */
export function ranked(values: readonly unknown[], failure: Failure): unknown[] {
  return values.toSorted((a, b) => distance(a, failure) - distance(b, failure))
}

function distance(value: unknown, { status, code }: Failure): number {
  const number = Number(value)
  if (typeof value !== 'string' || (value.trim() !== '' && !Number.isNaN(number)))
    return numberDistance(number, status)
  const text = value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const list = words[code].split(' ')
  const found = list.findIndex((word) => text.includes(word))
  // The shorter of two values with the same word wins: `not_found` before `artist_not_found`.
  return (found < 0 ? list.length + 1 : found) * 1000 + text.length
}

/** Rates a number: the status itself, then a number that begins with it, then one of its class. */
function numberDistance(value: number, status: number): number {
  if (value === status) return 0
  const digits = String(value)
  if (digits.startsWith(String(status))) return 1
  return digits.startsWith(String(Math.floor(status / 100))) ? 2 + Math.abs(value - status) : 10_000
}
