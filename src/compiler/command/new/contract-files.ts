/** The files of a contract, and their paths in a new project. */
import { basename, dirname, join, relative } from 'node:path'
import type { InMemory } from '../../compiler.ts'

export interface CopiedFile {
  /** Absolute path. */
  readonly from: string
  /** Path relative to the project, with slashes. */
  readonly to: string
  readonly text: string
}

/** Returns the folder of a new project whose files the contract may refer to. */
export const copiesFolder = ({ length }: readonly CopiedFile[]): string => (length > 1 ? 'contract' : '.')

/** @returns the root file first */
export function contractFiles({ files }: Pick<InMemory, 'files'>): readonly [CopiedFile, ...CopiedFile[]] {
  const [{ path, text }, ...others] = files
  // Every command looks for a contract of this name.
  if (others.length === 0)
    return [{ from: path, to: `openapi${/\.(json|ya?ml)$/.exec(path)?.[0] ?? '.yaml'}`, text }]
  const folder = commonFolder(files.map((file) => file.path))
  const place = (file: InMemory['files'][number]) => ({
    from: file.path,
    to: join('contract', relative(folder, file.path)).replaceAll('\\', '/'),
    text: file.text
  })
  return [place(files[0]), ...others.map(place)]
}

/** Returns the deepest folder that holds all files: references between them stay as they are. */
function commonFolder(paths: readonly string[]): string {
  let folder = dirname(String(paths[0]))
  while (paths.some((path) => relative(folder, path).startsWith('..')) && basename(folder) !== '')
    folder = dirname(folder)
  return folder
}
