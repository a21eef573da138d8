/** The requests in flight that the beginning of a drain has to end: it aborts their signals, and ends their streams. */
import type { Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { OpenStream } from '../responses/item-stream.ts'

/** Time in ms for the item that an iterator is making, and then for the client to read the end. */
const stopTimeout = 2_000

export class OpenRequests {
  readonly #app: Pick<FastifyInstance, 'log'>
  readonly #controllers = new Set<AbortController>()
  readonly #streams = new Set<OpenStream>()
  /** Time for `stop`; undefined before a drain. */
  #timeout: number | undefined
  #ended = 0
  #onEmpty = () => {}

  constructor(app: Pick<FastifyInstance, 'log'>) {
    this.#app = app
  }

  /** Aborts the controller when a drain begins, and at once during a drain. */
  addSignal(controller: AbortController, response: ServerResponse): void {
    if (this.#timeout !== undefined) abort(controller)
    this.#controllers.add(controller)
    response.once('close', () => this.#controllers.delete(controller))
  }

  /** Stops the stream when a drain begins, and at once during a drain. */
  addStream(stream: OpenStream, response: ServerResponse): void {
    this.#streams.add(stream)
    response.once('close', () => {
      this.#streams.delete(stream)
      if (this.#streams.size === 0) this.#onEmpty()
    })
    if (this.#timeout !== undefined) this.#stop(stream, this.#timeout)
  }

  /**
   * Begins the drain. A second call only waits.
   * @returns a promise that resolves when no stream is open
   */
  async drain(timeout = stopTimeout): Promise<void> {
    if (this.#timeout === undefined) this.#begin(timeout)
    await new Promise<void>((resolve) => {
      const before = this.#onEmpty
      this.#onEmpty = () => {
        before()
        resolve()
      }
      if (this.#streams.size === 0) this.#onEmpty()
    })
    if (this.#ended > 0) this.#app.log.info({ streams: this.#ended }, 'open streams were ended')
    this.#ended = 0
  }

  #begin(timeout: number): void {
    this.#timeout = timeout
    for (const controller of this.#controllers) abort(controller)
    for (const stream of this.#streams) this.#stop(stream, timeout)
  }

  #stop(stream: OpenStream, timeout: number): void {
    if (stream.stop(timeout)) this.#ended += 1
  }
}

function abort(controller: AbortController): void {
  controller.abort(new DOMException('the server is shutting down', 'AbortError'))
}

const byServer = new WeakMap<Server, OpenRequests>()

/** Returns those of the server, which all contracts on it share. They are ended when the server begins to close. */
export function openRequests(app: FastifyInstance): OpenRequests {
  const known = byServer.get(app.server)
  if (known !== undefined) return known
  const open = new OpenRequests(app)
  byServer.set(app.server, open)
  app.addHook('preClose', () => open.drain())
  return open
}

/**
 * Aborts `request.signal` of every request in flight, and ends the streams, as the beginning of `app.close()` does: an item
 * that is being made is still sent. For a server that closes its connections before it is closed.
 * @param timeout time in ms for the items, and then again for clients to read the end; 2 s by default
 * @returns a promise that resolves when no stream is open
 */
export async function drainRequests(app: FastifyInstance, timeout?: number): Promise<void> {
  await byServer.get(app.server)?.drain(timeout)
}
