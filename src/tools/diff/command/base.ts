/** Finds the contract to compare with: a file, or a file of a git revision. */
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Mistake } from '@contract-first/cli/command'
import { type FileTree, isBelow, type List, resembles } from '../diff.ts'
import type { DiffFormat } from './format.ts'
import { gitText, revisionTree } from './git.ts'

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
