/** Loads `.env`, where there is one. */
import { existsSync } from 'node:fs'

/**
 * @param load `process.loadEnvFile`, which keeps variables that are set already
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
