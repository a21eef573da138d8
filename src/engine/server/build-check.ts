/** Finds generated files that are not of one build: after an interrupted run, a merge of branches, a copied file. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, buildLine, firstLine } from '../model/build.ts'

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
