import { Connection, type ConnectionOptions, NoAnswer, type Work } from './connection.ts'
import type { Host, PostgresTarget } from './url.ts'

/** Time in ms beyond `statement_timeout` after which a silent server counts as frozen. */
const graceMs = 1_000

interface TlsOptions {
  readonly ssl: PostgresTarget['tls']
  /** Set always, because `postgres` would read it from the environment. */
  readonly sslnegotiation: 'direct' | 'postgres'
}

/** `read`: statements that no standby delays. */
export type Purpose = 'read' | 'write'

/**
 * Pool of connections to one server. A commit that waits for an absent standby occupies its connection, because
 * PostgreSQL would keep the backend of a closed one; so there are never more than `max` connections, and one for reads
 * while all of those wait.
 */
export class PostgresClient {
  readonly host: Host
  readonly #options: ConnectionOptions
  readonly #poolSize: number
  readonly #dialing = new Backoff()
  #connections: Connection[] = []
  #spare: Connection | undefined

  constructor(target: PostgresTarget, host: Host) {
    this.host = host
    this.#poolSize = target.poolSize
    this.#options = {
      host,
      answerTimeout: target.statementTimeout + graceMs,
      postgres: {
        host: host.host,
        port: host.port,
        ...target.login,
        max: 1,
        ...tlsOf(target, host),
        connect_timeout: target.connectTimeout,
        prepare: target.prepare,
        connection: { statement_timeout: target.statementTimeout, ...target.settings },
        backoff: () => 0,
        fetch_types: false
      }
    }
  }

  /** @throws {NoAnswer} also at once, when no connection answers */
  async ask<T>(work: Work<T>, purpose: Purpose): Promise<T> {
    const connection = this.#pick(purpose)
    const isNew = !connection.hasAnswered
    try {
      const value = await connection.ask(work)
      if (isNew) this.#dialing.succeeded()
      return value
    } catch (error) {
      if (!connection.hasAnswered) this.#dialing.failed()
      throw error
    }
  }

  get pids(): readonly number[] {
    return this.#all.map(({ pid }) => pid)
  }

  /** Connections that have not answered in time. */
  get silent(): readonly Connection[] {
    return this.#all.filter(({ isSilent, isClosed }) => isSilent && !isClosed)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((each) => each.end()))
  }

  /** Fails every statement in flight. */
  destroy(): void {
    for (const each of this.#all) each.fail(new Error('the connection to this server was given up'))
  }

  get #all(): readonly Connection[] {
    return this.#spare === undefined ? this.#connections : [...this.#connections, this.#spare]
  }

  /**
   * Takes the first idle connection: few connections keep warm backends. `postgres` would use all of its own in turn,
   * which made a single create 50 % slower.
   */
  #pick(purpose: Purpose): Connection {
    const idle = this.#connections.find(({ inFlight, isClosed }) => inFlight === 0 && !isClosed)
    if (idle !== undefined) return idle
    this.#connections = this.#connections.filter(({ isClosed }) => !isClosed)
    const isFull = this.#connections.length === this.#poolSize
    if (!isFull && this.#dialing.isOver) return this.#open()
    return this.#leastUsed() ?? (isFull ? this.#beyondPool(purpose) : this.#open())
  }

  #open(): Connection {
    const another = new Connection(this.#options)
    this.#connections.push(another)
    return another
  }

  /** Prefers connections that are open: the server may refuse those that are being opened. */
  #leastUsed(): Connection | undefined {
    const usable = this.#connections.filter(({ isSilent }) => !isSilent)
    const open = usable.filter(({ hasAnswered }) => hasAnswered)
    const [first, ...others] = open.length > 0 ? open : usable
    return first && others.reduce((least, each) => (each.inFlight < least.inFlight ? each : least), first)
  }

  #beyondPool(purpose: Purpose): Connection {
    if (purpose === 'write' || this.#spare?.isSilent)
      throw new NoAnswer('PostgreSQL does not answer over any connection')
    if (this.#spare === undefined || this.#spare.isClosed) this.#spare = new Connection(this.#options)
    return this.#spare
  }
}

/** Returns the options of `postgres`. A Unix socket has no TLS, whatever sslmode says, as in libpq. */
function tlsOf({ tls, isTlsDirect }: PostgresTarget, { host }: Host): TlsOptions {
  if (host.startsWith('/')) return { ssl: false, sslnegotiation: 'postgres' }
  const ssl = typeof tls === 'object' ? { host, ...tls } : tls
  return { ssl, sslnegotiation: isTlsDirect ? 'direct' : 'postgres' }
}

const minBackoffMs = 50
const maxBackoffMs = 2_000

/** Back-off between attempts that fail: 50 ms, doubled by each failure up to 2 s, less a random part of up to a half. */
export class Backoff {
  #failures = 0
  #until = 0

  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  failed(): void {
    this.#until = performance.now() + backoffMs(this.#failures++)
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = 0
  }
}

/**
 * @param failures number of failures before this one
 * @param random number from 0 to 1, so that replicas do not try at the same time
 */
export function backoffMs(failures: number, random = Math.random()): number {
  return Math.min(maxBackoffMs, minBackoffMs * 2 ** failures) * (1 - random / 2)
}
