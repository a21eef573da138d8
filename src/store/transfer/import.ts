import type { Store, StoredPlant } from '../store.ts'
import type { Transferred } from './ndjson.ts'

/** The first line that could not be imported; lines around it may have been. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  /** Plants that are stored now, whether this import stored them or they were there. */
  readonly imported: number

  constructor({ line, cause }: Failure, imported: number) {
    super(`line ${line}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    this.imported = imported
  }
}

interface Failure {
  readonly line: number
  readonly cause: unknown
}

interface Line {
  readonly number: number
  readonly bytes: Buffer
}

/** Two chunks are under way at once: one is being committed while the next is read. Each is a full batch. */
const chunkLines = 1_000
const chunkBytes = 4 * 1024 * 1024

/**
 * Idempotent: what is there already, and is the same, counts as imported. Empty lines are skipped.
 * @param read throws with a message that says what is wrong with the line
 * @returns how many plants are stored
 * @throws {ImportError} when what was under way has ended
 */
export async function importLines(
  lines: AsyncIterable<Buffer>,
  store: Store,
  read: (line: Buffer) => StoredPlant,
  onProgress: (transferred: Transferred) => void = () => {}
): Promise<number> {
  const running = new Import(store, read)
  let previous: Promise<void> | undefined
  for await (const chunk of chunksOf(lines)) {
    const current = running.store(chunk)
    await previous
    onProgress(running.transferred)
    previous = current
    if (running.failure) break
  }
  await previous
  if (running.failure) throw new ImportError(running.failure, running.transferred.plants)
  return running.transferred.plants
}

class Import {
  readonly transferred: Transferred = { plants: 0, bytes: 0 }
  failure: Failure | undefined
  readonly #store: Store
  readonly #read: (line: Buffer) => StoredPlant

  constructor(store: Store, read: (line: Buffer) => StoredPlant) {
    this.#store = store
    this.#read = read
  }

  /** Up to the first line that can not be read. Never rejects: what fails is remembered. */
  async store(chunk: readonly Line[]): Promise<void> {
    const creates: Promise<void>[] = []
    for (const { number, bytes } of chunk) {
      try {
        creates.push(this.#create(this.#read(bytes), number))
      } catch (cause) {
        this.#fail({ line: number, cause })
        break
      }
      this.transferred.bytes += bytes.length + 1
    }
    await Promise.all(creates)
  }

  async #create(plant: StoredPlant, line: number): Promise<void> {
    try {
      const outcome = await this.#store.create(plant)
      if (outcome === 'taken') throw new Error(`id ${plant.id} is taken by a different plant`)
      this.transferred.plants++
    } catch (cause) {
      this.#fail({ line, cause })
    }
  }

  #fail(failure: Failure): void {
    if (!this.failure || failure.line < this.failure.line) this.failure = failure
  }
}

async function* chunksOf(lines: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let chunk: Line[] = []
  let size = 0
  let number = 0
  for await (const bytes of lines) {
    number++
    if (bytes.length === 0) continue
    chunk.push({ number, bytes })
    size += bytes.length
    if (chunk.length < chunkLines && size < chunkBytes) continue
    yield chunk
    chunk = []
    size = 0
  }
  if (chunk.length > 0) yield chunk
}
