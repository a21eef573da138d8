/** The request that a handler receives. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { ranked } from '../../model/accept.ts'
import type { Operation } from '../../model/compiled-contract.ts'
import type { DeclaredOperation, RequestContext } from '../../model/contract-types.ts'
import { type ErrorLog, notify } from '../errors/callbacks.ts'
import { requestLog } from '../errors/standard-error-log.ts'
import type { Members, Parameters } from '../parameters/decoded.ts'
import { joinPaths, pathOf } from '../parameters/request-path.ts'
import type { HandlerResponse } from '../responses/body.ts'
import { http2Stream } from '../transport/request-checks.ts'
import type { OpenRequests } from './open-requests.ts'

type HandlerOperation = DeclaredOperation<string, string, string>

export type Handler = (request: HandlerRequest) => HandlerResponse | Promise<HandlerResponse>

interface Details {
  readonly body: unknown
  readonly mediaType: string | undefined
  readonly principal: unknown
  readonly route: Route
}

/** Parts that all requests of an operation share. */
export interface Route {
  readonly operation: Operation
  /** Media types of the operation's successes. */
  readonly offered: readonly string[]
  /** Path that prefixes the operations, with its parameters as `{name}`. */
  readonly prefix: string
  readonly open: OpenRequests
  /** Operation as handlers see it: made for the first that asks, and frozen with all that it holds. */
  declared?: HandlerOperation
}

/** Has the members that the generated types declare; these say what they are. */
export class HandlerRequest implements Parameters, RequestContext<unknown> {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly cookies: Members
  readonly body: unknown
  /** Declared media type of the body; undefined without a body. */
  readonly mediaType: string | undefined
  readonly principal: unknown
  readonly #reply: FastifyReply
  readonly #route: Route
  #signal: AbortSignal | undefined

  constructor(reply: FastifyReply, parameters: Parameters, { body, mediaType, principal, route }: Details) {
    this.params = parameters.params
    this.query = parameters.query
    this.headers = parameters.headers
    this.cookies = parameters.cookies
    this.body = body
    this.mediaType = mediaType
    this.principal = principal
    this.#route = route
    this.#reply = reply
  }

  /** Returns the operation of a request; undefined for an object that a test has made. */
  static operationOf(request: object): Operation | undefined {
    return #route in request ? request.#route.operation : undefined
  }

  get log(): FastifyBaseLogger {
    return requestLog(this.#reply)
  }

  get accepts(): readonly string[] {
    return ranked(this.#reply.request.headers.accept, this.#route.offered)
  }

  get id(): string {
    return this.#reply.request.id
  }

  get ip(): string {
    return this.#reply.request.ip ?? ''
  }

  get method(): string {
    return this.#reply.request.method
  }

  get url(): string {
    return this.#reply.request.originalUrl
  }

  get basePath(): string {
    const segments = joinPaths(this.#route.prefix, '').split('/').length
    return pathOf(this.url).split('/', segments).join('/')
  }

  get allHeaders(): IncomingHttpHeaders {
    return this.#reply.request.raw.headers
  }

  get operation(): HandlerOperation {
    const { operationId, method, path, tags = [], extensions = {} } = this.#route.operation
    this.#route.declared ??= frozen({ operationId, method, path, tags, extensions })
    return this.#route.declared
  }

  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#reply, this.#route.open)
    return this.#signal
  }
}

type Listener = EventListener | EventListenerObject

function closeSignal(reply: FastifyReply, open: OpenRequests): AbortSignal {
  const { raw, request } = reply
  const controller = new AbortController()
  const stop = () => controller.abort()
  if (raw.destroyed) stop()
  // A stream of HTTP/2 that its client has reset is not closed before it has ended.
  if (http2Stream(request.raw) !== undefined) request.raw.socket.once('end', stop)
  open.addSignal(controller, raw)
  raw.once('close', () => {
    if (!raw.writableFinished) stop()
  })
  return guardListeners(controller.signal, requestLog(reply))
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

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}
