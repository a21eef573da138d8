/**
 * Guards hooks of the user for `onSend`. Where one fails for a second time, Fastify answers in its own shape and with the
 * message of the error: the first failure has become the error response that the hook gets again.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isThenable, logSafely } from './callbacks.ts'

type Done = (error?: unknown, payload?: unknown) => void
type Hook = (
  this: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done
) => unknown
type AddHook = (this: FastifyInstance, name: string, hook: Hook) => FastifyInstance

const failed = new WeakSet<FastifyRequest>()

/** Marks a request whose response is that of an error. */
export const markFailed = (request: FastifyRequest): void => void failed.add(request)

/** Applies to plugins as well: they inherit the method. */
export function guardHooks(app: FastifyInstance): void {
  const addHook = app.addHook as unknown as AddHook
  const guarding: AddHook = function (name, hook) {
    return addHook.call(this, name, name === 'onSend' ? guarded(hook) : hook)
  }
  app.addHook = guarding as never
}

/** Sends an error response as it is where the hook fails; any other response becomes an error of the contract. */
function guarded(hook: Hook): Hook {
  return function (request, reply, payload, done) {
    const settling = (end: Done) => (error?: unknown, value?: unknown) => {
      const problem =
        error ?? (isPayload(value) ? undefined : new TypeError('onSend gave no text, bytes or stream'))
      if (problem === undefined || problem === null) return end(null, value)
      if (!failed.has(request)) return end(problem)
      logSafely(request.log, 'error', { err: problem, callback: 'onSend' }, 'onSend failed')
      end(null, payload)
    }
    const settle = settling(done)
    try {
      const result = hook.call(this, request, reply, payload, settle)
      // Fastify answers an error of what follows the hook only where the promise is its own.
      return isThenable(result) ? promised(result, settling) : undefined
    } catch (error) {
      return refused(settle)(error)
    }
  }
}

function promised(result: PromiseLike<unknown>, settling: (end: Done) => Done): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = settling((error, value) => (error === null ? resolve(value) : reject(error)))
    result.then((value) => settle(null, value), refused(settle))
  })
}

/** A hook may throw `undefined`, too. */
const refused = (settle: Done) => (error: unknown) =>
  settle(error ?? new TypeError('onSend failed without an error'))

/** Returns true for what Fastify sends; undefined keeps the payload. */
function isPayload(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'string' || Buffer.isBuffer(value))
    return true
  const { pipe, getReader } = Object(value)
  return typeof (pipe ?? getReader) === 'function' || value instanceof Response
}
