/** Plants out of and into a store as lines (NDJSON), in constant memory and as fast as the store commits. */
import type { Store, StoredPlant } from './store.ts'

const newline = 0x0a

/** The lines of a byte stream without their ends; only `\n` and `\r\n` end one, whatever else a JSON string may hold. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield withoutReturn(Buffer.concat([...rest, chunk.subarray(start, end)]))
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield withoutReturn(Buffer.concat(rest))
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}

/** @param line makes the text of a plant, its end included @returns pieces of text of about `size` characters */
export async function* exportText(
  store: Store,
  line: (plant: StoredPlant) => string,
  size = 65_536
): AsyncGenerator<string> {
  let text = ''
  for await (const plant of store.export()) {
    text += line(plant)
    if (text.length >= size) {
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

/** The first line that could not be imported; lines before it may have been. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  /** Plants that are stored now, whether this import stored them or they were there. */
  readonly imported: number

  constructor(line: number, message: string, imported: number, cause?: unknown) {
    super(`line ${line}: ${message}`, { cause })
    this.imported = imported
  }
}

export interface Progress {
  readonly imported: number
  readonly bytes: number
}

/** Creates under way at once: enough for full batches, few enough for a bounded queue. */
const window = 1_000

/**
 * Idempotent: what is there already, and is the same, counts as imported. Empty lines are skipped.
 * @param read throws with a message that says what is wrong with the line
 * @returns how many plants are stored @throws {ImportError} when what was under way has ended
 */
export async function importLines(
  lines: AsyncIterable<Buffer>,
  store: Store,
  read: (line: Buffer) => StoredPlant,
  onProgress: (progress: Progress) => void = () => {}
): Promise<number> {
  const state = { imported: 0, bytes: 0, line: 0 }
  const pending = new Set<Promise<void>>()
  let failure: { line: number; message: string; cause: unknown } | undefined
  const fail = (line: number, cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause)
    if (failure === undefined || line < failure.line) failure = { line, message, cause }
  }
  const create = async (plant: StoredPlant, line: number) => {
    try {
      const outcome = await store.create(plant)
      if (outcome === 'taken') fail(line, `id ${plant.id} is taken by a different plant`)
      else state.imported++
    } catch (error) {
      fail(line, error)
    }
  }
  for await (const line of lines) {
    state.line++
    state.bytes += line.length + 1
    if (line.length === 0) continue
    try {
      const created = create(read(line), state.line).finally(() => pending.delete(created))
      pending.add(created)
    } catch (error) {
      fail(state.line, error)
    }
    if (pending.size >= window) await Promise.race(pending)
    onProgress(state)
    if (failure !== undefined) break
  }
  await Promise.all(pending)
  if (failure !== undefined)
    throw new ImportError(failure.line, failure.message, state.imported, failure.cause)
  return state.imported
}
