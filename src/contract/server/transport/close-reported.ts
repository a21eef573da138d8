import type { Socket } from 'node:net'
import type { FailureError } from '../errors/failure.ts'
import { type RenderFailure, renderSafely } from './raw-response.ts'

/** Closes a connection without an answer, and reports it as every failure that is answered. */
export function closeReported(socket: Socket, { failure }: FailureError, render: RenderFailure): void {
  // Before it is closed, because a closed socket has no remote address.
  renderSafely(failure, (reported) => render(reported, socket))
  socket.destroy()
}
