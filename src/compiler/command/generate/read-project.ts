/**
 * The project that a command works for: the working directory, and the settings under `contract` in its package.json;
 * the options of every command that reads a contract, and its frame, which loads before the compiler.
 */
import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, resolve } from 'node:path'
import { command, Mistake } from '@contract-first/cli/command'
import { type CommandLine, type Grammar, refuseUsage } from '@contract-first/cli/command-line'

/** The settings of a project as absolute paths. */
export interface Project {
  readonly folder: string
  readonly contract: string
  /** Folder whose files the contract may refer to. */
  readonly root: string
  /** Folder of the generated code. */
  readonly out: string
  /** Folder of the handlers, and of `handlers.ts`, which wires them. */
  readonly handlers: string
  /** Module of the project's own formats. */
  readonly formats: string | undefined
  /** True when the generated code has a client. */
  readonly client: boolean
  /** True when every warning of the compiler about the contract is an error. */
  readonly isStrict: boolean
}

/** Settings under `contract` in package.json; paths are relative to the folder of package.json. */
type Settings = Partial<
  Record<'file' | 'root' | 'out' | 'handlers' | 'formats', string> & Record<'client' | 'strict', boolean>
>

const kinds: Readonly<Record<keyof Settings, string>> = {
  ...{ file: 'string', root: 'string', out: 'string', handlers: 'string', formats: 'string' },
  ...{ client: 'boolean', strict: 'boolean' }
}

/**
 * Reads the settings of a project. Without them the contract is `openapi.yaml`, compiled into `generated/`.
 * @throws {Mistake} for a setting that does not exist, or has another type
 */
export function readProject(folder = process.cwd()): Project {
  const settings = settingsOf(folder)
  const { file = 'openapi.yaml', root, out = 'generated', handlers = 'src/handlers', formats } = settings
  refuseUrl('"contract" in package.json: file', file)
  const contract = resolve(folder, file)
  return {
    folder,
    contract,
    root: root === undefined ? dirname(contract) : resolve(folder, root),
    out: resolve(folder, out),
    handlers: resolve(folder, handlers),
    formats: formats === undefined ? undefined : resolve(folder, formats),
    client: settings.client !== false,
    isStrict: settings.strict === true
  }
}

/** Folder of files that any run may make anew: below node_modules/; undefined without node_modules/. */
export function cacheFolder(name: string, folder = process.cwd()): string | undefined {
  const modules = resolve(folder, 'node_modules')
  return existsSync(modules) ? resolve(modules, '.cache', name) : undefined
}

/** Folder in which Node caches compiled code; Node's default without node_modules/. */
export const compileCache = (folder?: string): string | undefined => cacheFolder('compile', folder)

function settingsOf(folder: string): Settings {
  const file = resolve(folder, 'package.json')
  const entries = Object.entries(Object(existsSync(file) ? manifestOf(file).contract : undefined))
  const isKnown = ([name, value]: readonly [string, unknown]) =>
    Object.hasOwn(kinds, name) && kinds[name as keyof Settings] === typeof value
  const wrong = entries.filter((entry) => !isKnown(entry))
  if (wrong.length > 0)
    throw new Mistake(
      wrong.map(([name]) => `"contract" in package.json: ${name} is not one of ${expected()}`),
      { next: `they are read from ${file}` }
    )
  return Object.fromEntries(entries)
}

function manifestOf(file: string): { readonly contract?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new Mistake([`${file} is not JSON: ${(error as Error).message}`])
  }
}

const expected = (): string =>
  Object.entries(kinds)
    .map(([name, kind]) => `${name} (${kind})`)
    .join(', ')

/**
 * Refuses a URL in the place of a file: a compilation is the same on every machine, and without a network.
 * @throws {Mistake} for a URL of any scheme
 */
export function refuseUrl(named: string, written: string): void {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(written)) return
  const cure = /^file:/i.test(written)
    ? 'write the path of the file'
    : `save it as a file, as with curl -o openapi.yaml '${written}', and name that file`
  refuseUsage(`${named} ${written} is a URL, and only files are read: ${cure}`)
}

export interface ContractFile {
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  /** Module of the project's own formats. */
  readonly formats?: string
}

export const contractOptions = {
  '--contract FILE': 'the contract [openapi.yaml]',
  '--root DIR': 'its references may lead to files below DIR [the folder of the contract]'
} as const

/**
 * Reads the options of the contract.
 * @param otherwise path without `--contract`; by default that of the project
 */
export function contractFile(
  { value }: CommandLine,
  otherwise?: string,
  folder = process.cwd()
): Required<Omit<ContractFile, 'formats'>> & ContractFile {
  const named = value('contract')
  if (named !== undefined) refuseUrl('--contract', named)
  const contract = resolve(folder, named ?? otherwise ?? readProject().contract)
  const project = readProject(folder)
  const formats = contract === project.contract ? project.formats : undefined
  const root = contractRoot(contract, value('root'), folder)
  return { contract, root, ...(formats !== undefined && { formats }) }
}

/** @param option the option `--root` */
export function contractRoot(contract: string, option: string | undefined, folder: string): string {
  if (option !== undefined) return resolve(folder, option)
  const project = readProject(folder)
  return contract === project.contract ? project.root : dirname(contract)
}

/**
 * Runs the command of this process. Caches the compiled code of the bundler and TypeScript, megabytes of source: modules
 * that are loaded before it are not cached.
 */
export async function contractCommand(
  grammar: Grammar,
  run: (line: CommandLine) => Promise<void>
): Promise<void> {
  enableCompileCache(compileCache())
  await command(grammar, run)
}
