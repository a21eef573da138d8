import { readdirSync, rmSync } from 'node:fs'

/**
 * Removes a cache of more than `maxFiles` files. Tests compile contracts into folders with unique names, and Node never
 * removes an entry of its compile cache.
 */
export function emptyFullCache(folder: string | undefined, maxFiles: number): void {
  if (folder === undefined) return
  try {
    const files = readdirSync(folder, { recursive: true }).length
    if (files > maxFiles) rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
