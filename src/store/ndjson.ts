/** Reads and writes plants as NDJSON, in constant memory. */
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
