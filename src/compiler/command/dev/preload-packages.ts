/** Imports the packages of the service before its sources: an edit changes sources, never packages. */
import { readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesIn } from '../project/file-watcher.ts'

const imports = /^(?:import|export) (?!type\b)[^']*?from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm

export async function loadPackages(): Promise<void> {
  await Promise.allSettled(packageNames().map((name) => import(name)))
  const { default: Fastify } = await import('fastify')
  // Fastify loads half of its modules with the first instance.
  await Fastify().ready()
}

/** Returns the packages that the sources import, without workspaces, which are links to sources. */
export function packageNames(sources = resolve('src')): string[] {
  const compiler = resolve(sources, 'compiler') + sep
  const files = filesIn(sources).filter((path) => path.endsWith('.ts') && !path.startsWith(compiler))
  const found = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(imports)])
  const names = new Set(found.map(([, name, lazy]) => name ?? String(lazy)))
  return [...names].filter((name) => !isIn(sources, name))
}

function isIn(sources: string, name: string): boolean {
  try {
    return import.meta.resolve(name).startsWith(`${pathToFileURL(sources)}/`)
  } catch {
    // The package is not installed: the service reports it.
    return false
  }
}
