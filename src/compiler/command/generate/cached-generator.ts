/**
 * Runs the generator, and remembers its last good compilation into a folder: while inputs and files are byte for byte the
 * same, another one would write the same files and report the same problems.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertNoWarnings, type ContractProblem } from '@contract-first/contract'
import type { Contract, Operation } from '@contract-first/engine/model'
import type { Compiled, Generated, GenerateOptions } from '../../compiler.ts'
import { filesIn } from './file-watcher.ts'
import { cacheFolder } from './read-project.ts'

/** The part of a compiled contract that commands read. */
export interface ContractSummary extends Pick<Contract, 'title' | 'securitySchemes' | 'example'> {
  readonly operations: readonly Pick<Operation, 'operationId' | 'method' | 'path' | 'tags' | 'security'>[]
}

/** Outcome of a run of the generator. */
export interface Run extends Pick<Generated, 'differing' | 'time'> {
  readonly contract: ContractSummary
  /** Warnings about the contract. */
  readonly problems: readonly ContractProblem[]
  /** Absent when nothing was compiled, because nothing has changed. */
  readonly documents?: Generated['documents']
}

/** SHA-256 of the bytes by absolute path; an empty text for a file that is missing. */
type Digests = Record<string, string>

/** Record of a good compilation. */
interface Kept extends Pick<Run, 'contract' | 'problems'> {
  readonly key: string
  /** Files of the contract as they were before the compilation, and those that it looked for in vain. */
  readonly sources: Digests
  /** Files that decide the language and the package type of the generated files. */
  readonly settings: Digests
  readonly outputs: Digests
  /** Digest of a `handlers.ts` about which there was nothing to report. */
  readonly wiring?: string
}

type Paths = Pick<GenerateOptions, 'contract' | 'root' | 'formats' | 'out' | 'client'> & {
  readonly handlers?: string
}
type Observer = Pick<GenerateOptions, 'onFile' | 'onPhase'>

interface Place {
  /** Folder of the record; undefined to remember nothing. */
  readonly cache?: string | undefined
  /** Identifies the code that compiles; undefined when nothing does. */
  readonly compiler?: () => string | undefined
}

export class CachedGenerator {
  readonly #paths: Paths
  readonly #compiler: () => string | undefined
  /** Code that this process has loaded, which may be older than that on the disk. */
  readonly #code: string | undefined
  readonly #key: string
  readonly #file: string
  #kept: Kept | undefined
  #hasCompiled = false
  #warming: Promise<unknown> | undefined

  /** Constructed before the compiler is loaded. */
  constructor(paths: Paths, { cache = cacheFolder('generate'), compiler = compilerDigest }: Place = {}) {
    const { contract, root, formats, out, handlers, client = true } = paths
    this.#paths = { contract, root, formats, out, client, ...(handlers !== undefined && { handlers }) }
    this.#compiler = compiler
    this.#code = cache === undefined ? undefined : compiler()
    this.#key = sha256(JSON.stringify([this.#code, contract, root, formats, out, handlers, client]))
    this.#file = resolve(String(cache), `${sha256(JSON.stringify([contract, out])).slice(0, 16)}.json`)
  }

