/** What the errors of `postgres` mean for a batch: https://www.postgresql.org/docs/18/errcodes-appendix.html. */

/** Shutting down or crashed, starting up, read-only because it is a standby now, connection exceptions. */
const lostServer = /^(57P0[1-4]|25006|08...)$/
/** Serialization failure, deadlock, lock not available, statement time-out, too many connections. */
const transient = /^(40...|55P03|57014|53300)$/

interface Failure {
  readonly name: string
  readonly message: string
  /** SQLSTATE when the server says so, else a name such as ECONNREFUSED of Node or of `postgres`. */
  readonly code?: string
}

function describe(error: unknown): { isSaid: boolean; code: string; message: string } {
  const { name, message, code = '' } = error as Failure
  return { isSaid: name === 'PostgresError', code, message }
}

/** The server is gone, hangs, or is not the primary any more: look for the primary again. */
export function isServerLost(error: unknown): boolean {
  const { isSaid, code } = describe(error)
  return !isSaid || lostServer.test(code)
}

/** The same again may succeed. Creates are idempotent, so it does no harm either. */
export function isWorthRetrying(error: unknown): boolean {
  return isServerLost(error) || transient.test(describe(error).code)
}

/** Several replicas made the same table at the same time, and another one won. */
export function isMadeMeanwhile(error: unknown): boolean {
  return /^(23505|42P07|42710|40...)$/.test(describe(error).code)
}

/** Completes the sentence "PostgreSQL at HOST:PORT …", for the operator. */
export function reason(error: unknown): string {
  const { isSaid, code, message } = describe(error)
  return isSaid ? `refused: ${message}` : `can not be reached: ${code || message}`
}
