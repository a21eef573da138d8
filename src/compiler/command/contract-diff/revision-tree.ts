/** The files of a git revision, as a file system whose paths are those of the working tree. */
import { dirname, relative, resolve, sep } from 'node:path'
import { assertSize, type FileTree, notRegular } from '../../diff.ts'
import { git, gitText } from './git.ts'

interface Entry {
  readonly mode: string
  readonly object: string
}

/** Mode of git for a symbolic link, and those for files. */
const linkMode = '120000'
const fileModes = ['100644', '100755']

/** Most links that a path leads through, as in Linux. */
const maxLinks = 40

const failure = (code: string): Error => Object.assign(new Error(code), { code })

class RevisionTree implements FileTree {
  readonly #folder: string
  readonly #top: string
  /** Files and links, by path. */
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #folders: ReadonlySet<string>

  /** @param folder a folder of the working tree */
  constructor(folder: string, top: string, entries: ReadonlyMap<string, Entry>) {
    this.#folder = folder
    this.#top = top
    this.#entries = entries
    this.#folders = new Set([...entries.keys()].flatMap((path) => this.#foldersAbove(path)))
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  realPath(path: string, links = maxLinks): string {
    for (const above of [...this.#foldersAbove(path).toReversed(), path]) {
      const entry = this.#entries.get(above)
      if (entry?.mode !== linkMode) continue
      if (links === 0) throw failure('ELOOP')
      const target = resolve(dirname(above), this.#blob(entry))
      return this.realPath(resolve(target, relative(above, path)), links - 1)
    }
    if (!this.#entries.has(path) && !this.#folders.has(path)) throw failure('ENOENT')
    return path
  }

  names(folder: string): string[] {
    const prefix = `${folder}${sep}`
    const below = [...this.#entries.keys()].filter((path) => path.startsWith(prefix))
    return below.map((path) => path.slice(prefix.length)).filter((name) => !name.includes(sep))
  }

  async read(path: string, maxBytes: number): Promise<string> {
    const entry = this.#entries.get(path)
    if (entry === undefined || !fileModes.includes(entry.mode)) throw notRegular()
    assertSize(Number(gitText(this.#folder, 'cat-file', '-s', entry.object)), maxBytes)
    return this.#blob(entry)
  }

  /** Reads an object as it is stored: `git show` would run the filters that the repository names. */
  #blob({ object }: Entry): string {
    const text = git(this.#folder, 'cat-file', 'blob', object)
    if (text === undefined) throw failure('EIO')
    return text
  }

  #foldersAbove(path: string): string[] {
    const folders: string[] = []
    for (
      let above = dirname(path);
      above.startsWith(this.#top) && above !== dirname(above);
      above = dirname(above)
    )
      folders.push(above)
    return folders
  }
}

/**
 * Reads the names of the files of a commit.
 * @param folder a folder of the working tree
 */
export function revisionTree(folder: string, commit: string): RevisionTree {
  const top = resolve(folder, gitText(folder, 'rev-parse', '--show-cdup'))
  const listed = git(folder, 'ls-tree', '-r', '-z', '--full-tree', commit) ?? ''
  const lines = [...listed.matchAll(/(\d+) \w+ (\w+)\t([^\0]*)\0/g)]
  const entries = lines.map(
    ([, mode = '', object = '', path = '']) => [resolve(top, path), { mode, object }] as const
  )
  return new RevisionTree(folder, top, new Map(entries))
}
