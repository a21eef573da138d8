/** Exports and imports plants as NDJSON, in constant memory. */
import type { Store, StoredPlant } from './store.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/** Splits a byte stream into lines. Only `\n` and `\r\n` end one, because JSON strings may contain other separators. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = chunk.subarray(start, end)
      yield withoutReturn(rest.length === 0 ? line : Buffer.concat([...rest, line]))
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield withoutReturn(Buffer.concat(rest))
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
}

/** Number of plants and bytes that were transferred so far. */
export interface Transferred {
  plants: number
  bytes: number
}

/**
 * Exports every plant.
 * @param line returns the line of a plant with its line end
 * @param size approximate length of a piece in characters
 * @returns pieces of text
 */
export async function* exportText(
  store: Pick<Store, 'export'>,
  line: (plant: StoredPlant) => string,
  onProgress: (transferred: Transferred) => void = () => {},
  size = 65_536
): AsyncGenerator<string> {
  const transferred = { plants: 0, bytes: 0 }
  let text = ''
  for await (const plant of store.export()) {
    text += line(plant)
    transferred.plants++
    if (text.length < size) continue
    yield* piece()
  }
  if (text !== '') yield* piece()

  function* piece(): Generator<string> {
    yield text
    transferred.bytes += Buffer.byteLength(text)
    onProgress(transferred)
    text = ''
  }
}

/** Error of an import: the first lines that failed. Lines before and after them may be imported. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  /** Number of plants that are stored now, by this import or before. */
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

/** Maximum of listed lines; more usually fail for the same reason. */
const maxFailures = 10

interface Failure {
  readonly line: number
  readonly cause: unknown
}

interface Line {
  readonly number: number
  readonly bytes: Buffer
}

/** Lines of a chunk, which fills a batch. One chunk is committed while the next one is read. */
const maxChunkLines = 1_000
const maxChunkBytes = 4 * 1024 * 1024

/** Parser and store of lines. An error of either is reported with the number of the line. */
export interface LineSink<Item> {
  readonly read: (line: Buffer) => Item
  /** Stores an item. Idempotent: an equal item that exists counts as stored. */
  readonly store: (item: Item) => Promise<void>
}

/**
 * Imports every line; empty ones are skipped. Idempotent.
 * @returns the number of stored plants
 * @throws {ImportError} after the chunks that were begun have ended
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

  /** Stores the lines before the first malformed one, parses the others. Never rejects: `failures` has the causes. */
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
