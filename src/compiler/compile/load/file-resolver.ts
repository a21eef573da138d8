/** Reads the files of a contract, and repairs each as it is read. */
import { BaseResolver, type Document, ResolveError, Source } from '@redocly/openapi-core'
import { withBase64 } from './binary-scalars.ts'
import { type Repair, repair } from './repair.ts'

/** Returns the text of a file by its absolute path. */
export type ReadFile = (path: string) => Promise<string>

/** Reads files only: the generator fetches nothing over a network. */
export class FileResolver extends BaseResolver {
  readonly repairs: Repair[] = []
  readonly #onFile: (path: string) => void
  readonly #readFile: ReadFile | undefined
  #is30 = false

  /** @param readFile reads the files of a contract that is not on the disk */
  constructor(onFile: (path: string) => void, readFile?: ReadFile) {
    super()
    this.#onFile = onFile
    this.#readFile = readFile
  }

  /** Repairs the root file; the other files have its version. */
  repairRoot(root: Document, is30: boolean): void {
    this.#is30 = is30
    this.repairs.push(...repair(root, is30))
  }

  override parseDocument(source: Source, isRoot = false): Document {
    const document = super.parseDocument(source, isRoot)
    const read = { ...document, parsed: withBase64(document.parsed) }
    if (!isRoot) this.repairs.push(...repair(read, this.#is30))
    return read
  }

  override async loadExternalRef(absoluteRef: string): ReturnType<BaseResolver['loadExternalRef']> {
    if (/^(https?|data):/.test(absoluteRef)) {
      throw new ResolveError(
        new Error('references over the network are not followed; keep the file beside the contract')
      )
    }
    this.#onFile(absoluteRef)
    if (this.#readFile === undefined) return super.loadExternalRef(absoluteRef)
    const text = await this.#readFile(absoluteRef).catch((error: Error) => error)
    if (typeof text !== 'string') throw new ResolveError(text)
    return new Source(absoluteRef, text.replaceAll('\r\n', '\n'))
  }
}
