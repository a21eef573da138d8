import { StoreOpenError } from '../batch-store.ts'
import { PostgresClient } from './client.ts'
import { reason } from './sql-errors.ts'
import type { Host, PostgresTarget } from './url.ts'

interface State {
  standby: boolean
  read_only: string
}

/** Finds the primary among the hosts. The search starts after the lost host, the least likely one. */
export class PostgresPrimary {
  readonly #target: PostgresTarget
  #next = 0

  constructor(target: PostgresTarget) {
    this.#target = target
  }

  /**
   * Connects to the host that accepts writes.
   * @throws {StoreOpenError} that names the reason of every host
   */
  async find(): Promise<PostgresClient> {
    const { hosts } = this.#target
    const problems: string[] = []
    for (const host of [...hosts.slice(this.#next), ...hosts.slice(0, this.#next)]) {
      const found = await this.#try(host)
      this.#next = (hosts.indexOf(host) + 1) % hosts.length
      if (found instanceof PostgresClient) return found
      problems.push(found)
    }
    throw new StoreOpenError(problems.join('; '))
  }

  async #try(host: Host): Promise<PostgresClient | string> {
    const client = new PostgresClient(this.#target, host)
    try {
      if (await isPrimary(client)) return client
      client.destroy()
      return `PostgreSQL at ${host.host}:${host.port} is read-only`
    } catch (error) {
      client.destroy()
      return `PostgreSQL at ${host.host}:${host.port} ${reason(error)}${this.#tlsHint(error)}`
    }
  }

  /** Returns a hint: `postgres` reports a server without TLS as a reset when the client requires TLS. */
  #tlsHint(error: unknown): string {
    const isClosed = (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    const isRequired = typeof this.#target.tls === 'object'
    return isClosed && isRequired ? '; sslmode requires TLS, does the server offer it?' : ''
  }
}

/** Queries both settings, because a hot standby and a read-only primary differ in one of them. */
export async function isPrimary(client: PostgresClient, timeout?: number): Promise<boolean> {
  const [state] = await client.ask(
    (sql) => sql<State[]>`
      select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only`,
    timeout
  )
  return state?.standby === false && state.read_only === 'off'
}
