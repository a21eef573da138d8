/** Finds generated files that are not of one build: after an interrupted run, a merge of branches, a copied file. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, buildLine, firstLine } from '../model/build.ts'
import type { Contract } from '../model/compiled-contract.ts'

/** Module that imports all others. It is written last. */
const root = 'contract.ts'

/** @returns names of loaded modules of another build */
export function otherModules(id: string, loaded: Build['loaded']): string[] {
  return Object.entries(loaded).flatMap(([name, build]) => (build === id ? [] : [name]))
}

/**
 * Compares the files in the folder of the generated code by their first lines. A bundle contains the modules of its
 * build; nothing is compared for it.
 * @param url `import.meta.url` of the module that holds the contract
 */
export function strayFiles(url: string, build: Build): { missing: string[]; others: string[] } {
  const path = fileURLToPath(url)
  const names = basename(path) === root ? namesIn(dirname(path)) : []
  if (!names.includes(root)) return { missing: [], others: [] }
  return {
    missing: build.files.filter((name) => !names.includes(name)),
    others: names.filter((name) => isCode(name) && isOther(join(dirname(path), name), build)).sort()
  }
}

const isCode = (name: string): boolean => /\.[jt]s$/.test(name)

/** Returns true for a file of this build with other first lines, and for a generated file that is not of this build. */
function isOther(path: string, { id, files }: Build): boolean {
  const text = headOf(path)
  if (!files.includes(basename(path))) return text.startsWith(firstLine)
  return !text.startsWith(`${firstLine}\n${buildLine(id)}\n`)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Bytes that hold the first two lines. */
const headBytes = 256

function headOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headBytes)
    const length = readSync(file, bytes, 0, headBytes, 0)
    return bytes.toString('utf8', 0, length).replaceAll('\r\n', '\n')
  } finally {
    closeSync(file)
  }
}

interface GeneratedFolder {
  /** Folder relative to the working directory, with a slash at the end: `pets/`. */
  readonly name: string
  readonly command: string
}

/** Module of the generated code; another one is a bundle that contains it. */
const ownModule = /\/contract\.[jt]s$/
/** The layout of a project for which `npm run generate` needs no options. */
const defaultFolder = /\/generated\/[^/]*$/
const defaultSource = '../openapi.yaml'

/** Names the folder of a contract's generated code, and the command that regenerates it. */
export function generatedFolder({ url, sources: [root] }: Contract): GeneratedFolder {
  const source = root?.file ?? defaultSource
  if (url === undefined || !ownModule.test(url))
    return { name: 'generated/', command: 'npm run generate && npm run build' }
  if (defaultFolder.test(url) && source === defaultSource)
    return { name: 'generated/', command: 'npm run generate' }
  const folder = pathOf('.', url)
  return {
    name: `${folder}/`,
    command: `npm run generate -- --contract ${quoted(pathOf(source, url))} --out ${quoted(folder)}`
  }
}

/** Returns the path from the working directory, where the command is run. */
function pathOf(reference: string, base: string): string {
  return relative('', fileURLToPath(new URL(reference, base))) || '.'
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
