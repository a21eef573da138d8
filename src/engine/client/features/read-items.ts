/** Reads the items of a sequence as they arrive, and checks each (OpenAPI 3.2.0, section 4.14.3). */
import { asRead } from '../../json/exact-json.ts'
import { inEvent, readingsOf, type SentEvent } from '../../json/sent-event.ts'
import type { Checker, Chunks, ItemReading } from '../../model/client-operation.ts'
import type { Items } from '../../model/value-plans.ts'
import { checkedJson, parsedJson } from './exact-json.ts'
import { byteChunks } from './streams.ts'

/** Event whose fields arrive one by one. */
type Arriving = { -readonly [Name in keyof SentEvent]?: SentEvent[Name] }

type Sent = string | SentEvent

/** A reader that stops early cancels the response. */
export async function* readItems(
  items: Items,
  chunks: Chunks,
  reading: ItemReading
): AsyncGenerator<unknown> {
  let index = 0
  const assertFits: AssertFits = (length) => {
    if (length > reading.maxItemLength)
      throw reading.checker.problem(`body/${index}`, `is longer than ${reading.maxItemLength} characters`)
  }
  try {
    for await (const sent of sentItems(items, chunks, { ...reading, assertFits }))
      yield itemOf(items, sent, `body/${index++}`, reading.checker)
  } catch (error) {
    throw reading.rejection(error)
  }
}

/** Throws for an item that has become longer than allowed. */
type AssertFits = (length: number) => void

async function* sentItems(
  { framing }: Items,
  chunks: Chunks,
  { checker: { problem }, assertFits }: ItemReading & { readonly assertFits: AssertFits }
): AsyncGenerator<Sent> {
  const texts = textsIn(framing, chunks, assertFits)
  if (framing === 'events') return yield* eventsIn(texts, assertFits)
  for await (const text of texts) {
    // Only white space tells the end of a number or a word (RFC 7464, section 2.4).
    if (framing === 'texts' && /\w$/.test(text)) throw problem('body', 'ends within an item')
    if (text.trim() !== '') yield text
  }
}

async function* textsIn(
  framing: Items['framing'],
  chunks: Chunks,
  assertFits: AssertFits
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const isEvents = framing === 'events'
  let rest = ''
  let isAfterReturn = false
  for await (const chunk of chunks === null ? [] : byteChunks(chunks)) {
    let decoded = decoder.decode(chunk, { stream: true })
    if (isEvents && decoded !== '') {
      // Lines end with LF, CR or CR LF, which may arrive in two chunks.
      const lines = isAfterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded
      isAfterReturn = decoded.endsWith('\r')
      decoded = lines.replaceAll(/\r\n?/g, '\n')
    }
    const [first = '', ...others] = decoded.split(framing === 'texts' ? '\x1e' : '\n')
    rest += first
    for (const text of others) {
      assertFits(rest.length)
      yield rest
      rest = text
    }
    assertFits(rest.length)
  }
  if (!isEvents) yield rest + decoder.decode()
}

/**
 * Ignores comments, unknown fields and events without data; an event that the end of the stream cuts is discarded
 * (WHATWG HTML, section 9.2.6).
 */
async function* eventsIn(lines: AsyncIterable<string>, assertFits: AssertFits): AsyncGenerator<SentEvent> {
  let event: Arriving = {}
  for await (const line of lines) {
    if (line !== '') {
      addField(event, line)
      assertFits(event.data?.length ?? 0)
      continue
    }
    const { data } = event
    if (data !== undefined) yield { ...event, data }
    event = {}
  }
}

function addField(event: Arriving, line: string): void {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`
  else if (name === 'event') event.event = value
  else if (name === 'id' && !value.includes('\0')) event.id = value
  else if (name === 'retry' && /^\d+$/.test(value)) event.retry = Number(value)
}

/** Reads an item as JSON where that is valid, otherwise as text where the schema allows it. */
function itemOf(items: Items, sent: Sent, place: string, checker: Checker): unknown {
  let failure: unknown
  for (const each of readingsOf(sent))
    for (const form of items.forms.toReversed()) {
      const event = typeof each === 'string' ? { data: each } : each
      try {
        const json = form.isText ? asRead(event.data) : parsedJson(event.data, place, checker)
        return checkedJson(items.isEvent ? inEvent(event, json) : json, { ...form, place }, checker)
      } catch (error) {
        failure ??= error
      }
    }
  throw failure
}
