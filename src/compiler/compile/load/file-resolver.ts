/** Reads the files of a contract, and repairs each as it is read. */
import { dirname, resolve } from 'node:path'
import { BaseResolver, type Document, ResolveError, Source } from '@redocly/openapi-core'
import type { Json } from '../document/json-value.ts'
import { assertFewCopies } from './aliases.ts'
import { type ContractFolder, hasContractName } from './contract-folder.ts'
import { NotReadable } from './file-tree.ts'
import { type Repair, repair } from './repair.ts'

export interface ResolverOptions {
  /** Absolute path of the root file. */
  readonly contract: string
  readonly folder: ContractFolder
  /** Is called with each file before it is read, and with missing ones. */
  readonly onFile: (path: string) => void
}

/** Reads files of the contract's folder only: the generator fetches nothing over a network. */
export class FileResolver extends BaseResolver {
  readonly repairs: Repair[] = []
  readonly #options: ResolverOptions
  #is30 = false

  constructor(options: ResolverOptions) {
    super()
    this.#options = options
  }

  /** Repairs the root file; the other files have its version. */
  repairRoot(root: Document, is30: boolean): void {
    this.#is30 = is30
    this.repairs.push(...repair(root, is30))
  }

  /** Returns the names in a folder relative to a file, if a reference may lead to them. */
  namesIn(folder: string, file: string): string[] {
    return this.#options.folder.names(resolve(dirname(file), folder))
  }

  override parseDocument(source: Source, isRoot = false): Document {
    const document = super.parseDocument(source, isRoot)
    assertFewCopies(document.parsed, source)
    const read = { ...document, parsed: withBase64(document.parsed) }
    if (!isRoot) this.repairs.push(...repair(read, this.#is30))
    return read
  }

  override async loadExternalRef(absoluteRef: string): ReturnType<BaseResolver['loadExternalRef']> {
    try {
      const text = await this.#read(absoluteRef)
      return new Source(absoluteRef, text.replaceAll('\r\n', '\n'))
    } catch (error) {
      throw new ResolveError(error as Error)
    }
  }

  async #read(path: string): Promise<string> {
    const { contract, folder, onFile } = this.#options
    if (/^(https?|data|file):/.test(path))
      throw new NotReadable('references to URLs are not followed; keep the file beside the contract')
    if (path !== contract && !hasContractName(path))
      throw new NotReadable('its name does not end in .yaml, .yml or .json')
    const real = folder.find(path)
    onFile(path)
    if (real === undefined) throw new NotReadable('ENOENT, there is no such file')
    return folder.read(real)
  }
}

/** Replaces each by its Base64 text, in place, and returns the value: in JSON a byte string is Base64. */
export function withBase64(root: unknown): Json {
  if (root instanceof Uint8Array) return Buffer.from(root).toString('base64')
  const seen = new Set<unknown>()
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    for (const [key, child] of Object.entries(next)) {
      if (child instanceof Uint8Array) Reflect.set(next, key, Buffer.from(child).toString('base64'))
      else pending.push(child)
    }
  }
  return root as Json
}
