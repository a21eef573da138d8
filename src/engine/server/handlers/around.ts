/** Calls handlers within `around` of the options, and turns what they throw into responses by `errorResponse`. */
import { isThenable } from '../errors/callbacks.ts'
import { FailureError, isFailure } from '../errors/failure.ts'
import type { HandlerResponse } from '../responses/body.ts'
import { discard } from '../responses/discard.ts'
import { type MapError, mappedResponse } from '../responses/mapped-error.ts'
import type { Handler, HandlerRequest } from './handler-request.ts'

/** Options that concern every handler. */
export interface Surroundings {
  readonly around: Around | undefined
  readonly errorResponse: MapError<HandlerRequest> | undefined
}

type Around = (
  request: HandlerRequest,
  handle: () => Promise<HandlerResponse>
) => HandlerResponse | Promise<HandlerResponse>

/** Returns the handler itself when there are no such options: the way of its requests is not longer then. */
export function surrounded(handler: Handler, { around, errorResponse }: Surroundings): Handler {
  const run = around === undefined ? handler : within(around, handler)
  return errorResponse === undefined ? run : mapping(run, errorResponse)
}

function within(around: Around, handler: Handler): Handler {
  return async (request) => {
    const call = new HandlerCall(handler, request)
    try {
      return call.checked(await around(request, call.handle))
    } finally {
      call.end()
    }
  }
}

/** The one call of a handler by `around`. */
class HandlerCall {
  readonly #handler: Handler
  readonly #request: HandlerRequest
  #isCallable = true
  #isOver = false
  #misuse: FailureError | undefined

  constructor(handler: Handler, request: HandlerRequest) {
    this.#handler = handler
    this.#request = request
  }

  readonly handle = (): Promise<HandlerResponse> => {
    const response = this.#isCallable ? this.#call() : Promise.reject(this.#refuse())
    // A rejection that `around` ignores would end the process.
    response.catch(() => undefined)
    return response
  }

  /** @throws {FailureError} `internal` where `around` has misused `handle`, or returned no response */
  checked(response: HandlerResponse): HandlerResponse {
    if (this.#misuse !== undefined) {
      discard(response)
      throw this.#misuse
    }
    if (typeof response === 'object' && response !== null) return response
    throw internal('around returned no response: return that of handle()')
  }

  /** Marks the end of `around`: a response or an error that comes later reaches nobody. */
  end(): void {
    this.#isOver = true
  }

  async #call(): Promise<HandlerResponse> {
    this.#isCallable = false
    try {
      const response = await this.#handler(this.#request)
      if (this.#isOver) discard(response)
      return response
    } catch (err) {
      this.#isCallable = true
      if (this.#isOver) this.#request.log.error({ err }, 'the handler failed when around had returned')
      throw err
    }
  }

  #refuse(): FailureError {
    this.#misuse = internal('around called handle again before the handler had failed')
    return this.#misuse
  }
}

const internal = (message: string) => new FailureError('internal', { cause: new Error(message) })

function mapping(handler: Handler, errorResponse: MapError<HandlerRequest>): Handler {
  const answered = (error: unknown, request: HandlerRequest): HandlerResponse => {
    const response = isFailure(error) ? undefined : mappedResponse(error, request, errorResponse)
    if (response === undefined) throw error
    return response
  }
  return (request) => {
    try {
      const response = handler(request)
      if (!isThenable(response)) return response
      return Promise.resolve(response).catch((error: unknown) => answered(error, request))
    } catch (error) {
      return answered(error, request)
    }
  }
}
