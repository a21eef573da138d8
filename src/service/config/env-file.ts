/** Loads `.env` if it exists. */
import { existsSync } from 'node:fs'

/**
 * Loads the file.
 * @param load `process.loadEnvFile`, which keeps variables that are already set
 * @returns the problems of the file
 */
export function loadEnvFile(load: (path: string) => void): readonly string[] {
  if (!existsSync('.env')) return []
  try {
    load('.env')
    return []
  } catch {
    return ['.env cannot be read: it must be a file of NAME=value lines']
  }
}