  /**
   * Compiles, unless every input and every file is as the last good compilation left it.
   * @throws {ContractError} with every problem found; nothing is written then
   */
  async generate(options: Pick<GenerateOptions, 'check' | 'strict'>, observer: Observer = {}): Promise<Run> {
    await this.#warming
    const started = performance.now()
    const kept = this.#read()
    for (const path of Object.keys(kept?.sources ?? {})) observer.onFile?.(path)
    if (kept === undefined || !(await this.#isCurrent(kept))) return this.#compile(options, observer)
    this.#kept = kept
    const { contract, problems } = kept
    if (options.strict) assertNoWarnings(problems)
    return { contract, problems, differing: [], time: performance.now() - started }
  }

  /**
   * Compiles after a run that did not, and discards the result: in a process that stays, the next run then finds the
   * compiler loaded and optimised.
   */
  warmUp(onPhase?: Observer['onPhase']): Promise<unknown> | undefined {
    if (this.#hasCompiled) return undefined
    this.#hasCompiled = true
    const { contract, out, root, formats, client } = this.#paths
    const compile = async () =>
      (await import('../../compiler.ts')).compileContract(contract, out, {
        ...{ root, formats, client, onPhase }
      })
    // The next run reports the errors of a contract that has changed since.
    this.#warming = compile().catch(() => undefined)
    return this.#warming
  }

  async #isCurrent({ sources, settings, outputs }: Kept): Promise<boolean> {
    if (![sources, settings, outputs].every(areOnDisk)) return false
    const { hasLeftovers } = await import('../../compile/emit/write.ts')
    const names = new Set(Object.keys(outputs).map((path) => basename(path)))
    return !(await hasLeftovers(names, this.#paths.out))
  }

  /** Remembers a good compilation whose inputs did not change meanwhile. */
  async #compile(
    options: Pick<GenerateOptions, 'check' | 'strict'>,
    { onFile, onPhase }: Observer
  ): Promise<Run> {
    this.#kept = undefined
    this.#hasCompiled = true
    const { generate, settingFiles } = await import('../../compiler.ts')
    const { out, formats } = this.#paths
    const settings = digestsOf(settingFiles(out))
    const sources: Digests = {}
    const observed = (path: string) => {
      onFile?.(path)
      sources[path] = digestOf(path)
    }
    const { compiled, ...run } = await generate({ ...options, ...this.#paths, onFile: observed, onPhase })
    const contract = summaryOf(compiled)
    const { files, problems } = compiled
    const outputs = Object.fromEntries([...files].map(([name, text]) => [join(out, name), sha256(text)]))
    for (const path of Object.keys(outputs)) delete settings[path]
    if (areOnDisk(sources) && areOnDisk(settings) && (formats === undefined || standsAlone(formats)))
      this.#keep({ key: this.#key, sources, settings, outputs, contract, problems })
    return { ...run, contract, problems }
  }

  /**
   * Returns the lines that `report` finds in the folder of the handlers, without a call while `handlers.ts` is as it was
   * when there were none.
   */
  async handlers(report: (folder: string) => Promise<readonly string[]>): Promise<readonly string[]> {
    const { handlers } = this.#paths
    if (handlers === undefined) return []
    const wiring = digestOf(join(handlers, 'handlers.ts'))
    if (this.#kept?.wiring === wiring) return []
    const lines = await report(handlers)
    if (this.#kept !== undefined && lines.length === 0) this.#keep({ ...this.#kept, wiring })
    return lines
  }

  /** A record that is missing, damaged or of another compiler counts as none. */
  #read(): Kept | undefined {
    if (this.#code === undefined) return undefined
    try {
      const [digest = '', body = ''] = readFileSync(this.#file, 'utf8').split('\n')
      const kept: Kept | undefined = sha256(body) === digest ? JSON.parse(body) : undefined
      return kept?.key === this.#key ? kept : undefined
    } catch {
      return undefined
    }
  }

  /** Writes the record. Of two processes that write it, one leaves a whole record, which counts only for its own files. */
  #keep(kept: Kept): void {
    if (this.#code === undefined || this.#compiler() !== this.#code) return
    this.#kept = kept
    const body = JSON.stringify(kept)
    const staging = `${this.#file}.${process.pid}`
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeFileSync(staging, `${sha256(body)}\n${body}`)
      renameSync(staging, this.#file)
    } catch {
      return // Without a record the next run compiles.
    }
  }
}

function summaryOf({ title, securitySchemes, example, operations }: Compiled): ContractSummary {
  const summaries = operations.map(({ operationId, method, path, tags, security }) => ({
    ...{ operationId, method, path, security },
    ...(tags && { tags })
  }))
  return { title, securitySchemes, ...(example && { example }), operations: summaries }
}

const sha256 = (data: string | Buffer): string => hash('sha256', data, 'base64url')

function digestOf(path: string): string {
  try {
    // Reading a named pipe or a device may never end.
    return statSync(path).isFile() ? sha256(readFileSync(path)) : ''
  } catch {
    return ''
  }
}

const digestsOf = (paths: readonly string[]): Digests =>
  Object.fromEntries(paths.map((path) => [path, digestOf(path)]))

const areOnDisk = (digests: Digests): boolean =>
  Object.entries(digests).every(([path, digest]) => digestOf(path) === digest)

const engineImport = /\b(from|import)\s*(['"])@contract-first\/[\w/-]+\2/g

/** Returns true for a module that imports the engine alone: nothing lists the files that another one depends on. */
const standsAlone = (module: string): boolean =>
  !/\bfrom\s*['"]|\b(import|require)\s*['"(]/.test(readFileSync(module, 'utf8').replaceAll(engineImport, ''))

/** Returns the folders of the packages whose code decides what is written. */
const packageFolders = (): string[] => [
  ...['compiler', 'contract', 'engine'].map((name) =>
    dirname(fileURLToPath(import.meta.resolve(`@contract-first/${name}/package.json`)))
  ),
  join(import.meta.dirname, '../../../tools/samples')
]

/** Lists of the installed libraries, which npm, pnpm and Yarn write at every installation. */
const lists = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml']

/**
 * Identifies the code of the compiler and its libraries by the metadata of files, which every installation changes.
 * @returns undefined when no list of the libraries is found
 */
export function compilerDigest(folders = packageFolders()): string | undefined {
  const list = folders
    .flatMap(foldersFrom)
    .flatMap((folder) => lists.map((name) => join(folder, 'node_modules', name)))
    .find(existsSync)
  if (list === undefined) return undefined
  const versions = [list, ...folders.flatMap(filesIn)].map((path) => {
    // An editor may have removed its own file since.
    const found = statSync(path, { throwIfNoEntry: false })
    return [path, found?.size, found?.mtimeMs, found?.ctimeMs, found?.ino].join()
  })
  return sha256([process.version, ...versions].join('\n'))
}

/** Returns the folder and all above it. */
const foldersFrom = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))]
