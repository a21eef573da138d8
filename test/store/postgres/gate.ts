import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Server that passes connections on to PostgreSQL, or treats new ones as it is told to. */
export class Gate {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  /** Number of connections since the last change of the treatment. */
  count = 0
  #treat: (socket: Socket) => void

  private constructor(target: number) {
    const pass = (socket: Socket) => {
      const inner = connect(target, '127.0.0.1')
      for (const [one, other] of [
        [socket, inner],
        [inner, socket]
      ] as const)
        one
          .pipe(other)
          .on('error', () => undefined)
          .on('close', () => one.destroy())
    }
    this.#treat = pass
    this.pass = () => this.treat(pass)
    this.#server = createServer((socket) => {
      this.count++
      this.#open.add(socket)
      socket.on('close', () => this.#open.delete(socket)).on('error', () => undefined)
      this.#treat(socket)
    })
  }

  static async before(target: number): Promise<Gate> {
    const gate = new Gate(target)
    gate.#server.listen(0, '127.0.0.1')
    await once(gate.#server, 'listening')
    return gate
  }

  /** Passes new connections on. */
  readonly pass: () => void

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  treat(treatment: (socket: Socket) => void): void {
    this.count = 0
    this.#treat = treatment
  }

  /** Loses every further byte of the open connections. */
  mute(): void {
    for (const socket of this.#open) socket.unpipe().resume().removeAllListeners('data')
  }

  /** Cuts the open connections. */
  cut(): void {
    for (const socket of this.#open) socket.destroy()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }
}

/** Returns an error of the server that ends the connection (https://www.postgresql.org/docs/18/protocol-message-formats.html). */
export function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
