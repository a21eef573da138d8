/** Sentences for what a user can fix about the files of a contract. */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { ContractError, type ContractProblem } from '@contract-first/contract'

/** The contract cannot be read. */
class UnreadableContract extends Error {
  readonly path: string

  constructor(path: string, reason: string) {
    super(reason)
    this.path = path
  }
}

/** @throws {UnreadableContract} when the path is not a file */
export async function assertIsFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return
  throw new UnreadableContract(path, found === undefined ? 'there is no such file' : 'it is not a file')
}

/**
 * Returns the text about an error that a user can fix.
 * @param report formats the problems of a contract
 * @throws any other error: it is a defect, and keeps its stack
 */
export function problemText(
  error: unknown,
  report: (problems: readonly ContractProblem[]) => string
): string {
  if (error instanceof ContractError) return report(error.problems)
  return fileProblem(error)
}

const remedies: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file where the folder should be; --out names another',
  ENOTDIR: 'there is a file where a folder should be; --out names another',
  ENOENT: 'no folder can be made there; --out names another',
  EACCES: 'this user may not; --out names another folder',
  EROFS: 'this file system is read-only; --out names another folder',
  ENOSPC: 'the disk is full'
}

function fileProblem(error: unknown): string {
  if (error instanceof UnreadableContract)
    return `${shortPath(error.path)} cannot be read: ${error.message}; --contract names the contract`
  if (!isFileError(error)) throw error
  const { code = '', message, path } = error
  const remedy = remedies[code]
  const reason =
    remedy === undefined || path === undefined ? message : `${shortPath(path)}: ${remedy} (${code})`
  return `nothing was written: ${reason}`
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error

/** Returns the path relative to the working directory, if that is shorter. */
export function shortPath(path: string): string {
  const way = relative('.', path) || '.'
  return way.length < path.length ? way : path
}
