/** Reads the files of a contract, and repairs each as it is read. */
import { BaseResolver, type Document, ResolveError, type Source } from '@redocly/openapi-core'
import { withBase64 } from './binary-scalars.ts'
import { type Repair, repair } from './repair.ts'

/** Reads files only: generation fetches nothing over a network. */
export class FileResolver extends BaseResolver {
  readonly repairs: Repair[] = []
  readonly #onFile: (path: string) => void
  #is30 = false

  constructor(onFile: (path: string) => void) {
    super()
    this.#onFile = onFile
  }

  /** Repairs the root file; the files that are read later have its version. */
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
    return super.loadExternalRef(absoluteRef)
  }
}
