/** Failure of a request whose body is incomplete: its own response states it, so that each request gets one response. */
import type { IncomingMessage } from 'node:http'
import type { FailureError } from '../errors/failure.ts'

/** A property, because it costs less than a WeakMap at every body that is read. */
const failure = Symbol('failure')

interface Failed extends IncomingMessage {
  [failure]?: FailureError
}

/** Ends the reading of the body with the failure, also a reading that begins later. */
export function failRequest(request: Failed, failed: FailureError): void {
  request[failure] = failed
  // Without a listener the event would be thrown.
  if (request.listenerCount('error') > 0) request.emit('error', failed)
}

export const requestFailure = (request: Failed): FailureError | undefined => request[failure]
