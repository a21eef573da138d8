import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteFile, SqliteFileRefused } from './sqlite-file.ts'

/** What SQLite's primary result codes mean to who configured the path (https://sqlite.org/rescode.html). */
const reasons = new Map([
  [5, 'is locked by another process'],
  [8, 'can not be written'],
  [11, 'is damaged'],
  [13, 'has no space left on its disk'],
  [14, 'can not be opened'],
  [26, 'is not a SQLite database']
])

/**
 * Opens the file, and makes it and its folder where they are missing.
 * @throws an error whose message is one sentence about the path
 */
export function openSqliteFile(path: string, timeout: number): SqliteFile {
  try {
    mkdirSync(dirname(path), { recursive: true })
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new SqliteFileRefused('is a directory')
    return new SqliteFile(path, timeout)
  } catch (error) {
    throw new Error(`${path} ${reason(error)}`, { cause: error })
  }
}

function reason(error: unknown): string {
  if (error instanceof SqliteFileRefused) return error.message
  const { errcode, message } = error as { errcode?: number; message: string }
  return reasons.get((errcode ?? 0) & 0xff) ?? `can not be opened: ${message}`
}
