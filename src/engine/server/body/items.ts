/** Reads the items of a sequence as its handler asks for them (OpenAPI 3.2.0, section 4.14.3), and validates each. */
import {
  type ExactJson,
  inEvent,
  type NumberedEvent,
  readingsOf,
  type SentEvent
} from '../../json/exact-json.ts'
import { type MalformedJson, parseExactJson } from '../../json/parse.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import type { ItemForm, Items } from '../../model/value-plans.ts'
import { FailureError, guardDepth } from '../errors/failure.ts'
import { validateBody } from './parse.ts'
import {
  eventLines,
  itemTooLarge,
  JsonTexts,
  lines,
  malformedItem,
  type Records,
  textsOf
} from './records.ts'

/** Sent form of an item: a JSON text, or an event. */
type Sent = string | SentEvent

/** One item, and how it is read. */
interface Reading {
  readonly items: Items
  readonly code: CompiledCode
  readonly index: number
}

/**
 * Yields the items, which can be read once. The first broken one ends the sequence.
 * @throws {FailureError} 400, 408, 413 or 503 at the iteration
 */
export async function* itemsOf(records: Records, items: Items, code: CompiledCode): AsyncGenerator<unknown> {
  let index = 0
  const placeOf = () => `body/${index}`
  for await (const sent of sentItems(items, records, placeOf)) {
    yield guardDepth(placeOf(), () => itemOf(sent, { items, code, index }))
    index++
  }
}

function sentItems(
  { framing, isEvent }: Items,
  records: Records,
  placeOf: () => string
): AsyncGenerator<Sent> {
  if (framing === 'lines') return withoutBlank(textsOf(lines, records, placeOf))
  if (framing === 'texts') return separated(records, placeOf)
  const events = eventsIn(textsOf(eventLines, records, placeOf), { placeOf, maxItem: records.maxItem })
  return isEvent ? events : withData(events)
}

/** White space of JSON (RFC 8259, section 2). */
const isBlank = (text: string): boolean => /^[\t\n\r ]*$/.test(text)

async function* withoutBlank(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) if (!isBlank(text)) yield text
}

/** Refuses a text that may have been cut off: only white space tells the end of a number or a word (RFC 7464, 2.4). */
async function* separated(records: Records, placeOf: () => string): AsyncGenerator<string> {
  const ends = new JsonTexts()
  let isBegun = false
  for await (const text of textsOf(ends, records, placeOf)) {
    if (!isBegun && !isBlank(text)) throw malformedItem(placeOf(), 'does not begin with a record separator')
    isBegun = !ends.isEarly
    if (isBlank(text)) continue
    if (/\w$/.test(text)) throw malformedItem(placeOf(), 'is not followed by a line feed')
    yield text
  }
}

/** Clients ignore events without data, too (WHATWG HTML, section 9.2.6). */
async function* withData(events: AsyncIterable<SentEvent>): AsyncGenerator<SentEvent> {
  for await (const event of events) if (event.data !== undefined) yield event
}

/** Reads an item as JSON where that is valid, otherwise as text where the schema allows it. */
function itemOf(sent: Sent, reading: Reading): unknown {
  let failure: unknown
  for (const each of readingsOf(sent))
    for (const form of reading.items.forms.toReversed()) {
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
  const json = isText || text === undefined ? asRead(text) : parsed(text, `body/${index}`)
  const { value, exactness, root } = typeof sent === 'string' || !items.isEvent ? json : inEvent(sent, json)
  const holder = exactness === undefined ? { '': value } : (root as { '': unknown })
  validateBody(value, holder, { validate, code, exactness, index })
  if (int64 !== undefined) restoreInt64(holder, int64, code, exactness)
  return holder['']
}

const asRead = (value: unknown): ExactJson => ({ value, exactness: undefined, root: {} })

function parsed(text: string, place: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    throw malformedItem(place, (error as MalformedJson).message, error)
  }
}

interface EventBounds {
  readonly placeOf: () => string
  /** Most bytes of the data of an event. */
  readonly maxItem: number
}

/**
 * Yields the events that have a field. The last one may lack the blank line at its end: what a client has sent is not
 * dropped.
 * @throws {FailureError} `body-too-large`
 */
async function* eventsIn(
  texts: AsyncIterable<string>,
  { placeOf, maxItem }: EventBounds
): AsyncGenerator<SentEvent> {
  let event = new ArrivingEvent()
  for await (const line of texts) {
    if (line !== '') event.add(line)
    if (event.size > maxItem) throw itemTooLarge(placeOf(), maxItem)
    if (line !== '' || event.isEmpty) continue
    yield event.complete()
    event = new ArrivingEvent()
  }
  if (!event.isEmpty) yield event.complete()
}

class ArrivingEvent {
  readonly #fields: { event?: string; id?: string; retry?: number } = {}
  readonly #data: string[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#data.length === 0 && Object.keys(this.#fields).length === 0
  }

  /** Ignores comments, unknown fields, an id with NUL and a retry that is not a number, as the specification says. */
  add(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') {
      this.#data.push(value)
      this.#size += Buffer.byteLength(value) + 1
    } else if (name === 'event') this.#fields.event = value
    else if (name === 'id' && !value.includes('\0')) this.#fields.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.#fields.retry = Number(value)
  }

  complete(): SentEvent {
    return { ...(this.#data.length > 0 && { data: this.#data.join('\n') }), ...this.#fields }
  }
}
