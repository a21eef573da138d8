import type { Duplex } from 'node:stream'
import type { FailureError } from '../errors/failure.ts'
import { type RenderFailure, renderSafely } from './raw-response.ts'

/** Closes a connection without a response, and reports the failure like one with a response. */
export function closeReported(socket: Duplex, { failure }: FailureError, render: RenderFailure): void {
  // Reported before the close, because a closed socket has no remote address.
  renderSafely(failure, (reported) => render(reported, socket))
  socket.destroy()
}
