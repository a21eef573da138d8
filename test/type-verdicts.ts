/**
 * Caches the verdict of the type checker on a set of files. The verdict is the same while every text is the same, so
 * that only changed files take seconds.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '..')
const cache = join(project, 'node_modules/.cache/type-verdicts')

interface Entry<T> {
  readonly key: string
  readonly verdict: T
}

/** @param name name of the check, which has one cached verdict */
export async function keptVerdict<T>(name: string, key: string, judge: () => Promise<T>): Promise<T> {
  const path = join(cache, `${digest(name)}.json`)
  const kept = read<T>(path)
  if (kept?.key === key) return kept.verdict
  const verdict = await judge()
  mkdirSync(cache, { recursive: true })
  // Another test may be reading the file.
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify({ key, verdict } satisfies Entry<T>))
  renameSync(unfinished, path)
  return verdict
}

function read<T>(path: string): Entry<T> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Entry<T>
  } catch {
    return undefined
  }
}

/**
 * Returns a digest of every text below the folder that a type checker may read. Packages count by package-lock.json:
 * their folder is not entered, because other tests write into its caches.
 */
export function textsDigest(folder: string): string {
  const texts = globSync('**/*.{js,cjs,mjs,ts,cts,mts,json}', {
    cwd: folder,
    exclude: ['node_modules']
  }).sort()
  return digest(JSON.stringify(texts.map((name) => [name, digest(readFileSync(join(folder, name)))])))
}

/** Returns a digest of the declarations of this project for files that import it, and of the file that asks the checker. */
export function projectDigest(): string {
  const names = ['package-lock.json', 'tsconfig.json', 'test/contracts/type-checker.ts']
  const files = names.map((name) => readFileSync(join(project, name)))
  return digest([...files.map(digest), textsDigest(join(project, 'src'))].join())
}

function digest(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}
