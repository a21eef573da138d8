/** Explains why a file or folder that the user named cannot be read or written. */
import { stat } from 'node:fs/promises'

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

const remedies: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file where the folder should be; --out names another',
  ENOTDIR: 'there is a file where a folder should be; --out names another',
  ENOENT: 'no folder can be made there; --out names another',
  EACCES: 'this user may not; --out names another folder',
  EROFS: 'this file system is read-only; --out names another folder',
  ENOSPC: 'the disk is full'
}

/**
 * Returns the sentence for an error of the file system; undefined for any other error.
 * @param shortPath formats a path for the terminal
 */
export function fileProblem(error: unknown, shortPath: (path: string) => string): string | undefined {
  if (error instanceof UnreadableContract)
    return `${shortPath(error.path)} cannot be read: ${error.message}; --contract names the contract`
  if (!isFileError(error)) return undefined
  const { code = '', message, path } = error
  const remedy = remedies[code]
  const reason =
    remedy === undefined || path === undefined ? message : `${shortPath(path)}: ${remedy} (${code})`
  return `nothing was written: ${reason}`
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}
