/** Loads what the service will import of its packages, and nothing else: sources may change, packages do not. */
import { readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { filesIn } from '../watch/snapshot.ts'

const sources = resolve(import.meta.dirname, '../../src')
const compiler = resolve(sources, 'contract/compile') + sep
const imports = /^(?:import|export) (?!type\b)[^']*?from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm

export async function loadPackages(): Promise<void> {
  const files = filesIn(sources).filter((path) => path.endsWith('.ts') && !path.startsWith(compiler))
  const found = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(imports)])
  const names = new Set(found.map(([, name, lazy]) => name ?? lazy ?? ''))
  await Promise.all([...names].map((name) => import(name).catch(() => undefined)))
  const { default: Fastify } = await import('fastify')
  // Half of it is loaded only when it is first used.
  await Fastify().ready()
}
