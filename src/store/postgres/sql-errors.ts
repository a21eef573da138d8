/** Classifies the errors of `postgres`: https://www.postgresql.org/docs/18/errcodes-appendix.html. */

/** Codes of a lost server: shutting down or crashed, starting up, read-only as a standby, connection exceptions. */
const lostServer = /^(57P0[1-4]|25006|08...)$/
/** Transient codes: serialization failure, deadlock, lock not available, statement time-out, too many connections. */
const transient = /^(40...|55P03|57014|53300)$/

interface Failure {
  readonly name: string
  readonly message: string
  /** ERROR, FATAL or PANIC; only from the server. */
  readonly severity?: string
  /** SQLSTATE of the server, otherwise a name such as ECONNREFUSED of Node or of `postgres`. */
  readonly code?: string
}

function describe(error: unknown): { isFromServer: boolean; code: string; message: string } {
  const { name, message, code = '' } = error as Failure
  return { isFromServer: name === 'PostgresError', code, message }
}

/** Returns true if the server is gone, hangs, or is a standby now: the client must search for the primary again. */
export function isServerLost(error: unknown): boolean {
  return isFatal(error) || lostServer.test(describe(error).code)
}

/** Returns true if the connection has ended, or was refused, with this error; others are answers to statements. */
export function isFatal(error: unknown): boolean {
  const { isFromServer } = describe(error)
  return !isFromServer || /^(FATAL|PANIC)$/.test((error as Failure).severity ?? '')
}

/** Returns true if the connection has ended before the server answered. */
export function isConnectionCut(error: unknown): boolean {
  const { isFromServer, code } = describe(error)
  return !isFromServer && code !== ''
}

/** Returns true if the same statement may succeed now. A retry is safe, because creates are idempotent. */
export function isWorthRetrying(error: unknown): boolean {
  return isServerLost(error) || transient.test(describe(error).code)
}

/** Returns true if the data is refused: data exception, integrity constraint violation, program limit exceeded. */
export function isDataRefused(error: unknown): boolean {
  const { isFromServer, code } = describe(error)
  return isFromServer && /^(22|23|54)/.test(code)
}

const hasCode =
  (codes: RegExp) =>
  (error: unknown): boolean =>
    codes.test(describe(error).code)

/** Recognises a unique violation. */
export const isKeyTaken = hasCode(/^23505$/)

/** Recognises a table that another replica has created at the same time. */
export const isMadeMeanwhile = hasCode(/^(23505|42P07|42710|40...)$/)

/** Recognises the lack of a privilege, such as that of creating a table. */
export const isForbidden = hasCode(/^42501$/)

/** Recognises a function or clause that the server does not have, or refuses to the role. */
export const isUnavailable = hasCode(/^(42883|42501|42601|0A...)$/)

export const isTableMissing = hasCode(/^42P01$/)

/** @returns the predicate of the sentence "PostgreSQL at HOST:PORT …", for the operator */
export function reason(error: unknown): string {
  const { isFromServer, code, message } = describe(error)
  return isFromServer ? `refused: ${message}` : `cannot be reached: ${code || message}`
}
