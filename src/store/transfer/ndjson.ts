/** Plants out of and into a store as lines (NDJSON), in constant memory and as fast as the store commits. */
import type { Store, StoredPlant } from '../store.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/** The lines of a byte stream without their ends; only `\n` and `\r\n` end one, whatever else a JSON string may hold. */
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

/** What was transferred so far. */
export interface Transferred {
  plants: number
  bytes: number
}

/** @param line makes the text of a plant, its end included @returns pieces of text of about `size` characters */
export async function* exportText(
  store: Store,
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
    yield text
    onProgress(transferred)
    text = ''
  }
  if (text !== '') yield text
}
