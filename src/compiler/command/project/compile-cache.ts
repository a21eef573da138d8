import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Folder in which Node caches compiled code: below node_modules/, or Node's default without node_modules/. */
export function compileCache(folder = process.cwd()): string | undefined {
  const modules = resolve(folder, 'node_modules')
  return existsSync(modules) ? resolve(modules, '.cache/compile') : undefined
}
