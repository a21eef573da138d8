/** Sends error responses, whatever the hooks of the user for `onSend` do. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isThenable, logSafely } from './callbacks.ts'
import type { ErrorResponse } from './error-response.ts'
import { FailureError, isFailure } from './failure.ts'

/** Replies that send an error response. */
const failed = new WeakSet<FastifyReply>()

/**
 * Sends the response to a failure. Where Fastify cannot send it, because a hook of a route fails or has added a header
 * that Node refuses, it would call its own error handler, which sends the text of the error: the response is then
 * written past the hooks.
 */
export function sendError(reply: FastifyReply, { status, headers, body }: ErrorResponse): FastifyReply {
  const { send, raw, log } = reply
  failed.add(reply)
  reply.send = (err) => {
    logSafely(log, 'error', { err }, 'an error response could not be sent with its hooks')
    reply.hijack()
    if (raw.headersSent) raw.destroy()
    else raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    return reply
  }
  return send.call(reply.code(status).headers(headers).serializer(String), body)
}

/** Error and payload, as Fastify takes them from a hook. */
type Outcome = [error: unknown, payload?: unknown]
type Hook = (
  this: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (...outcome: Outcome) => void
) => unknown
type AddHook = (this: FastifyInstance, name: string, hook: Hook) => FastifyInstance

/**
 * Guards hooks for `onSend`, those of plugins as well, which inherit the method. Where one fails, an error response is
 * sent as it is, with what the other hooks add; any other response becomes an error of the contract.
 */
export function guardHooks(app: FastifyInstance): void {
  const addHook = app.addHook as unknown as AddHook
  const guarding: AddHook = function (name, hook) {
    return addHook.call(this, name, name === 'onSend' ? guarded(hook) : hook)
  }
  app.addHook = guarding as never
}

function guarded(hook: Hook): Hook {
  return function (request, reply, payload, done) {
    const settled = (error: unknown, value?: unknown): Outcome => {
      const problem = error ?? misfit(value)
      if (problem === null) return [null, value]
      if (!failed.has(reply)) return [asInternal(problem), value]
      logSafely(request.log, 'error', { err: problem, callback: 'onSend' }, 'onSend failed')
      return [null, payload]
    }
    // A hook may throw `undefined`, too.
    const refused = (error: unknown) => settled(error ?? new TypeError('onSend failed without an error'))
    try {
      const result = hook.call(this, request, reply, payload, (...outcome) => done(...settled(...outcome)))
      // Fastify answers an error of what follows the hook only where the promise is its own.
      if (isThenable(result)) return result.then((value) => settled(null, value), refused).then(payloadOf)
    } catch (error) {
      done(...refused(error))
    }
    return undefined
  }
}

/** The handler has succeeded: an error of a hook must not look like a mistake of the client. */
function asInternal(problem: unknown): FailureError {
  return isFailure(problem) ? problem : new FailureError('internal', { cause: problem })
}

function payloadOf([error, payload]: Outcome): unknown {
  if (error !== null) throw error
  return payload
}

/** Returns an error for what Fastify does not send, otherwise null; undefined keeps the payload. */
function misfit(value: unknown): TypeError | null {
  if (value === undefined || value === null || typeof value === 'string' || Buffer.isBuffer(value))
    return null
  const { pipe, getReader } = Object(value)
  const isStream = typeof (pipe ?? getReader) === 'function' || value instanceof Response
  return isStream ? null : new TypeError('onSend gave no text, bytes or stream')
}
