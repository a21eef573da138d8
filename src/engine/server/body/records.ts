/** Splits the text of a sequence into its records: lines, JSON texts, or events. Runs within one event-loop turn. */
import type { SentEvent } from '../../json/sent-event.ts'
import { FailureError } from '../errors/failure.ts'

/** Splits texts that end with a whole record. */
export interface Framing<Sent = string | SentEvent> {
  /** ASCII characters at which records end. */
  readonly separators: readonly number[]
  /** Text that ends the last record; undefined where an end is part of each record. */
  readonly ending: string | undefined
  /** Bytes of the records of an item whose last one has not arrived yet. */
  readonly heldBytes: number
  /** Returns true if the bytes since the last separator are a whole record; is given each of them once. */
  readonly isWhole?: (bytes: Buffer, isFirst: boolean) => boolean
  /** Takes the next text, when all items of the text before are read. */
  push(text: string): void
  /**
   * Returns the next item; undefined when there is none in the text.
   * @throws {FailureError} 400 or 413
   */
  next(): Sent | undefined
}

/** Bounds of an item. */
export interface Bounds {
  /** Longest item in bytes. */
  readonly maxItem: number
  /** Returns the place of the next item: `body/7`. */
  readonly placeOf: () => string
}

const [tab, lineFeed, carriageReturn, separator, space, colon] = [0x09, 0x0a, 0x0d, 0x1e, 0x20, 0x3a]

/** White space of JSON (RFC 8259, section 2). */
const isBlank = (code: number): boolean =>
  code === space || code === lineFeed || code === carriageReturn || code === tab

