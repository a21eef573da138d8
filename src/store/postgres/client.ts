import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Work } from './statements.ts'
import type { Host, PostgresTarget } from './url.ts'

/** Milliseconds after the server should have given up a statement; one that does not even say so is frozen. */
const grace = 1_000

interface Connection {
  readonly sql: postgres.Sql
  /** Pieces of work that it is asked to do now. */
  users: number
}

/**
 * A pool of connections to one server. It is never mended: whoever loses a connection destroys it and makes another,
 * because `postgres` waits without end for a server that is frozen.
 */
export class PostgresClient {
  readonly #open: () => postgres.Sql
  readonly #poolSize: number
  readonly #connections: Connection[] = []
  readonly #sockets = new Set<Socket>()
  readonly #answerTimeout: number
  isDestroyed = false

  constructor(target: PostgresTarget, host: Host) {
    const options = {
      host: host.host,
      port: host.port,
      ...target.login,
      max: 1,
      ssl: typeof target.tls === 'object' ? { host: host.host, ...target.tls } : target.tls,
      connect_timeout: target.connectTimeout,
      prepare: target.prepare,
      connection: { statement_timeout: target.statementTimeout, ...target.settings },
      backoff: () => 0,
      fetch_types: false,
      // The default prints notices to stdout.
      onnotice: () => {},
      socket: () => this.#connect(host)
    }
    this.#open = () => postgres(options)
    this.#poolSize = target.poolSize
    this.#answerTimeout = target.statementTimeout + grace
  }

  /** @throws when the server does not answer in time */
  async ask<T>(work: Work<T>, timeout = this.#answerTimeout): Promise<T> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('PostgreSQL does not answer')), timeout)
    const connection = this.#leastUsed()
    connection.users++
    return Promise.race([work(connection.sql), tooLate]).finally(() => {
      connection.users--
      clearTimeout(timer)
    })
  }

  async close(): Promise<void> {
    await this.#end(this.#answerTimeout / 1_000)
    this.destroy()
  }

  /** Fails whatever is under way. */
  destroy(): void {
    this.isDestroyed = true
    void this.#end(0)
    for (const socket of this.#sockets) socket.destroy()
  }

  /**
   * The first that is free, so that as few are used as will do: the processes behind them have at hand what they did last.
   * `postgres` would use all of its own in turn, which cost a lone create the half again.
   */
  #leastUsed(): Connection {
    const free = this.#connections.find(({ users }) => users === 0)
    if (free !== undefined) return free
    if (this.#connections.length === this.#poolSize)
      return this.#connections.reduce((least, each) => (each.users < least.users ? each : least))
    const another = { sql: this.#open(), users: 0 }
    this.#connections.push(another)
    return another
  }

  /** @param timeout seconds */
  async #end(timeout: number): Promise<void> {
    await Promise.all(this.#connections.map(({ sql }) => sql.end({ timeout })))
  }

  /** The sockets are ours, because `postgres` only asks a frozen server to close its own, which it never does. */
  #connect({ host, port }: Host): Socket {
    const path = `${host}/.s.PGSQL.${port}`
    const socket = host.startsWith('/') ? connect(path) : connect({ host, port, noDelay: true })
    for (const each of this.#sockets) if (each.destroyed) this.#sockets.delete(each)
    this.#sockets.add(socket)
    // `postgres` reads the name to be verified from here.
    return Object.assign(socket, { host })
  }
}
