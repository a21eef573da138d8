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

/** Ends of the records of a sequence. */
export interface RecordEnds {
  /** Returns the index of the next separator, an ASCII character that is never a part of another one; otherwise -1. */
  find(chunk: Buffer, from: number): number
  /** Returns true if the bytes since the last record, after which nothing has arrived yet, are a whole record. */
  isWhole?(bytes: Buffer): boolean
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

export const lines: RecordEnds = { find: (chunk, from) => chunk.indexOf(lineFeed, from) }

/** Ends of lines in a stream of events: LF, CR, or CR LF (WHATWG HTML, section 9.2.6). */
export const eventLines: RecordEnds = {
  find: (chunk, from) => {
    let at = from
    while (at < chunk.length && chunk[at] !== lineFeed && chunk[at] !== carriageReturn) at++
    return at < chunk.length ? at : -1
  }
}

/**
 * Yields the texts of the records. A line feed after a carriage return at which a record ends belongs to that.
 * @param placeOf returns the place of the next item: `body/7`
 * @throws {FailureError} 400, 408, 413 or 503; the stream is destroyed then, and when the reader stops early
 */
export async function* textsOf(
  ends: RecordEnds,
  { stream, maxItem, reserve }: Records,
  placeOf: () => string
): AsyncGenerator<string> {
  const reserveNext = reserveLongest(reserve)
  let held = new Accumulator(maxItem, reserveNext())
  let isFirst = true
  let isAfterReturn = false
  const text = () => {
    const decoded = decodedText(held.bytes, placeOf(), isFirst)
    held = new Accumulator(maxItem, reserveNext())
    isFirst = false
    return decoded
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from: number = isAfterReturn && chunk[0] === lineFeed ? 1 : 0
    for (let to = ends.find(chunk, from); to >= 0; to = ends.find(chunk, from)) {
      hold(held, chunk.subarray(from, to), { maxItem, placeOf })
      yield text()
      const isPair = chunk[to] === carriageReturn && chunk[to + 1] === lineFeed
      from = to + (isPair ? 2 : 1)
    }
    isAfterReturn = from === chunk.length && chunk[from - 1] === carriageReturn
    hold(held, chunk.subarray(from), { maxItem, placeOf })
    if (ends.isWhole?.(held.bytes)) yield text()
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

const [quote, backslash, separator] = [0x22, 0x5c, 0x1e]
/** Steps into and out of arrays and objects. */
const steps: ReadonlyMap<unknown, number> = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1]
])
/** White space of JSON (RFC 8259, section 2). */
const blanks: ReadonlySet<unknown> = new Set([0x09, lineFeed, carriageReturn, 0x20])

/**
 * JSON texts between record separators (RFC 7464). A text is whole at a line feed outside of its strings, arrays and
 * objects: its item is given before the next separator arrives. Reads each byte once, however small the chunks are.
 */
export class JsonTexts implements RecordEnds {
  /** True if no separator has ended the last text. */
  isEarly = false
  #read = 0
  #depth = 0
  #hasValue = false
  #isString = false
  #isEscaped = false

  find(chunk: Buffer, from: number): number {
    const at = chunk.indexOf(separator, from)
    if (at >= 0) this.#begin(false)
    return at
  }

  isWhole(bytes: Buffer): boolean {
    if (bytes.at(-1) !== lineFeed) return false
    for (; this.#read < bytes.length; this.#read++) this.#take(bytes[this.#read])
    const isWhole = this.#hasValue && !this.#isString && this.#depth <= 0
    if (isWhole) this.#begin(true)
    return isWhole
  }

  #begin(isEarly: boolean): void {
    this.isEarly = isEarly
    this.#read = 0
    this.#depth = 0
    this.#hasValue = false
    this.#isString = false
    this.#isEscaped = false
  }

  #take(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === quote) this.#isString = !this.#isString
    else if (this.#isString) this.#isEscaped = byte === backslash
    else this.#depth += steps.get(byte) ?? 0
    this.#hasValue ||= !blanks.has(byte)
  }
}
