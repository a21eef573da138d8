/** Exports and imports plants as NDJSON, in constant memory. */
import { everyPage, type Store } from '../store/store.ts'
import type { ChangeThread } from './change-plants.ts'
import { keepPlant, lineOf, type NewPlant, type Plants, stored } from './plant.ts'

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

type OnProgress = (transferred: Transferred) => void

/** Exports every plant, in id order. Yields the lines of a page as one text. */
export async function* exportText(store: Store, onProgress: OnProgress = () => {}): AsyncGenerator<string> {
  const transferred = { plants: 0, bytes: 0 }
  for await (const page of everyPage(store)) {
    const text = page.map(lineOf).join('')
    yield text
    transferred.plants += page.length
    transferred.bytes += Buffer.byteLength(text)
    onProgress(transferred)
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
    const problems = sorted.map(({ line, cause }) => `line ${line}: ${(cause as Error).message}`)
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

interface ImportOptions {
  /** Changes each plant, which may then follow an earlier contract. */
  readonly thread?: ChangeThread | undefined
  readonly onProgress?: OnProgress
}

/**
 * Imports a NewPlant from every line; empty lines are skipped. Idempotent.
 * @returns the number of stored plants
 * @throws {ImportError} after the chunks that were begun have ended
 */
export async function importPlants(
  store: Store,
  plants: Plants,
  lines: AsyncIterable<Buffer>,
  { thread, onProgress = () => {} }: ImportOptions = {}
): Promise<number> {
  const running = new Import(store, plants, thread)
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

class Import {
  readonly transferred: Transferred = { plants: 0, bytes: 0 }
  readonly failures: Failure[] = []
  readonly #store: Store
  readonly #plants: Plants
  readonly #thread: ChangeThread | undefined

  constructor(store: Store, plants: Plants, thread: ChangeThread | undefined) {
    this.#store = store
    this.#plants = plants
    this.#thread = thread
  }

  /** Stores the lines before the first malformed one, parses the others. Never rejects: `failures` has the causes. */
  async store(chunk: readonly Line[]): Promise<void> {
    const stores: Promise<void>[] = []
    let isWrong = false
    for (const { number, bytes } of chunk) {
      try {
        const plant = this.#thread ? this.#plants.readLine(bytes) : this.#plants.parse(bytes)
        if (!isWrong) stores.push(this.#keep(plant, number))
      } catch (cause) {
        isWrong = true
        this.failures.push({ line: number, cause })
        if (this.failures.length >= maxFailures) break
      }
      this.transferred.bytes += bytes.length + 1
    }
    await Promise.all(stores)
  }

  async #keep(given: NewPlant, line: number): Promise<void> {
    try {
      const plant = this.#thread ? await this.#changed(given, this.#thread) : given
      const kept = await keepPlant(this.#store, this.#plants, plant)
      if (kept === undefined) throw new Error(`id ${plant.id} is taken by a different plant`)
      this.transferred.plants++
    } catch (cause) {
      this.failures.push({ line, cause })
    }
  }

  async #changed(plant: NewPlant, thread: ChangeThread): Promise<NewPlant> {
    const [document] = await thread.change([stored(plant)])
    return this.#plants.read({ id: plant.id, document: String(document) })
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
