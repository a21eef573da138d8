/** Clients that send a fixed number of requests each, so that the server is idle before and after. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type CreateRequest, createRequest, randomId } from './create-request.ts'

const ok = 'HTTP/1.1 200'

interface Client {
  readonly socket: Socket
  readonly request: CreateRequest
  left: number
}

export class Slices {
  readonly #clients: readonly Client[]
  #nextId = randomId()
  #running = 0
  #end: PromiseWithResolvers<void> = Promise.withResolvers()

  static async connect(url: string, connections: number): Promise<Slices> {
    const slices = new Slices(url, connections)
    await Promise.all(slices.#clients.map(({ socket }) => once(socket, 'connect')))
    return slices
  }

  private constructor(url: string, connections: number) {
    this.#clients = Array.from({ length: connections }, () => this.#client(url))
  }

  /** @param each requests of each client */
  run(each: number): Promise<void> {
    this.#end = Promise.withResolvers()
    this.#running = this.#clients.length
    for (const client of this.#clients) {
      client.left = each
      this.#next(client)
    }
    return this.#end.promise
  }

  close(): void {
    for (const { socket } of this.#clients) socket.destroy()
  }

  /** Opens a connection. Every response of these requests arrives in one piece. */
  #client(url: string): Client {
    const { hostname, port } = new URL(url)
    const buffer = Buffer.from(new ArrayBuffer(16_384))
    const callback = (): boolean => {
      const status = buffer.toString('latin1', 0, ok.length)
      if (status === ok) this.#next(client)
      else this.#end.reject(new Error(`${url}: ${status}`))
      return true
    }
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer, callback }
    })
    const client: Client = { socket, request: createRequest(url), left: 0 }
    return client
  }

  #next(client: Client): void {
    if (client.left-- > 0) {
      client.request.writeId(this.#nextId++)
      client.socket.write(client.request.bytes)
    } else if (--this.#running === 0) this.#end.resolve()
  }
}
