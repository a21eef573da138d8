import { StoreOpenError } from '../store.ts'
import { Backoff, PostgresClient } from './client.ts'
import { NoAnswer } from './connection.ts'
import { reason } from './sql-errors.ts'
import type { Host, PostgresTarget } from './url.ts'

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
    if (each.isSilent && !working.has(each.pid)) each.fail(new NoAnswer('PostgreSQL does not answer'))
}
