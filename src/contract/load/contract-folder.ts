/**
 * Reads the files of a contract: regular YAML and JSON files whose real path is below one folder. A contract is data:
 * its references must not make the compiler read, and publish, any other file.
 */
import { constants, readdirSync, realpathSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'

/** A file system: the disk, or the files of a git revision. Paths are absolute. */
export interface FileTree {
  /**
   * Returns the path without symbolic links.
   * @throws {NodeJS.ErrnoException} with the code ENOENT for a missing file
   */
  realPath(path: string): string
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
const maxTotalBytes = 64 * 2 ** 20

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
    // An encoding would decode the file piece by piece, which takes longer.
    return String(await file.readFile())
  }
}

export class ContractFolder {
  readonly #root: string
  readonly #tree: FileTree
  /** Texts whose bytes are counted before the next file is read. */
  readonly #uncounted: string[] = []
  #bytesLeft = maxTotalBytes

  constructor(root: string, tree: FileTree = disk) {
    this.#root = root
    this.#tree = tree
  }

  /**
   * Returns the real path of a file; undefined for a missing file.
   * @throws {NotReadable} for a file outside of the folder
   */
  find(path: string): string | undefined {
    if (!isBelow(this.#root, path) && !isBelow(this.#realRoot, path)) throw outside
    const real = this.#realPath(path)
    if (real !== undefined && !isBelow(this.#realRoot, real)) throw outside
    return real
  }

  /**
   * Returns the text of a file.
   * @param path a result of `find`
   * @throws {NotReadable} for a file that is not regular, or beyond the bytes of a contract
   */
  async read(path: string): Promise<string> {
    for (const text of this.#uncounted.splice(0)) this.#bytesLeft -= Buffer.byteLength(text)
    const text = await this.#tree.read(path, this.#bytesLeft).catch((error: unknown) => {
      throw notReadable(error)
    })
    this.#uncounted.push(text)
    return text
  }

  /** Returns the names of the files in a folder that a reference may name. */
  names(folder: string): string[] {
    try {
      const real = this.find(folder)
      return real === undefined ? [] : this.#tree.names(real).filter(hasContractName)
    } catch {
      return []
    }
  }

  get #realRoot(): string {
    return this.#realPath(this.#root) ?? this.#root
  }

  #realPath(path: string): string | undefined {
    try {
      return this.#tree.realPath(path)
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
      throw notReadable(error)
    }
  }
}

/** Returns whether references may lead to files of this name; the resolver parses these. */
export const hasContractName = (path: string): boolean => /\.(ya?ml|json)$/.test(path)

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code)

/** Returns the error without the path, which the place of the reference names already. */
const notReadable = (error: unknown): NotReadable =>
  error instanceof NotReadable ? error : new NotReadable(`it cannot be read (${codeOf(error)})`)

const outside = new NotReadable(
  'it is outside of the folder of the contract; --root DIR allows the files below DIR'
)

/** Returns whether a path is a folder itself or below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}
