import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Work } from './statements.ts'
import type { Host, PostgresTarget } from './url.ts'

/** Time in ms beyond `statement_timeout` after which a silent server counts as frozen. */
const graceMs = 1_000

/** Error for a server that does not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

interface Connection {
  readonly sql: postgres.Sql
  /** Number of statements in flight. */
  users: number
  /** Time (`performance.now()`) of the last answer, or of the statement that found the connection idle. */
  answeredAt: number
}

/**
 * Pool of connections to one server. A pool that lost a connection is destroyed and replaced, because `postgres` waits
 * for a frozen server without a time-out.
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
      // The default would print notices to stdout.
      onnotice: () => {},
      socket: () => this.#connect(host)
    }
    this.#open = () => postgres(options)
    this.#poolSize = target.poolSize
    this.#answerTimeout = target.statementTimeout + graceMs
  }

  /**
   * Runs statements. They queue behind earlier ones on their connection, so the time-out begins again with every answer
   * on that connection.
   * @throws {NoAnswer}
   */
  async ask<T>(work: Work<T>, timeout = this.#answerTimeout): Promise<T> {
    const connection = this.#leastUsed()
    connection.users++
    if (connection.users === 1) connection.answeredAt = performance.now()
    const silence = watchSilence(connection, timeout)
    return Promise.race([work(connection.sql), silence.promise]).finally(() => {
      connection.users--
      connection.answeredAt = performance.now()
      silence.stop()
    })
  }

  async close(): Promise<void> {
    await this.#end(this.#answerTimeout / 1_000)
    this.destroy()
  }

  /** Fails every statement in flight. */
  destroy(): void {
    this.isDestroyed = true
    void this.#end(0)
    for (const socket of this.#sockets) socket.destroy()
  }

  /**
   * Takes the first idle connection: few connections keep warm backends. `postgres` would use all of its own in turn,
   * which made a single create 50 % slower.
   */
  #leastUsed(): Connection {
    const idle = this.#connections.find(({ users }) => users === 0)
    if (idle !== undefined) return idle
    if (this.#connections.length === this.#poolSize)
      return this.#connections.reduce((least, each) => (each.users < least.users ? each : least))
    const another = { sql: this.#open(), users: 0, answeredAt: 0 }
    this.#connections.push(another)
    return another
  }

  /** @param timeout time in seconds */
  async #end(timeout: number): Promise<void> {
    await Promise.all(this.#connections.map(({ sql }) => sql.end({ timeout })))
  }

  /** Creates the socket, so that it can be destroyed: `postgres` would wait for a frozen server to close it. */
  #connect({ host, port }: Host): Socket {
    const path = `${host}/.s.PGSQL.${port}`
    const socket = host.startsWith('/') ? connect(path) : connect({ host, port, noDelay: true })
    for (const each of this.#sockets) if (each.destroyed) this.#sockets.delete(each)
    this.#sockets.add(socket)
    // `postgres` reads the host name for TLS verification from this property.
    return Object.assign(socket, { host })
  }
}

/** Rejects when the connection has answered nothing for `timeout` milliseconds. */
function watchSilence(connection: Connection, timeout: number) {
  const { promise, reject } = Promise.withResolvers<never>()
  const check = () => {
    const rest = connection.answeredAt + timeout - performance.now()
    if (rest <= 0) reject(new NoAnswer('PostgreSQL does not answer'))
    else timer = setTimeout(check, Math.ceil(rest))
  }
  let timer = setTimeout(check, timeout)
  return { promise, stop: () => clearTimeout(timer) }
}
