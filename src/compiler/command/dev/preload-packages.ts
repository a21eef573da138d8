/** Imports the packages of the service before its sources: an edit of the contract or of a handler changes no package. */
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { filesIn } from '../generate/file-watcher.ts'

const imports = /^(?:import|export) (?!type\b)[^']*?from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm

export async function loadPackages(): Promise<void> {
  await Promise.allSettled(packageNames().map((name) => import(name)))
  const { default: Fastify } = await import('fastify')
  // Fastify loads half of its modules with the first instance.
  await Fastify().ready()
  // Node's reader of changed TypeScript files takes 70 ms to load; the function that loads it warns.
  const { emitWarning } = process
  process.emitWarning = () => {}
  stripTypeScriptTypes('')
  process.emitWarning = emitWarning
}

/** Returns the packages that the sources import. One that is not installed is reported by the service. */
export function packageNames(sources = resolve('src')): string[] {
  const files = filesIn(sources).filter((path) => path.endsWith('.ts') && !isCompiler(path, sources))
  const found = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(imports)])
  return [...new Set(found.map(([, name, lazy]) => name ?? String(lazy)))]
}

/** Returns true for a source of the compiler, and of what belongs to it, in its repository: the service loads none. */
export const isCompiler = (path: string, sources = resolve('src')): boolean =>
  ['compiler', 'contract', 'tools'].some((name) => path.startsWith(resolve(sources, name) + sep)) &&
  existsSync(resolve(sources, 'compiler/package.json'))

/** Returns true for a source of a package, such as a workspace of npm. */
export function isPackaged(path: string, sources = resolve('src')): boolean {
  const folder = dirname(path)
  if (!folder.startsWith(sources + sep)) return false
  return existsSync(join(folder, 'package.json')) || isPackaged(folder, sources)
}
