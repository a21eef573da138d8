/**
 * The project that a command works for: the working directory, and the settings under `contract` in its package.json.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Mistake } from '@contract-first/cli/command'
import { refuseUrl } from './refuse-url.ts'

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
