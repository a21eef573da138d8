/** Reads the items of a sequence as they arrive, and checks each (OpenAPI 3.2.0, section 4.14.3). */
import {
  type ExactJson,
  inEvent,
  type NumberedEvent,
  readingsOf,
  type SentEvent
} from '../../json/exact-json.ts'
import type { Checker, Chunks, ItemReading } from '../../model/client-operation.ts'
import type { ItemForm, Items } from '../../model/value-plans.ts'
import { checkedJson, parsedJson } from './exact-json.ts'
import { byteChunks } from './streams.ts'

/** Event whose fields arrive one by one. */
type Arriving = { -readonly [Name in keyof SentEvent]: SentEvent[Name] }

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
  { framing, isEvent }: Items,
  chunks: Chunks,
  { checker: { problem }, assertFits }: ItemReading & { readonly assertFits: AssertFits }
): AsyncGenerator<Sent> {
  const texts = textsBetween(framing === 'texts' ? '\x1e' : '\n', chunks, assertFits)
  if (framing === 'events') {
    for await (const event of eventsIn(texts, assertFits))
      if (isEvent || event.data !== undefined) yield event
    return
  }
  for await (const text of texts) {
    // Only white space tells the end of a number or a word (RFC 7464, section 2.4).
    if (framing === 'texts' && /\w$/.test(text)) throw problem('body', 'ends within an item')
    if (text.trim() !== '') yield text
  }
}

async function* textsBetween(
  separator: string,
  chunks: Chunks,
  assertFits: AssertFits
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of chunks === null ? [] : byteChunks(chunks)) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split(separator)
    rest += first
    for (const text of others) {
      assertFits(rest.length)
      yield rest
      rest = text
    }
    assertFits(rest.length)
  }
  yield rest + decoder.decode()
}

/** Ignores comments and unknown fields (WHATWG HTML, section 9.2.6). The last event may lack its blank line. */
async function* eventsIn(texts: AsyncIterable<string>, assertFits: AssertFits): AsyncGenerator<SentEvent> {
  let event: Arriving = {}
  const isEmpty = () => Object.keys(event).length === 0
  for await (const text of texts)
    for (const line of text.replace(/\r$/, '').split('\r')) {
      if (line !== '') {
        addField(event, line)
        assertFits(event.data?.length ?? 0)
      } else if (!isEmpty()) {
        yield event
        event = {}
      }
    }
  if (!isEmpty()) yield event
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
      try {
        return checkedJson(jsonOf(form, each, { items, place, checker }), { ...form, place }, checker)
      } catch (error) {
        failure ??= error
      }
    }
  throw failure
}

interface Placed {
  readonly items: Items
  readonly place: string
  readonly checker: Checker
}

function jsonOf(
  { isText }: ItemForm,
  sent: Sent | NumberedEvent,
  { items, place, checker }: Placed
): ExactJson {
  const event = typeof sent === 'string' ? { data: sent } : sent
  const { data: text } = event
  const isRead = isText || text === undefined
  const json = isRead ? { value: text, exactness: undefined, root: {} } : parsedJson(text, place, checker)
  return items.isEvent ? inEvent(event, json) : json
}
