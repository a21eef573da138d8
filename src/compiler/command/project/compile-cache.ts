import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder that Node caches compiled code in: below node_modules/, or its own default where there is none. */
export function compileCache(folder = process.cwd()): string | undefined {
  const modules = resolve(folder, 'node_modules')
  return existsSync(modules) ? resolve(modules, '.cache/compile') : undefined
}
