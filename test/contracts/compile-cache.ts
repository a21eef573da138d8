/**
 * Compiles a contract, or takes the files from the last run: they are kept until the compiler, one of its packages or a
 * file of the contract changes. A run that measures coverage begins without kept files, so that every contract is
 * compiled in it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageType } from '../../src/compiler/compile/emit/code-language.ts'

export type Files = ReadonlyMap<string, string>

/** Support of a contract by the compiler: without a warning beyond examples, with a warning, or none. */
export type Support = 'yes' | 'warned' | 'refused'

interface Entry {
  /** Digest of the compiler, of the path from the output folder to the contract, and of the settings above that folder. */
  readonly key: string
  /** Digests (SHA-256) by path. */
  readonly sources: readonly (readonly [path: string, sha256: string])[]
  readonly support: Support
  /** Generated files; empty for a refused contract. */
  readonly files: readonly (readonly [name: string, text: string])[]
}

const project = resolve(import.meta.dirname, '../..')
const { NODE_V8_COVERAGE: reports } = process.env
const cacheFolder =
  reports === undefined ? join(project, 'node_modules/.cache/contracts') : resolve(reports, '../contracts')

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const rooms = [
  'compiler/compile',
  'contract',
  'engine/client',
  'engine/json',
  'engine/model',
  'engine/runtime',
  'engine/server/parameters',
  'tools/samples'
]
const compilerSources = rooms.flatMap((room) => {
  const folder = join(project, 'src', room)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(folder, name))
})
const compilerDigest = sha256(
  [join(project, 'package-lock.json'), ...compilerSources].map((path) => sha256(readFileSync(path))).join()
)

/**
 * @param text text of the contract, if a test writes several to one path
 * @returns the text of each file for the folder
 */
export async function compileCached(path: string, folder: string, text = ''): Promise<Files> {
  const place = await placeOf(path, folder, text)
  const kept = await readEntry(place)
  const { files } = kept === undefined || kept.support === 'refused' ? await compiled(place) : kept
  return new Map(files)
}

/** Compiles a generated contract whose text is the cache key, even if it is refused. */
export async function supportOf(
  document: object,
  folder: string
): Promise<{ support: Support; files: Files }> {
  const place = await placeOf(await pathOf(document), folder, '')
  const { support, files } = (await readEntry(place)) ?? (await compiled(place).catch(refusedAt(place)))
  return { support, files: new Map(files) }
}

interface Place {
  readonly path: string
  readonly folder: string
  readonly key: string
  readonly cached: string
}

async function placeOf(path: string, folder: string, text: string): Promise<Place> {
  const settings = `${await packageType(folder)} ${settingsAbove(folder)}`
  const key = sha256(
    `${process.version} ${compilerDigest} ${relative(folder, path)} ${settings} with support`
  )
  return { path, folder, key, cached: join(cacheFolder, `${sha256(path + text)}.json`) }
}

/** Returns the nearest tsconfig.json, which decides about the language of the code; codeLanguage() would load TypeScript. */
function settingsAbove(folder: string): string {
  const file = join(folder, 'tsconfig.json')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  return dirname(folder) === folder ? '' : settingsAbove(dirname(folder))
}

async function readEntry({ key, cached }: Place): Promise<Entry | undefined> {
  const entry = await read(cached)
  return entry?.key === key && entry.sources.every(isUnchanged) ? entry : undefined
}

/**
 * Compiles a contract in one process at a time: several tests take the same large one.
 *
 * @throws {ContractError} with every problem found
 */
async function compiled(place: Place): Promise<Entry> {
  await mkdir(cacheFolder, { recursive: true })
  return withLock(`${place.cached}.lock`, async () => {
    const kept = await readEntry(place)
    return kept === undefined || kept.support === 'refused' ? compiledAlone(place) : kept
  })
}

async function compiledAlone({ path, folder, key, cached }: Place): Promise<Entry> {
  // Loading the compiler takes longer than most tests of the server.
  const { compileContract } = await import('../../src/compiler/compile/compile.ts')
  const { files, sources, problems } = await compileContract(path, folder)
  const support = problems.some(({ rule }) => rule !== 'example') ? 'warned' : 'yes'
  const entry = { key, sources: sources.map(digested), support, files: [...files] } as const
  await write(cached, entry)
  return entry
}

const digested = (source: string) => [source, sha256(readFileSync(source))] as const

/** Returns a function that caches the refusal of a contract in one file. */
const refusedAt =
  ({ path, key, cached }: Place) =>
  async (error: Error): Promise<Entry> => {
    if (error.name !== 'ContractError') throw error
    const entry = { key, sources: [digested(path)], support: 'refused', files: [] } as const
    await write(cached, entry)
    return entry
  }

async function read(path: string): Promise<Entry | undefined> {
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Entry) : undefined
}

const isUnchanged = ([path, digest]: readonly [string, string]): boolean =>
  existsSync(path) && sha256(readFileSync(path)) === digest

/** Writes and renames the entry, because another test may read the file at the same time. */
async function write(path: string, entry: Entry): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, JSON.stringify(entry))
  await rename(unfinished, path)
}

/** @returns the path of a generated contract, which is the same in every run, because the cache has paths as keys */
export async function keepContract(name: string, document: object): Promise<string> {
  const path = join(cacheFolder, `${name}.openapi.json`)
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(path, JSON.stringify(document))
  return path
}

/** Compiles a generated contract whose text is the cache key. */
export async function compileDocument(document: object, folder: string): Promise<Files> {
  return compileCached(await pathOf(document), folder)
}

/** @returns the path of a generated contract, whose name is its digest */
export async function pathOf(document: object): Promise<string> {
  const name = sha256(JSON.stringify(document))
  const path = join(cacheFolder, `${name}.openapi.json`)
  return existsSync(path) ? path : keepContract(name, document)
}

const pollMs = 100

/**
 * Lets one process at a time do a piece of work, by a lock file that holds its process id; the lock of a process that has
 * ended counts as free.
 */
async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!(await takeLock(lock))) await sleep(pollMs)
  // By force, because two processes that waited for one that has ended may both have taken the lock.
  return work().finally(() => rm(lock, { force: true }))
}

/** @returns true if this process has the lock now */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = Number(await readFile(lock, 'utf8').catch(() => process.pid))
    if (!isAlive(holder)) await rm(lock, { force: true })
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
