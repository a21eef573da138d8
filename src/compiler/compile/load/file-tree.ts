/** The file systems that may hold a contract. */
import { constants, readdirSync, realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** A file system: the disk, or the files of a git revision. Paths are absolute. */
export interface FileTree {
  /**
   * Returns the path without symbolic links.
   * @throws {NodeJS.ErrnoException} with the code ENOENT for a missing file
   */
  realPath(path: string): string
  /** Returns the names in a folder. */
  names(folder: string): string[]
  /**
   * Returns the text of a regular file.
   * @param path a path without symbolic links
   * @throws {NotReadable} for anything else, or for a file with more bytes
   */
  read(path: string, maxBytes: number): Promise<string>
}

/** A file of another kind or size than a contract may have; the message is a clause about it. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable'
}

export const notRegular = (): NotReadable => new NotReadable('it is not a regular file')

export function assertSize(size: number, maxBytes: number): void {
  if (size > maxBytes)
    throw new NotReadable(`the files of a contract may have ${maxTotalBytes >> 20} MiB together`)
}

/** Bytes of all files of a contract: several times the largest published contracts. */
export const maxTotalBytes = 64 * 2 ** 20

/** O_NONBLOCK: opening a named pipe does not wait for its writer. O_NOFOLLOW: a link put in place of the file is refused. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

export const disk: FileTree = {
  realPath: (path) => realpathSync(path),
  names: (folder) => readdirSync(folder),
  async read(path, maxBytes) {
    await using file = await open(path, flags)
    // The descriptor is asked, not the path, which may lead to another file by now.
    const stat = await file.stat()
    if (!stat.isFile()) throw notRegular()
    assertSize(stat.size, maxBytes)
    return await file.readFile('utf8')
  }
}
