import { StoreOpenError } from '../store.ts'
import { Connection, type ConnectionOptions, reason, type Work } from './connection.ts'
import type { Host, PostgresTarget } from './url.ts'

/** Time in ms beyond `statement_timeout` after which a silent server counts as frozen. */
const graceMs = 1_000

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
        ...tlsOf(target, host.host),
        connect_timeout: target.connectTimeout,
        prepare: target.prepare,
        connection: { statement_timeout: target.statementTimeout, ...target.settings },
        backoff: () => 0,
        fetch_types: false
      }
    }
  }

  /** @throws {Error} also at once, when no connection answers */
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
      throw new Error('PostgreSQL does not answer over any connection')
    if (this.#spare === undefined || this.#spare.isClosed) this.#spare = new Connection(this.#options)
    return this.#spare
  }
}

/** Returns options of `postgres`, which would read those that are missing from the environment. */
function tlsOf({ tls, sslnegotiation }: PostgresTarget, host: string) {
  // A Unix socket has no TLS, whatever sslmode says, as in libpq.
  if (host.startsWith('/')) return { ssl: false, sslnegotiation: 'postgres' as const }
  return { ssl: typeof tls === 'object' ? { host, ...tls } : tls, sslnegotiation }
}

const minBackoffMs = 50
const maxBackoffMs = 2_000

/** Back-off between attempts that fail: 50 ms, doubled by each failure up to 2 s, less a random part of up to a half. */
class Backoff {
  #failures = 0
  #until = 0

  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  failed(): void {
    const pause = Math.min(maxBackoffMs, minBackoffMs * 2 ** this.#failures++)
    // Random, so that replicas do not try at the same time.
    this.#until = performance.now() + pause * (1 - Math.random() / 2)
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = 0
  }
}

interface State {
  standby: boolean
  read_only: string
  durability: string
}

/** Finds the primary among the hosts. The search starts after the last host, the least likely one when it is lost. */
export class PostgresPrimary {
  readonly #target: PostgresTarget
  readonly #backoff = new Backoff()
  /** Backends that a lost client has left behind: those that wait for a standby do not notice its end. */
  readonly #left = new Map<Host, readonly number[]>()
  #problem = new StoreOpenError('PostgreSQL is not searched yet')
  #next = 0

  constructor(target: PostgresTarget) {
    this.#target = target
  }

  /**
   * Connects to the host that accepts writes. Searches that fail are repeated after a back-off only.
   * @param current client that is kept if its server is still the primary
   * @throws {StoreOpenError} that names the reason of every host
   */
  async find(current?: PostgresClient): Promise<PostgresClient> {
    if (!this.#backoff.isOver) return current ?? Promise.reject(this.#problem)
    const found = await this.#search(current)
    if (found !== undefined && found.silent.length === 0) this.#backoff.succeeded()
    else this.#backoff.failed()
    if (found !== undefined) return found
    throw this.#problem
  }

  async #search(current: PostgresClient | undefined): Promise<PostgresClient | undefined> {
    const { hosts } = this.#target
    const problems: string[] = []
    for (const host of [...hosts.slice(this.#next), ...hosts.slice(0, this.#next)]) {
      const found = await this.#try(host, current)
      this.#next = (hosts.indexOf(host) + 1) % hosts.length
      if (found instanceof PostgresClient) return found
      problems.push(found)
    }
    this.#problem = new StoreOpenError(problems.join('; '))
    return undefined
  }

  async #try(host: Host, current: PostgresClient | undefined): Promise<PostgresClient | string> {
    const client = current?.host === host ? current : new PostgresClient(this.#target, host)
    const problem = await this.#problemOf(client)
    if (problem === undefined) return client
    this.#left.set(host, [...(this.#left.get(host) ?? []), ...client.pids])
    client.destroy()
    return `PostgreSQL at ${host.host}:${host.port} ${problem}`
  }

  async #problemOf(client: PostgresClient): Promise<string | undefined> {
    try {
      const problem = await problemOf(client)
      if (problem === undefined && client.silent.length > 0) await dropDead(client)
      if (problem === undefined) await this.#endLeft(client)
      return problem
    } catch (error) {
      return `${reason(error)}${this.#tlsHint(error)}`
    }
  }

  /** Ends the backends that were left behind, so that their number is bounded. What they have stored is not lost. */
  async #endLeft(client: PostgresClient): Promise<void> {
    const pids = this.#left.get(client.host)?.join(',')
    if (pids === undefined) return
    this.#left.delete(client.host)
    const ending = client.ask(
      (sql) => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where pid = any(${`{${pids}}`}::int[]) and usename = current_user and pid <> pg_backend_pid()`,
      'read'
    )
    // Engines without these functions keep them.
    await Promise.allSettled([ending])
  }

  /** Returns a hint: `postgres` reports a server without TLS as a reset when the client requires TLS. */
  #tlsHint(error: unknown): string {
    const isClosed = (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    const isRequired = typeof this.#target.tls === 'object'
    return isClosed && isRequired ? '; sslmode requires TLS, does the server offer it?' : ''
  }
}

/**
 * Queries both settings of a standby, because a hot standby and a read-only primary differ in one of them.
 * @returns the predicate of a sentence about the server; undefined when it accepts durable writes
 */
export async function problemOf(client: PostgresClient): Promise<string | undefined> {
  const [state] = await client.ask(
    (sql) => sql<State[]>`
      select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only,
        current_setting('synchronous_commit') as durability`,
    'read'
  )
  if (state?.standby !== false || state.read_only !== 'off') return 'is read-only'
  if (state.durability === 'on' || state.durability === 'remote_apply') return undefined
  return `has synchronous_commit=${state.durability} in this session, so that acknowledged plants could be lost; does a pooler drop the setting?`
}

/** Closes silent connections, except those whose backends still work: the answer of the others was lost on the way. */
async function dropDead(client: PostgresClient): Promise<void> {
  const { silent } = client
  const pids = `{${silent.map(({ pid }) => pid).join(',')}}`
  const rows = await client.ask(
    (sql) => sql<{ pid: number }[]>`
      select pid from pg_stat_activity where state = 'active' and pid = any(${pids}::int[])`,
    'read'
  )
  const working = new Set(rows.map(({ pid }) => pid))
  for (const each of silent)
    if (each.isSilent && !working.has(each.pid)) each.fail(new Error('PostgreSQL does not answer'))
}
