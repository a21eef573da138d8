/** The meaning of the errors of `postgres` for a batch: https://www.postgresql.org/docs/18/errcodes-appendix.html. */

/** Shutting down or crashed, starting up, read-only because it is a standby now, connection exceptions. */
const lostServer = /^(57P0[1-4]|25006|08...)$/
/** Serialization failure, deadlock, lock not available, statement time-out, too many connections. */
const transient = /^(40...|55P03|57014|53300)$/

interface Failure {
  readonly name: string
  readonly message: string
  /** SQLSTATE of the server, otherwise a name such as ECONNREFUSED of Node or of `postgres`. */
  readonly code?: string
}

function describe(error: unknown): { isFromServer: boolean; code: string; message: string } {
  const { name, message, code = '' } = error as Failure
  return { isFromServer: name === 'PostgresError', code, message }
}

/** The server is gone, hangs, or is a standby now: the primary must be looked for again. */
export function isServerLost(error: unknown): boolean {
  const { isFromServer, code } = describe(error)
  return !isFromServer || lostServer.test(code)
}

/** The connection has ended before the server answered. */
export function isConnectionCut(error: unknown): boolean {
  const { isFromServer, code } = describe(error)
  return !isFromServer && code !== ''
}

/** The same statement may succeed now. Creates are idempotent, so that a retry is safe. */
export function isWorthRetrying(error: unknown): boolean {
  return isServerLost(error) || transient.test(describe(error).code)
}

/** The data of a batch is refused: data exception, integrity constraint violation, program limit exceeded. */
export function isDataRefused(error: unknown): boolean {
  const { isFromServer, code } = describe(error)
  return isFromServer && /^(22|23|54)/.test(code)
}

/** Unique violation. */
export function isKeyTaken(error: unknown): boolean {
  return describe(error).code === '23505'
}

/** Another replica made the same table at the same time. */
export function isMadeMeanwhile(error: unknown): boolean {
  return /^(23505|42P07|42710|40...)$/.test(describe(error).code)
}

/** The operator made the table plants, and the role may not make another one. */
export function isForbidden(error: unknown): boolean {
  return describe(error).code === '42501'
}

export function isTableMissing(error: unknown): boolean {
  return describe(error).code === '42P01'
}

/** @returns the end of the sentence "PostgreSQL at HOST:PORT …", for the operator */
export function reason(error: unknown): string {
  const { isFromServer, code, message } = describe(error)
  return isFromServer ? `refused: ${message}` : `cannot be reached: ${code || message}`
}
