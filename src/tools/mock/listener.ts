/** One listener for a server that is replaced while it runs: new connections go to the current server. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { drainRequests } from '@contract-first/engine/server'
import type { FastifyInstance } from 'fastify'

/** Time-out after which the requests of a replaced server are cut off. */
const endTimeoutMs = 1_000

interface Address {
  readonly host: string
  readonly port: number
}

export class Listener {
  readonly #server: Server
  #current: Serving

  private constructor(app: FastifyInstance) {
    this.#current = new Serving(app)
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#current.accept(socket)
    )
  }

  /** @throws {NodeJS.ErrnoException} when it cannot listen */
  static async open(app: FastifyInstance, { host, port }: Address): Promise<Listener> {
    await app.ready()
    const listener = new Listener(app)
    listener.#server.listen(port, host)
    await once(listener.#server, 'listening')
    return listener
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo
  }

  /** Sends new connections to the app; those of the previous app are closed when their requests are answered. */
  async replace(app: FastifyInstance): Promise<void> {
    await app.ready()
    const last = this.#current
    this.#current = new Serving(app)
    await last.end()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    await this.#current.end()
    await closed
  }
}

/** Waits for the end of a connection, also of one that fails. */
const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve))

/** A server and its connections, which Node counts only for a server that listens itself. */
class Serving {
  readonly #app: FastifyInstance
  /** Number of open requests by connection. */
  readonly #requests = new Map<Socket, number>()
  #isEnding = false

  constructor(app: FastifyInstance) {
    this.#app = app
    app.server.on('request', ({ socket }, response) => this.#count(socket, response))
  }

  accept(socket: Socket): void {
    this.#requests.set(socket, 0)
    socket.once('close', () => this.#requests.delete(socket))
    this.#app.server.emit('connection', socket)
  }

  async end(): Promise<void> {
    this.#isEnding = true
    const timer = setTimeout(() => this.#closeAll(() => true), endTimeoutMs)
    this.#closeAll((requests) => requests === 0)
    await drainRequests(this.#app, endTimeoutMs / 2)
    await Promise.all([...this.#requests.keys()].map(closed))
    clearTimeout(timer)
    await this.#app.close()
  }

  #count(socket: Socket, response: ServerResponse): void {
    this.#add(socket, 1)
    response.once('close', () => {
      this.#add(socket, -1)
      if (this.#isEnding) this.#closeAll((requests) => requests === 0)
    })
  }

  #add(socket: Socket, change: number): void {
    const requests = this.#requests.get(socket)
    if (requests !== undefined) this.#requests.set(socket, requests + change)
  }

  #closeAll(isChosen: (requests: number) => boolean): void {
    for (const [socket, requests] of this.#requests) if (isChosen(requests)) socket.destroy()
  }
}
