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

/** One chunk is committed while the next one is read. Each is a full batch. */
const maxChunkLines = 1_000
const maxChunkBytes = 4 * 1024 * 1024

/** Reads and stores the lines. What either throws is reported with the number of the line. */
export interface LineSink<Item> {
  readonly read: (line: Buffer) => Item
  /** Idempotent: what is there already, and is the same, counts as stored. */
  readonly store: (item: Item) => Promise<void>
}

/**
 * Imports every line; empty ones are skipped. Idempotent.
 * @returns how many plants are stored
 * @throws {ImportError} when the chunks that had begun have ended
 */
export async function importLines<Item>(
  lines: AsyncIterable<Buffer>,
  sink: LineSink<Item>,
  onProgress: (transferred: Transferred) => void = () => {}
): Promise<number> {
  const running = new Import(sink)
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

class Import<Item> {
  readonly transferred: Transferred = { plants: 0, bytes: 0 }
  failure: Failure | undefined
  readonly #sink: LineSink<Item>

  constructor(sink: LineSink<Item>) {
    this.#sink = sink
  }

  /** Stores the lines up to the first one that cannot be read. Never rejects: `failure` keeps the cause. */
  async store(chunk: readonly Line[]): Promise<void> {
    const stores: Promise<void>[] = []
    for (const { number, bytes } of chunk) {
      try {
        stores.push(this.#store(this.#sink.read(bytes), number))
      } catch (cause) {
        this.#fail({ line: number, cause })
        break
      }
      this.transferred.bytes += bytes.length + 1
    }
    await Promise.all(stores)
  }

  async #store(item: Item, line: number): Promise<void> {
    try {
      await this.#sink.store(item)
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
    if (chunk.length < maxChunkLines && size < maxChunkBytes) continue
    yield chunk
    chunk = []
    size = 0
  }
  if (chunk.length > 0) yield chunk
}
