/** Finds the contract to compare with: a file, or a file of a git revision, whose paths are those of the working tree. */
import { execFileSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { Mistake } from '@contract-first/cli/command'
import { resembles } from '@contract-first/contract'
import { assertSize, type FileTree, isBelow, notRegular } from '@contract-first/contract/load'
import type { List } from '../diff.ts'
import type { DiffFormat } from './format.ts'

export interface Options {
  /** A file or a git revision. */
  readonly base: string
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  readonly format: DiffFormat
  /** Lists whose changes fail: the breaking ones by default. */
  readonly failing?: readonly List[]
  /** Folder that paths in messages are relative to. */
  readonly folder: string
}

export interface Base {
  /** Absolute path; for a revision, the path in the working tree. */
  readonly path: string
  /** Names the revision in messages. */
  readonly revision?: string
  readonly tree?: FileTree
  /** Folder whose files the contract may refer to. */
  readonly root?: string | undefined
}

/**
 * Reads the older contract.
 * @throws {Mistake} with exit code 2
 */
export async function findBase({ base, contract, root, folder }: Options): Promise<Base> {
  const file = resolve(folder, base)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() === true) return { path: file, root: rootOf(file, root) }
  const repository = dirname(contract)
  if (gitText(repository, 'rev-parse', '--git-dir') === '')
    throw mistake(
      `${base} is not a file, and ${shown(contract)} is in no git repository: name a file as BASE`
    )
  const [revision = base, name] = splitRevision(base)
  const commit = commitOf(repository, revision)
  const path = name === undefined ? contract : resolve(topOf(repository), name)
  const tree = revisionTree(repository, commit)
  if (!tree.has(path))
    throw mistake(
      `${revision} has no file ${name ?? shown(contract)}: name the file that it had, as ${revision}:FILE`
    )
  return { path, root: rootOf(path, root), revision, tree }
}

/** Returns the folder that is allowed for the contract, if it holds the other one, too. */
const rootOf = (path: string, root: string | undefined): string | undefined =>
  root !== undefined && isBelow(root, path) ? root : undefined

const mistake = (problem: string): Mistake => new Mistake([problem], { exitCode: 2 })
const shown = (path: string): string => basename(path)

/** Splits `REVISION:FILE`. */
function splitRevision(base: string): [string, string?] {
  const end = base.indexOf(':')
  return end < 1 ? [base] : [base.slice(0, end), base.slice(end + 1)]
}

/** Returns the top of the working tree, by the path that leads to the repository. */
const topOf = (repository: string): string =>
  resolve(repository, gitText(repository, 'rev-parse', '--show-cdup'))

function commitOf(repository: string, revision: string): string {
  const options = ['--verify', '--quiet', '--end-of-options']
  const found = gitText(repository, 'rev-parse', ...options, `${revision}^{commit}`)
  if (found !== '') return found
  const names = gitText(repository, 'for-each-ref', '--format=%(refname:short)')
  const near = names.split('\n').find((name) => resembles(name, revision))
  const hint = near === undefined ? 'name a file, a branch, a tag or a commit' : `did you mean ${near}?`
  throw mistake(`${revision} is neither a file nor a revision of this git repository; ${hint}`)
}

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

/** Files of a commit, by their paths in the working tree. */
interface RevisionTree extends FileTree {
  has(path: string): boolean
}

/**
 * Reads the names of the files of a commit.
 * @param folder a folder of the working tree
 */
export function revisionTree(folder: string, commit: string): RevisionTree {
  const top = topOf(folder)
  const listed = git(folder, 'ls-tree', '-r', '-z', '--full-tree', commit) ?? ''
  const entries = new Map<string, Entry>()
  for (const [, mode = '', object = '', path = ''] of listed.matchAll(/(\d+) \w+ (\w+)\t([^\0]*)\0/g))
    entries.set(resolve(top, path), { mode, object })

  /** Reads an object as it is stored: `git show` would run the filters that the repository names. */
  const blobOf = ({ object }: Entry): string => {
    const text = git(folder, 'cat-file', 'blob', object)
    if (text === undefined) throw failure('EIO')
    return text
  }
  const below = (path: string): string[] => {
    const prefix = `${path}${sep}`
    return [...entries.keys()]
      .filter((each) => each.startsWith(prefix))
      .map((each) => each.slice(prefix.length))
  }
  const realPath = (path: string, links = maxLinks): string => {
    const link = pathsTo(path, top).find((each) => entries.get(each)?.mode === linkMode)
    const entry = link === undefined ? undefined : entries.get(link)
    if (link !== undefined && entry !== undefined) {
      if (links === 0) throw failure('ELOOP')
      const target = resolve(dirname(link), blobOf(entry))
      return realPath(resolve(target, relative(link, path)), links - 1)
    }
    if (!entries.has(path) && below(path).length === 0) throw failure('ENOENT')
    return path
  }
  return {
    has: (path) => entries.has(path),
    realPath: (path) => realPath(path),
    names: (path) => below(path).filter((name) => !name.includes(sep)),
    read: async (path, maxBytes) => {
      const entry = entries.get(path)
      if (entry === undefined || !fileModes.includes(entry.mode)) throw notRegular()
      assertSize(Number(gitText(folder, 'cat-file', '-s', entry.object)), maxBytes)
      return blobOf(entry)
    }
  }
}

/** Returns the path and the folders above it in the working tree, the outermost first. */
function pathsTo(path: string, top: string): string[] {
  const above = dirname(path)
  return path.startsWith(top) && above !== path ? [...pathsTo(above, top), path] : []
}
