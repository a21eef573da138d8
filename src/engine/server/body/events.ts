/** Reads the events of `text/event-stream` (WHATWG HTML, section 9.2.6). */
import { itemTooLarge } from './records.ts'

/** An event as it was sent. */
export interface Event {
  /** Lines of data, joined by line feeds. */
  readonly data?: string
  readonly event?: string
  readonly id?: string
  /** Milliseconds. */
  readonly retry?: number
}

interface Bounds {
  readonly placeOf: () => string
  /** Most bytes of the data of an event. */
  readonly maxItem: number
}

/**
 * Yields the events that have a field. The last one may lack the blank line at its end: what a client has sent is not
 * dropped.
 * @param texts texts between line feeds
 * @throws {FailureError} `body-too-large`
 */
export async function* eventsIn(
  texts: AsyncIterable<string>,
  { placeOf, maxItem }: Bounds
): AsyncGenerator<Event> {
  let event = new ArrivingEvent()
  for await (const text of texts)
    for (const line of text.replace(/\r$/, '').split('\r')) {
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

  complete(): Event {
    return { ...(this.#data.length > 0 && { data: this.#data.join('\n') }), ...this.#fields }
  }
}
