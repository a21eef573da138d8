/** Events of a sequence (WHATWG HTML, section 9.2.6), and their JSON. */
import { inMember, type ParsedJson } from './exact-json.ts'

/** Returns the integer that a text spells, exact; undefined for any other text, and for more digits than an int64 has. */
function integerIn(text: string | undefined): number | bigint | undefined {
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return undefined
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

/** An event as it was sent. One without data is none. */
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

/** Puts the data into its event. */
export const inEvent = (sent: SentEvent | NumberedEvent, data: ParsedJson): ParsedJson =>
  inMember(sent, 'data', data)
