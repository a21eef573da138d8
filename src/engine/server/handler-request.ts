/** The request that a handler receives. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { ranked } from '../media-types/accept.ts'
import { closeSignal } from './close-signal.ts'
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
