/** The request that a handler receives. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { ranked } from '../media-types/accept.ts'
import { type ErrorLog, notify } from './errors/callbacks.ts'
import type { Members, Parameters } from './parameters/decoded.ts'

interface Details {
  readonly body: unknown
  readonly mediaType: string | undefined
  readonly principal: unknown
  /** Media types of the operation's successes. */
  readonly offered: readonly string[]
}

export class HandlerRequest implements Parameters {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly cookies: Members
  readonly body: unknown
  /** Declared media type of the body; undefined without a body. */
  readonly mediaType: string | undefined
  readonly principal: unknown
  readonly #reply: FastifyReply
  readonly #offered: readonly string[]
  #signal: AbortSignal | undefined

  constructor(reply: FastifyReply, parameters: Parameters, { body, mediaType, principal, offered }: Details) {
    this.params = parameters.params
    this.query = parameters.query
    this.headers = parameters.headers
    this.cookies = parameters.cookies
    this.body = body
    this.mediaType = mediaType
    this.principal = principal
    this.#offered = offered
    this.#reply = reply
  }

  get log(): FastifyBaseLogger {
    return this.#reply.log
  }

  /** Media types of successes that the client accepts, the preferred one first. */
  get accepts(): readonly string[] {
    return ranked(this.#reply.request.headers.accept, this.#offered)
  }

  /** Signal that is aborted when the client disconnects before the response is complete. */
  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#reply)
    return this.#signal
  }
}

type Listener = EventListener | EventListenerObject

/** Creates the signal, which is also aborted when a client closes only its sending half. */
function closeSignal({ raw, request, log }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { socket } = request.raw
  const stop = () => controller.abort()
  if (raw.destroyed || socket.readableEnded) stop()
  socket.once('end', stop)
  raw.once('close', () => {
    socket.off('end', stop)
    if (!raw.writableFinished) stop()
  })
  return guardListeners(controller.signal, log)
}

/** Logs errors of listeners, and rejections of their promises: Node would end the process with them. */
function guardListeners(signal: AbortSignal, log: ErrorLog): AbortSignal {
  const { addEventListener, removeEventListener } = signal
  const guarded = new WeakMap<Listener, Listener>()
  const guard = (listener: Listener): Listener => {
    const known = guarded.get(listener)
    if (known !== undefined) return known
    const safe: Listener = (event) =>
      notify('a listener of request.signal', log, () =>
        typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event)
      )
    guarded.set(listener, safe)
    return safe
  }
  return Object.defineProperties(signal, {
    addEventListener: {
      value: (type: string, listener: Listener, options?: AddEventListenerOptions) =>
        addEventListener.call(signal, type, isListener(listener) ? guard(listener) : listener, options)
    },
    removeEventListener: {
      value: (type: string, listener: Listener, options?: EventListenerOptions) =>
        removeEventListener.call(signal, type, isListener(listener) ? guard(listener) : listener, options)
    },
    onabort: onabort(signal)
  })
}

/** Returns true for what may be a key of a WeakMap; `null` is allowed in place of a listener. */
const isListener = (value: unknown): boolean => Object(value) === value

/** Property `onabort`, whose listener is added like every other one. */
function onabort(signal: AbortSignal): PropertyDescriptor {
  let current: unknown = null
  return {
    get: () => current,
    set: (listener: Listener) => {
      if (typeof current === 'function') signal.removeEventListener('abort', current as EventListener)
      current = listener
      if (typeof listener === 'function') signal.addEventListener('abort', listener)
    }
  }
}
