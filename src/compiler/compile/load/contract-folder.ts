/**
 * Reads the files of a contract: regular YAML and JSON files whose real path is below one folder. A contract is data:
 * its references must not make the compiler read, and publish, any other file.
 */
import { isAbsolute, relative, sep } from 'node:path'
import { disk, type FileTree, maxTotalBytes, NotReadable } from './file-tree.ts'

export class ContractFolder {
  readonly #root: string
  readonly #tree: FileTree
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
    const text = await this.#tree.read(path, this.#bytesLeft).catch((error: unknown) => {
      throw notReadable(error)
    })
    this.#bytesLeft -= Buffer.byteLength(text)
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

/** Returns whether references may lead to files of this name; the linter parses these. */
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
