/** Values of JSON texts, with the numbers that a double does not represent exactly. */
import { type Exactness, exactnessOf } from './inexact-numbers.ts'

export interface ExactJson {
  readonly value: unknown
  /** Numbers whose doubles are inexact; undefined when every double is exact. */
  readonly exactness: Exactness | undefined
  /** `{ '': value }`: the holder that `exactness` lists when the whole text is one number. */
  readonly root: object
}

/**
 * Number literals of 17 characters or more, of 16 from 9 on (2^53 is 9007199254740992), or with an exponent; the double
 * of every other one is exact enough. The first pattern is a cheap pre-check that also matches text in strings.
 */
const suspectText = /\d(?:[eE]|[\d.]{15})/
const suspectNumber = /(?:^|[:,[])\s*-?(?:[\d.]{17}|9[\d.]{15}|\d[\d.]*[eE])/
const noRoot: object = Object.freeze({})

/** @param value what `JSON.parse` returns for the text */
export function exactJson(text: string, value: unknown): ExactJson {
  if (!suspectText.test(text) || !suspectNumber.test(text))
    return { value, exactness: undefined, root: noRoot }
  const root = { '': value }
  return { value, exactness: exactnessOf(text, root), root }
}

/** Returns the integer that a text spells, exact; undefined for any other text, and for more digits than an int64 has. */
function integerIn(text: string | undefined): number | bigint | undefined {
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return undefined
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

/** An event as it was sent. One without data is none (WHATWG HTML, section 9.2.6). */
export interface SentEvent {
  /** Lines of data, joined by line feeds. */
  readonly data: string
  readonly event?: string
  readonly id?: string
  /** Milliseconds. */
  readonly retry?: number
}

/** Event with an id whose schema is that of an integer. */
export interface NumberedEvent extends Omit<SentEvent, 'id'> {
  readonly id: number | bigint
}

/** Returns an item as it may be meant: an id is a text unless the schema refuses that, and it spells an integer. */
export function readingsOf(sent: string | SentEvent): readonly (string | SentEvent | NumberedEvent)[] {
  if (typeof sent === 'string') return [sent]
  const id = integerIn(sent.id)
  return id === undefined ? [sent] : [sent, { ...sent, id }]
}

/** Puts the data into its event. A number that is the whole data is then held by the event. */
export function inEvent(
  { data: _text, ...fields }: SentEvent | NumberedEvent,
  { value, exactness, root }: ExactJson
): ExactJson {
  const event = { data: value, ...fields }
  const inexact = exactness?.get(root)?.['']
  if (inexact !== undefined) exactness?.set(event, { data: inexact })
  return { value: event, exactness, root: { '': event } }
}
