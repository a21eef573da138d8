/** Names the folder of a contract's generated code, and the command that regenerates it. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract } from '../model/compiled-contract.ts'

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
