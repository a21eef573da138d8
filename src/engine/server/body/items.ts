/** Reads the items of a sequence as its handler asks for them (OpenAPI 3.2.0, section 4.14.3), and validates each. */
import { isUtf8 } from 'node:buffer'
import { asRead, type ParsedJson } from '../../json/exact-json.ts'
import { type MalformedJson, parseExactJson } from '../../json/parse.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import { inEvent, type NumberedEvent, readingsOf, type SentEvent } from '../../json/sent-event.ts'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import type { ItemForm, Items } from '../../model/value-plans.ts'
import { depthFailure, FailureError } from '../errors/failure.ts'
import type { BodyStream } from './body-stream.ts'
import type { Reserve } from './budget.ts'
import { validateBody } from './parse.ts'
import { Accumulator } from './payload.ts'
import { type Bounds, Events, type Framing, itemTooLarge, Lines, malformedItem, Texts } from './records.ts'
import { nextTurn, Pace } from './turns.ts'

/** Sequence of items, and its bounds. */
export interface Sequence {
  readonly stream: BodyStream
  /** Longest item in bytes. */
  readonly maxItem: number
  /** Counts the bytes in memory of the item that arrives. */
  readonly reserve: Reserve
}

/** Sent form of an item: a JSON text, or an event. */
type Sent = string | SentEvent

/** The next item, and how it is read. */
interface Reading {
  readonly items: Items
  /** Forms of an item: that as text is tried last. */
  readonly forms: readonly ItemForm[]
  readonly code: CompiledCode
  sent: Sent
  index: number
}

/** Bytes that cost as much as an item. */
const workOfItem = 64

/**
 * Yields the items, which can be read once. The first broken one ends the sequence. Other requests have their turn after
 * at most 1,000 items.
 * @throws {FailureError} 400, 408, 413 or 503 at the iteration
 */
export async function* itemsOf(
  sequence: Sequence,
  items: Items,
  code: CompiledCode
): AsyncGenerator<unknown> {
  const reading: Reading = { items, forms: items.forms.toReversed(), code, sent: '', index: 0 }
  const placeOf = () => `body/${reading.index}`
  const read = () => {
    try {
      return itemOf(reading)
    } catch (error) {
      throw depthFailure(placeOf, error)
    }
  }
  const { stream, maxItem } = sequence
  const framing = framingOf(items, { maxItem, placeOf })
  const pace = new Pace()
  for await (const text of textsOf(sequence, { framing, pace, placeOf })) {
    framing.push(text)
    for (let sent = framing.next(); sent !== undefined; sent = framing.next()) {
      stream.release()
      reading.sent = sent
      yield read()
      reading.index++
      if (pace.isSpent(workOfItem)) await nextTurn()
    }
  }
}

function framingOf({ framing }: Items, bounds: Bounds): Framing<Sent> {
  if (framing === 'lines') return new Lines(bounds)
  return framing === 'texts' ? new Texts(bounds) : new Events(bounds)
}

interface Splitting {
  readonly framing: Framing
  readonly pace: Pace
  readonly placeOf: () => string
}

/**
 * Yields texts of whole records, for `framing` to split. What follows the last separator is held until the next one.
 * @throws {FailureError} 400, 408, 413 or 503; the stream is destroyed then, and when the reader stops early
 */
async function* textsOf(
  { stream, maxItem, reserve }: Sequence,
  { framing, pace, placeOf }: Splitting
): AsyncGenerator<string> {
  const { separators, ending } = framing
  const held = new Accumulator(maxItem, reserve)
  let heldByFraming = 0
  let isFirst = true
  const text = (bytes: Buffer) => {
    const decoded = bytes.toString('utf8')
    if (isFirst && decoded.charCodeAt(0) === byteOrderMark)
      throw new FailureError('malformed-body', { message: 'the body begins with a byte order mark' })
    isFirst &&= bytes.length === 0
    return decoded
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const last = lastOf(separators, chunk) + 1
    const end = framing.isWhole?.(chunk.subarray(last), last > 0) ? chunk.length : last
    if (end > 0) {
      const bytes = Buffer.concat([held.bytes, chunk.subarray(0, end)])
      held.clear()
      const valid = isUtf8(bytes) ? bytes.length : validLength(bytes, separators)
      yield text(bytes.subarray(0, valid))
      if (valid < bytes.length) throw malformedItem(placeOf(), 'is not valid UTF-8')
    }
    if (held.length + chunk.length - end > maxItem) throw itemTooLarge({ maxItem, placeOf })
    if (end < chunk.length) held.add(Buffer.from(chunk.subarray(end)))
    reserve(framing.heldBytes - heldByFraming)
    heldByFraming = framing.heldBytes
    if (held.length + heldByFraming === 0) stream.release()
    else stream.hold(placeOf)
    if (pace.isSpent(chunk.length)) await nextTurn()
  }
  if (ending === undefined) return
  if (!isUtf8(held.bytes)) throw malformedItem(placeOf(), 'is not valid UTF-8')
  yield text(held.bytes) + ending
}

const byteOrderMark = 0xfeff

const lastOf = (separators: readonly number[], bytes: Buffer): number =>
  Math.max(...separators.map((separator) => bytes.lastIndexOf(separator)))

/** Returns the length of the records before the first one that is not UTF-8. */
function validLength(bytes: Buffer, separators: readonly number[]): number {
  let valid = 0
  for (const [at, byte] of bytes.entries()) {
    if (!separators.includes(byte)) continue
    if (!isUtf8(bytes.subarray(valid, at))) break
    valid = at + 1
  }
  return valid
}

/** Reads an item as JSON where that is valid, otherwise as text where the schema allows it. */
function itemOf(reading: Reading): unknown {
  const { sent, forms } = reading
  const [first] = forms
  // A sequence may have half a million items in 1 MB.
  if (typeof sent === 'string' && forms.length === 1) return itemIn(first as ItemForm, sent, reading)
  let failure: unknown
  for (const each of readingsOf(sent))
    for (const form of forms) {
      try {
        return itemIn(form, each, reading)
      } catch (error) {
        if (!(error instanceof FailureError)) throw error
        const isKept = failure instanceof FailureError && failure.failure.code === 'mismatch'
        if (!isKept) failure = error
      }
    }
  throw failure
}

/** @throws {FailureError} `mismatch` or `malformed-body` */
function itemIn(
  { isText, validate, int64 }: ItemForm,
  sent: Sent | NumberedEvent,
  { items, code, index }: Reading
): unknown {
  const text = typeof sent === 'string' ? sent : sent.data
  const json = isText ? asRead(text) : parsed(text, index)
  const item = typeof sent === 'string' || !items.isEvent ? json : inEvent(sent, json)
  validateBody(item.value, validate, code, index)
  return restoreInt64(item, int64, code)
}

function parsed(text: string, index: number): ParsedJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    throw malformedItem(`body/${index}`, (error as MalformedJson).message, error)
  }
}
