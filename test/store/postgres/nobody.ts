/** The user of the server: PostgreSQL refuses to run as root, and the user nobody exists everywhere. */
import { chownSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const isRoot = process.getuid?.() === 0
/** User options of `spawn`. */
export const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/** Gives a file, or a folder with its contents, to the server's user. */
export function own(path: string): void {
  if (!isRoot) return
  const within = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  for (const each of [path, ...within.map((name) => join(path, name))]) chownSync(each, 65_534, 65_534)
}

export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `plant-store-${purpose}-`))
  own(folder)
  return folder
}
