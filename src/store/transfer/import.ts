import type { Transferred } from './ndjson.ts'

/** The first lines that could not be imported; lines around them may have been. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  /** Plants that are stored now, whether this import stored them or they were there. */
  readonly imported: number
  /** `line 7: body/name is required`, in the order of the lines. */
  readonly problems: readonly string[]

  constructor(failures: readonly Failure[], imported: number) {
    const sorted = failures.toSorted((a, b) => a.line - b.line).slice(0, maxFailures)
    const problems = sorted.map(
      ({ line, cause }) => `line ${line}: ${cause instanceof Error ? cause.message : cause}`
    )
    super(problems.join('\n'), { cause: sorted[0]?.cause })
    this.imported = imported
    this.problems = problems
  }
}

/** More lines than these are wrong in the same way. */
const maxFailures = 10

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
    if (running.failures.length > 0) break
  }
  await previous
  if (running.failures.length > 0) throw new ImportError(running.failures, running.transferred.plants)
  return running.transferred.plants
}

class Import<Item> {
  readonly transferred: Transferred = { plants: 0, bytes: 0 }
  readonly failures: Failure[] = []
  readonly #sink: LineSink<Item>

  constructor(sink: LineSink<Item>) {
    this.#sink = sink
  }

  /** Stores the lines up to the first one that cannot be read, and reads the others. Never rejects: `failures` keeps the causes. */
  async store(chunk: readonly Line[]): Promise<void> {
    const stores: Promise<void>[] = []
    let isWrong = false
    for (const { number, bytes } of chunk) {
      try {
        const item = this.#sink.read(bytes)
        if (!isWrong) stores.push(this.#store(item, number))
      } catch (cause) {
        isWrong = true
        this.failures.push({ line: number, cause })
        if (this.failures.length >= maxFailures) break
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
      this.failures.push({ line, cause })
    }
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
