import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Host } from './url.ts'

export type Work<T> = (sql: postgres.Sql) => Promise<T>

export interface ConnectionOptions {
  readonly host: Host
  readonly postgres: postgres.Options<Record<string, never>>
  /** Time in ms after which a connection with statements in flight counts as silent. */
  readonly answerTimeout: number
}

/** Connection to a server: one socket, which is never opened again, and the backend at its other end. */
export class Connection {
  /** Process id of the backend; 0 before the first answer, and where the server has no such function. */
  pid = 0
  /** True after the first answer. */
  hasAnswered = false
  /** True while statements are in flight and `answerTimeout` has passed without an answer. */
  isSilent = false
  isClosed = false
  readonly #sql: postgres.Sql
  readonly #host: Host
  readonly #answerTimeout: number
  readonly #pending = new Set<(error: unknown) => void>()
  #inFlight = 0
  /** Time (`performance.now()`) of the last answer, or of the statement that found the connection idle. */
  #answeredAt = 0
  #cancelledWaits = 0
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ host, answerTimeout, ...options }: ConnectionOptions) {
    this.#host = host
    this.#answerTimeout = answerTimeout
    const events = {
      onnotice: ({ routine }: postgres.Notice) => this.#heed(routine),
      onclose: () => this.fail(new Error('the connection was closed')),
      socket: () => this.#connect()
    }
    this.#sql = postgres({ ...options.postgres, ...events })
    this.#greet()
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Runs statements. They queue behind earlier ones on this connection, so the time-out begins again with every answer.
   * @throws {Error} when the connection becomes silent; the statements stay in flight
   */
  ask<T>(work: Work<T>): Promise<T> {
    if (this.#inFlight++ === 0) this.#watch()
    const { promise, reject } = Promise.withResolvers<never>()
    this.#pending.add(reject)
    const answer = this.#run(work).finally(() => {
      this.#pending.delete(reject)
      this.#inFlight--
    })
    return Promise.race([answer, promise])
  }

  /** Fails the statements in flight, and closes the socket. */
  fail(error: unknown): void {
    this.isClosed = true
    clearTimeout(this.#timer)
    for (const reject of this.#pending) reject(error)
    void Promise.allSettled([this.#sql.end({ timeout: 0 })])
    this.#socket?.destroy()
  }

  /** Ends after the statements in flight, at the latest after `answerTimeout`. */
  async end(): Promise<void> {
    if (!this.isSilent) await this.#sql.end({ timeout: this.#answerTimeout / 1_000 })
    this.fail(new Error('the store is closed'))
  }

  /** Asks for the backend first, so that a connection that cannot be opened fails all statements with the reason. */
  #greet(): void {
    this.ask(async (sql) => {
      for (const { pid } of await sql<{ pid: number }[]>`select pg_backend_pid() as pid`) this.pid = pid
    }).catch((error: unknown) => {
      if (isFatal(error)) this.fail(error)
    })
  }

  async #run<T>(work: Work<T>): Promise<T> {
    const cancelledWaits = this.#cancelledWaits
    try {
      const value = await work(this.#sql)
      this.#answered()
      if (this.#cancelledWaits === cancelledWaits) return value
    } catch (error) {
      if (!isFatal(error)) this.#answered()
      throw error
    }
    // The commit is visible on the primary, although no standby may have it.
    throw new Error('the wait for the standby was cancelled')
  }

  #answered(): void {
    this.#answeredAt = performance.now()
    this.hasAnswered = true
    this.isSilent = false
  }

  /** Counts the warnings that a commit did not wait for its standby; their texts depend on `lc_messages`. */
  #heed(routine: string | undefined): void {
    if (routine === 'SyncRepWaitForLSN') this.#cancelledWaits++
  }

  #watch(): void {
    this.#answeredAt = performance.now()
    this.#timer ??= setTimeout(() => this.#check(), this.#answerTimeout).unref()
  }

  #check(): void {
    this.#timer = undefined
    if (this.#inFlight === 0 || this.isClosed) return
    const rest = this.#answeredAt + this.#answerTimeout - performance.now()
    if (rest > 0) {
      this.#timer = setTimeout(() => this.#check(), Math.ceil(rest)).unref()
      return
    }
    this.isSilent = true
    for (const reject of this.#pending) reject(new Error('PostgreSQL does not answer'))
  }

  /** Creates the socket, so that it can be destroyed: `postgres` would wait for a frozen server to close it. */
  #connect(): Socket {
    // `postgres` opens another socket at once when the server closes one before its first answer.
    if (this.#socket !== undefined) {
      const error = Object.assign(new Error('the server closes connections'), { code: 'CONNECTION_CLOSED' })
      this.fail(error)
      throw error
    }
    const { host, port } = this.#host
    const path = `${host}/.s.PGSQL.${port}`
    const socket = host.startsWith('/') ? connect(path) : connect({ host, port, noDelay: true })
    this.#socket = socket
    // `postgres` reads the host name for TLS verification from this property.
    return Object.assign(socket, { host })
  }
}

// Errors of `postgres`: https://www.postgresql.org/docs/18/errcodes-appendix.html

/** Codes of a lost server: shutting down or crashed, starting up, read-only as a standby, connection exceptions. */
const lostServer = /^(57P0[1-4]|25006|08...)$/
/** Transient codes: serialization failure, deadlock, lock not available, statement time-out, too many connections. */
const transient = /^(40...|55P03|57014|53300)$/

/** Returns the SQLSTATE of the server, otherwise a name such as ECONNREFUSED of Node or of `postgres`, or nothing. */
export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

const isFromServer = (error: unknown): boolean => (error as Error).name === 'PostgresError'

/** Returns true if the server is gone, hangs, or is a standby now: the client must search for the primary again. */
export function isServerLost(error: unknown): boolean {
  return isFatal(error) || lostServer.test(codeOf(error))
}

/** Returns true if the connection has ended, or was refused, with this error; others are answers to statements. */
function isFatal(error: unknown): boolean {
  const { severity = '' } = error as { severity?: string }
  return !isFromServer(error) || severity === 'FATAL' || severity === 'PANIC'
}

/** Returns true if the same statement may succeed now. A retry is safe, because creates are idempotent. */
export function isWorthRetrying(error: unknown): boolean {
  return isServerLost(error) || transient.test(codeOf(error))
}

/** Returns true if the data is refused: data exception, integrity constraint violation, program limit exceeded. */
export function isDataRefused(error: unknown): boolean {
  return isFromServer(error) && /^(22|23|54)/.test(codeOf(error))
}

/** @returns the predicate of the sentence "PostgreSQL at HOST:PORT …", for the operator */
export function reason(error: unknown): string {
  const { message } = error as Error
  return isFromServer(error) ? `refused: ${message}` : `cannot be reached: ${codeOf(error) || message}`
}
