import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteFile, SqliteFileRefused } from './file.ts'

const busy = 5
const ownerOnly = 0o600
/** Memory on which the thread sleeps. */
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Reasons for the operator, by SQLite's primary result codes (https://sqlite.org/rescode.html). */
const reasons = new Map([
  [busy, 'is locked by another process'],
  [8, 'cannot be written'],
  [11, 'is damaged'],
  [13, 'has no space left on its disk'],
  [14, 'cannot be opened'],
  [26, 'is not a SQLite database']
])

/**
 * Opens the file. Creates it and its folder if they are missing.
 * @throws {Error} whose message is one sentence about the path
 */
export function openSqliteFile(path: string, timeout: number): SqliteFile {
  try {
    makeFolder(dirname(path))
    if (isFolder(path)) throw new SqliteFileRefused('is a directory')
    makePrivate(path)
    return whenFree(() => new SqliteFile(path, Math.ceil(timeout / 10)), timeout)
  } catch (error) {
    throw new Error(`${path} ${reason(error)}`, { cause: error })
  }
}

/** Creates a missing file that only its owner may read, unlike SQLite; the log files get the same mode. */
function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly))
}

/** Retries: SQLite does not wait for every lock, and fails at once when another process is creating the file. */
function whenFree<T>(open: () => T, timeout: number): T {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, 10)
    }
  }
}

/** Makes a folder and its parents. Node's recursive mkdir never ends where mkdir fails with ENOENT, as in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function reason(error: unknown): string {
  if (error instanceof SqliteFileRefused) return error.message
  return reasons.get(codeOf(error)) ?? `cannot be opened: ${(error as Error).message}`
}

/** @returns SQLite's primary result code; 0 for other errors */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff
