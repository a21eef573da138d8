/** The files of a git revision, as a file system whose paths are those of the working tree. */

import { execFileSync } from 'node:child_process'
import { dirname, relative, resolve, sep } from 'node:path'
import { Mistake } from '@contract-first/cli/command'
import { assertSize, type FileTree, notRegular } from '../diff.ts'

/**
 * Runs git in the folder of a contract. The folder may come from anyone, with a repository in it: whatever its
 * configuration says, git starts no program and contacts no other machine.
 */
const options = [
  '--no-pager',
  // A folder that holds HEAD, objects/ and refs/ is a repository only if its name says so.
  ...['-c', 'safe.bareRepository=explicit'],
  ...['-c', 'core.fsmonitor='],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'protocol.allow=never']
]

/** No protocol is allowed: unlike `protocol.allow`, this overrides `protocol.<name>.allow` of the repository. */
const isolation = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0'
}

/** Variables of git that neither choose another repository, as those of a hook do, nor a program. */
const kept =
  /^GIT_(CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+))$/

function environment(): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || kept.test(name))
  return { ...Object.fromEntries(given), ...isolation }
}

/** Runs git in a folder; returns undefined when git fails. */
export function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...options, ...args], {
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28
    })
  } catch (error) {
    if (isMissing(error))
      throw new Mistake(['git cannot be run: install it, or name a file as BASE'], { exitCode: 2 })
    return undefined
  }
}

/** Returns the output of git, trimmed; an empty text when git fails. */
export const gitText = (folder: string, ...args: readonly string[]): string =>
  (git(folder, ...args) ?? '').trim()

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

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
