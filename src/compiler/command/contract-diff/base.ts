/** Finds the contract to compare with: a file, or a file of a git revision. */
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Mistake } from '@contract-first/service/command/command'
import { resembles } from '../../diff.ts'
import { gitText, revisionReader } from './git.ts'
import type { Options } from './options.ts'

export interface Base {
  /** Absolute path; for a revision, the path in the working tree. */
  readonly path: string
  /** Names the revision in messages. */
  readonly revision?: string
  readonly readFile?: (path: string) => Promise<string>
}

/**
 * Reads the older contract.
 * @throws {Mistake} with exit code 2
 */
export async function findBase({ base, contract, folder }: Options): Promise<Base> {
  const file = resolve(folder, base)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() === true) return { path: file }
  const repository = dirname(contract)
  if ((await gitText(repository, 'rev-parse', '--git-dir')) === '')
    throw mistake(
      `${base} is not a file, and ${shown(contract)} is in no git repository: name a file as BASE`
    )
  const [revision = base, name] = splitRevision(base)
  const commit = await commitOf(repository, revision)
  const path = name === undefined ? contract : resolve(await topOf(repository), name)
  const readFile = revisionReader(repository, commit)
  await readFile(path).catch(() => {
    throw mistake(
      `${revision} has no file ${name ?? shown(contract)}: name the file that it had, as ${revision}:FILE`
    )
  })
  return { path, revision, readFile }
}

const mistake = (problem: string): Mistake => new Mistake([problem], { exitCode: 2 })
const shown = (path: string): string => basename(path)

/** Splits `REVISION:FILE`. */
function splitRevision(base: string): [string, string?] {
  const end = base.indexOf(':')
  return end < 1 ? [base] : [base.slice(0, end), base.slice(end + 1)]
}

const topOf = (repository: string): Promise<string> => gitText(repository, 'rev-parse', '--show-toplevel')

async function commitOf(repository: string, revision: string): Promise<string> {
  const options = ['--verify', '--quiet', '--end-of-options']
  const found = await gitText(repository, 'rev-parse', ...options, `${revision}^{commit}`)
  if (found !== '') return found
  const names = await gitText(repository, 'for-each-ref', '--format=%(refname:short)')
  const near = names.split('\n').find((name) => resembles(name, revision))
  const hint = near === undefined ? 'name a file, a branch, a tag or a commit' : `did you mean ${near}?`
  throw mistake(`${revision} is neither a file nor a revision of this git repository; ${hint}`)
}