/** Lines that are not blank. */
export class Lines implements Framing<string> {
  readonly separators = [lineFeed]
  readonly ending = '\n'
  readonly heldBytes = 0
  readonly #bounds: Bounds
  #text = ''
  #at = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  push(text: string): void {
    this.#text = text
    this.#at = 0
  }

  next(): string | undefined {
    const text = this.#text
    for (let from = this.#at; from < text.length; from++) {
      const code = text.charCodeAt(from)
      if (code === lineFeed) this.#at = from + 1
      if (isBlank(code)) continue
      const line = text.slice(this.#at, text.indexOf('\n', from))
      this.#at += line.length + 1
      checkSize(line, this.#bounds)
      return line
    }
    return undefined
  }
}

/** Texts with a record separator before and a line feed behind each (RFC 7464). */
export class Texts implements Framing<string> {
  readonly separators = [separator]
  readonly ending = ''
  readonly heldBytes = 0
  readonly #bounds: Bounds
  readonly #end = new TextEnd()
  #text = ''
  #at = 0
  /** True behind a record separator. */
  #isBegun = false

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  isWhole(bytes: Buffer, isFirst: boolean): boolean {
    if (isFirst) this.#end.reset()
    return this.#end.isAt(bytes)
  }

  push(text: string): void {
    this.#text = text
    this.#at = 0
  }

  next(): string | undefined {
    while (this.#at < this.#text.length) {
      const found = this.#text.indexOf('\x1e', this.#at)
      const text = this.#text.slice(this.#at, found < 0 ? undefined : found)
      const isBegun = this.#isBegun
      this.#at += text.length + 1
      this.#isBegun = found >= 0
      if (/^[\t\n\r ]*$/.test(text)) continue
      this.#check(text, isBegun)
      return text
    }
    return undefined
  }

  /** Refuses a text that may have been cut off: only white space tells the end of a number or a word (RFC 7464, 2.4). */
  #check(text: string, isBegun: boolean): void {
    const place = this.#bounds.placeOf
    if (!isBegun) throw malformedItem(place(), 'does not begin with a record separator')
    if (/\w$/.test(text)) throw malformedItem(place(), 'is not followed by a line feed')
    checkSize(text, this.#bounds)
  }
}

const [quote, backslash, openingBracket, openingBrace, closingBracket, closingBrace] = [
  0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d
]

/**
 * End of a JSON text whose next separator has not arrived yet: a line feed outside of its strings, arrays and objects.
 * Its item is given without waiting for the separator.
 */
class TextEnd {
  #depth = 0
  #hasValue = false
  #isString = false
  #isEscaped = false

  reset(): void {
    this.#depth = 0
    this.#hasValue = false
    this.#isString = false
    this.#isEscaped = false
  }

  /** Returns true if a whole text ends with these bytes. */
  isAt(bytes: Buffer): boolean {
    for (const byte of bytes) this.#take(byte)
    const isWhole = bytes.at(-1) === lineFeed && this.#hasValue && !this.#isString && this.#depth <= 0
    if (isWhole) this.reset()
    return isWhole
  }

  #take(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === quote) this.#isString = !this.#isString
    else if (this.#isString) this.#isEscaped = byte === backslash
    else if (byte === openingBracket || byte === openingBrace) this.#depth++
    else if (byte === closingBracket || byte === closingBrace) this.#depth--
    this.#hasValue ||= !isBlank(byte)
  }
}

/**
 * Events (WHATWG HTML, section 9.2.6), whose lines end with LF, CR or CR LF. One without data is left out, and one without
 * a blank line at its end is discarded.
 */
export class Events implements Framing<SentEvent> {
  readonly separators = [lineFeed, carriageReturn]
  readonly ending = undefined
  readonly #bounds: Bounds
  #event = new ArrivingEvent()
  #text = ''
  #at = 0
  /** True if a line feed would belong to the line before. */
  #isAfterReturn = false

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get heldBytes(): number {
    return this.#event.size
  }

  push(text: string): void {
    const lines = this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#isAfterReturn = lines.endsWith('\r')
    this.#text = lines.includes('\r') ? lines.replaceAll(/\r\n?/g, '\n') : lines
    this.#at = 0
  }

  next(): SentEvent | undefined {
    while (this.#at < this.#text.length) {
      const event = this.#nextLine()
      if (event !== undefined) return event
    }
    return undefined
  }

  /** Returns the event that ends with the line. */
  #nextLine(): SentEvent | undefined {
    const [from, end] = [this.#at, this.#text.indexOf('\n', this.#at)]
    this.#at = end + 1
    // A comment.
    if (this.#text.charCodeAt(from) === colon) return undefined
    if (from < end) {
      const line = this.#text.slice(from, end)
      checkSize(line, this.#bounds)
      this.#event.add(line)
      if (this.#event.size > this.#bounds.maxItem) throw itemTooLarge(this.#bounds)
      return undefined
    }
    if (this.#event.size === 0) return undefined
    const event = this.#event.complete()
    this.#event = new ArrivingEvent()
    return event
  }
}

class ArrivingEvent {
  /** Bytes of the fields with their ends; 0 without any. */
  size = 0
  readonly #fields: { event?: string; id?: string; retry?: number } = {}
  readonly #data: string[] = []

  /** Ignores unknown fields, an id with NUL and a retry that is not a number, as the specification says. */
  add(line: string): void {
    const end = line.indexOf(':')
    const name = end < 0 ? line : line.slice(0, end)
    const value = end < 0 ? '' : line.slice(line.charCodeAt(end + 1) === space ? end + 2 : end + 1)
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#fields.event = value
    else if (name === 'id' && !value.includes('\0')) this.#fields.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.#fields.retry = Number(value)
    else return
    this.size += Buffer.byteLength(value) + 1
  }

  /** Returns undefined without data. */
  complete(): SentEvent | undefined {
    return this.#data.length === 0 ? undefined : { data: this.#data.join('\n'), ...this.#fields }
  }
}

/** A character has at most three bytes. */
function checkSize(text: string, bounds: Bounds): void {
  if (3 * text.length > bounds.maxItem && Buffer.byteLength(text) > bounds.maxItem) throw itemTooLarge(bounds)
}

export function itemTooLarge({ maxItem, placeOf }: Bounds): FailureError {
  return new FailureError('body-too-large', { message: `${placeOf()} is larger than ${maxItem} bytes` })
}

/** @returns a failure for an item that cannot be read; `problem` is the predicate to its place */
export function malformedItem(place: string, problem: string, cause?: unknown): FailureError {
  const problems = [{ place, message: problem, keyword: undefined }]
  return new FailureError('malformed-body', { message: `${place} ${problem}`, problems, cause })
}
