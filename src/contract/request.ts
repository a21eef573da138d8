/** What a handler is given. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify'

export type Members = Readonly<Record<string, unknown>>
const none: Members = Object.freeze(Object.create(null))

export interface Parameters {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly cookies: Members
}

export const noParameters: Parameters = { params: none, query: none, headers: none, cookies: none }

export class HandlerRequest implements Parameters {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly cookies: Members
  readonly body: unknown
  /** The declared media type that the body is of; undefined where there is no body. */
  readonly mediaType: string | undefined
  readonly principal: unknown
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined

  constructor(
    reply: FastifyReply,
    parameters: Parameters,
    body: { readonly value: unknown; readonly mediaType: string | undefined },
    principal: unknown
  ) {
    this.params = parameters.params
    this.query = parameters.query
    this.headers = parameters.headers
    this.cookies = parameters.cookies
    this.body = body.value
    this.mediaType = body.mediaType
    this.principal = principal
    this.#reply = reply
  }

  get log(): FastifyBaseLogger {
    return this.#reply.log
  }

  /** Aborted when the client goes away before it has its answer. */
  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#reply)
    return this.#signal
  }
}

function closeSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.destroyed) stop()
  else raw.once('close', stop)
  return controller.signal
}
