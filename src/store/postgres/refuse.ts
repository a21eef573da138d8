import { readFileSync } from 'node:fs'
import { StoreOpenError } from '../store.ts'

/** @throws {StoreOpenError} with a sentence that must not quote the URL, because it may contain a password */
export function refuse(problem: string): never {
  throw new StoreOpenError(`DATABASE_URL ${problem}`)
}

/** Reads a file that the URL names. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return refuse(`names a file that cannot be read, ${path}`)
  }
}
