/** Bodies of sequential media types (OpenAPI 3.2.0, section 4.14.3): items to text, and text to items. */
import { isObject } from '@contract-first/contract'
import { framingOf } from '@contract-first/engine/media-types'
import type { ItemForm, Items, Operation } from '@contract-first/engine/model'
import { itemText, Unsendable } from '@contract-first/engine/steps'
import { exactDocument } from '../schemas.ts'

/** Returns whether a success may be a stream, which can be silent for any time. */
export const opensStream = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) =>
      /^(?:2|default)/.test(status) && content.some(({ mediaType }) => framingOf(mediaType) !== undefined)
  )

/** @throws {Unsendable} for a value that is not a list, and for an item that the media type cannot carry */
export function sequenceText(items: Items, value: unknown): string {
  if (!Array.isArray(value)) throw new Unsendable('a sequence is a list of items')
  return value.map((item) => framed(items, item)).join('')
}

/** Returns whether the media type can carry the item. */
export function isSendable(items: Items, item: unknown): boolean {
  try {
    framed(items, item)
    return true
  } catch {
    return false
  }
}

/** Returns the items of an example: a list, a text in the media type, or a single item. */
export function exampleItems(items: Items, example: unknown): readonly unknown[] {
  const value = typeof example === 'string' ? itemsIn(items, example) : example
  return Array.isArray(value) ? value : [value]
}

/** Returns the items of a text, integers exact; the text itself where it is not a sequence. */
function itemsIn(items: Items, text: string): unknown {
  const read = readSequence(items, text)
  if (read.flaw !== undefined) return text
  try {
    return read.items.map(([first]) => exactDocument(String(first?.json)))
  } catch {
    return text
  }
}

function framed(items: Items, item: unknown): string {
  if (items.isEvent === true && !isObject(item)) throw new Unsendable('an event is an object')
  return itemText(items, item)
}

/** JSON text that an item may be, and the form that it then has. */
export interface ItemReading {
  readonly form: ItemForm
  readonly json: string
}

export interface ReadSequence {
  /** The possible readings of each item. */
  readonly items: readonly (readonly ItemReading[])[]
  /** Predicate about the text after these items: `ends within an event`. */
  readonly flaw?: string
}

/** @param isWhole false for the beginning of a body, whose last item is left out */
export function readSequence(items: Items, text: string, isWhole = true): ReadSequence {
  if (items.framing === 'events') return readEvents(items, text, isWhole)
  return items.framing === 'lines' ? readLines(items, text, isWhole) : readTexts(items, text, isWhole)
}

const inEachForm = ({ forms }: Items, json: string): ItemReading[] => forms.map((form) => ({ form, json }))

function readLines(items: Items, text: string, isWhole: boolean): ReadSequence {
  const lines = text.split('\n').slice(0, isWhole ? undefined : -1)
  return { items: lines.filter((line) => line.trim() !== '').map((line) => inEachForm(items, line)) }
}

/** Reads RFC 7464: each text has a record separator before it, and a line feed after it. */
function readTexts(items: Items, text: string, isWhole: boolean): ReadSequence {
  const [before = '', ...texts] = text.split('\x1e')
  if (before.trim() !== '') return { items: [], flaw: 'does not begin with a record separator' }
  const read = texts.slice(0, isWhole ? undefined : -1).filter((each) => each.trim() !== '')
  const open = read.findIndex((each) => !each.endsWith('\n'))
  const closed = open < 0 ? read : read.slice(0, open)
  return {
    items: closed.map((each) => inEachForm(items, each)),
    ...(open >= 0 && { flaw: 'has an item without a line feed at its end' })
  }
}

const field = /^(data|event|id|retry)(?:: ?(.*))?$/s

/** Reads WHATWG HTML, section 9.2.6, and refuses the unknown fields that browsers ignore. */
function readEvents(items: Items, text: string, isWhole: boolean): ReadSequence {
  const found: ItemReading[][] = []
  let fields = new Map<string, string>()
  const lines = text.split(/\r\n|\r|\n/)
  if (!isWhole || lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    const [, name, value = ''] = field.exec(line) ?? []
    if (line === '') {
      const readings = eventReadings(items, fields)
      if (readings.length > 0) found.push(readings)
      fields = new Map()
    } else if (name !== undefined) {
      const earlier = name === 'data' ? fields.get(name) : undefined
      fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`)
    } else if (!line.startsWith(':')) return { items: found, flaw: 'has a line that is no field of an event' }
  }
  return { items: found, ...(isWhole && fields.size > 0 && { flaw: 'ends within an event' }) }
}

/** Returns no reading of an event without data, which no reader gets (WHATWG HTML, section 9.2.6). */
function eventReadings({ isEvent, forms }: Items, fields: ReadonlyMap<string, string>): ItemReading[] {
  const data = fields.get('data')
  if (data === undefined) return []
  return forms.flatMap((form) => {
    const json = form.isText === true ? JSON.stringify(data) : data
    if (isEvent !== true || !isJson(json)) return [{ form, json }]
    const [id, retry] = [fields.get('id'), fields.get('retry')]
    const others = [
      `"data":${json}`,
      ...(fields.has('event') ? [`"event":${JSON.stringify(fields.get('event'))}`] : []),
      ...(retry === undefined ? [] : [`"retry":${isInteger(retry) ? retry : JSON.stringify(retry)}`])
    ]
    // The schema decides if an id is a number.
    const ids = id === undefined ? [] : [JSON.stringify(id), ...(isInteger(id) ? [id] : [])]
    const written = ids.length === 0 ? [others] : ids.map((each) => [...others, `"id":${each}`])
    return written.map((members) => ({ form, json: `{${members.join()}}` }))
  })
}

const isInteger = (text: string): boolean => /^-?(?:0|[1-9]\d*)$/.test(text)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
