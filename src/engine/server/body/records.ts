/** Splits the bytes of a sequence at its separators, and decodes each record. Holds one record at a time. */
import { isUtf8 } from 'node:buffer'
import { FailureError } from '../errors/failure.ts'
import type { BodyStream } from './body-stream.ts'
import { Accumulator, type Reserve } from './read-bytes.ts'

/** Sequence of records, and its bounds. */
export interface Records {
  readonly stream: BodyStream
  /** Longest item in bytes. */
  readonly maxItem: number
  /** Counts the bytes in memory of the longest item. */
  readonly reserve: Reserve
}

/** Counts the most that was held at a time, because each record takes the place of the one before. */
export function reserveLongest(reserve: Reserve): () => Reserve {
  let reserved = 0
  return () => {
    let held = 0
    return (bytes) => {
      held += bytes
      if (held > reserved) reserve(held - reserved)
      reserved = Math.max(reserved, held)
    }
  }
}

/**
 * Yields the texts between separators, which are ASCII characters and so never a part of another one in UTF-8.
 * @param placeOf returns the place of the next item: `body/7`
 * @throws {FailureError} 400, 408, 413 or 503; the stream is destroyed then, and when the reader stops early
 */
export async function* textsBetween(
  separator: string,
  { stream, maxItem, reserve }: Records,
  placeOf: () => string
): AsyncGenerator<string> {
  const byte = separator.charCodeAt(0)
  const reserveNext = reserveLongest(reserve)
  let held = new Accumulator(maxItem, reserveNext())
  let isFirst = true
  const text = () => {
    const decoded = decodedText(held.bytes, placeOf(), isFirst)
    held = new Accumulator(maxItem, reserveNext())
    isFirst = false
    return decoded
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let to = chunk.indexOf(byte); to >= 0; to = chunk.indexOf(byte, from)) {
      hold(held, chunk.subarray(from, to), { maxItem, placeOf })
      yield text()
      from = to + 1
    }
    hold(held, chunk.subarray(from), { maxItem, placeOf })
  }
  yield text()
}

interface Bounds {
  readonly maxItem: number
  readonly placeOf: () => string
}

function hold(held: Accumulator, bytes: Buffer, { maxItem, placeOf }: Bounds): void {
  if (held.length + bytes.length > maxItem) throw itemTooLarge(placeOf(), maxItem)
  const failure = bytes.length === 0 ? undefined : held.add(bytes)
  if (failure !== undefined) throw failure
}

export function itemTooLarge(place: string, maxItem: number): FailureError {
  return new FailureError('body-too-large', { message: `${place} is larger than ${maxItem} bytes` })
}

/** @returns a failure for an item that cannot be read; `problem` is the predicate to its place */
export function malformedItem(place: string, problem: string, cause?: unknown): FailureError {
  const problems = [{ place, message: problem, keyword: undefined }]
  return new FailureError('malformed-body', { message: `${place} ${problem}`, problems, cause })
}

const byteOrderMark = 0xfeff

function decodedText(bytes: Buffer, place: string, isFirst: boolean): string {
  if (!isUtf8(bytes)) throw malformedItem(place, 'is not valid UTF-8')
  const text = bytes.toString('utf8')
  if (isFirst && text.charCodeAt(0) === byteOrderMark)
    throw new FailureError('malformed-body', { message: 'the body begins with a byte order mark' })
  return text
}
