/** The files of a contract, and their paths in a new project. */
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InMemory } from '../../compiler.ts'

export interface ContractFile {
  /** Absolute path. */
  readonly from: string
  /** Path relative to the project, with slashes. */
  readonly to: string
}

/** @returns the root file first */
export function contractFiles({ contract }: InMemory): readonly [ContractFile, ...ContractFile[]] {
  const paths = contract.sources.map(({ file }) => fileURLToPath(new URL(file, contract.url)))
  const [root = '', ...others] = paths
  // Every command looks for a contract of this name.
  if (others.length === 0) return [{ from: root, to: `openapi${extname(root) || '.yaml'}` }]
  const folder = commonFolder(paths)
  const place = (from: string) => ({
    from,
    to: join('contract', relative(folder, from)).replaceAll('\\', '/')
  })
  return [place(root), ...others.map(place)]
}

/** Returns the deepest folder that holds all files: references between them stay as they are. */
function commonFolder(paths: readonly string[]): string {
  let folder = dirname(String(paths[0]))
  while (paths.some((path) => relative(folder, path).startsWith('..')) && basename(folder) !== '')
    folder = dirname(folder)
  return folder
}
