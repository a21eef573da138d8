/**
 * The body of a sequence. Asks for the next item only while the connection takes more. The first item decides the status;
 * after it, or after a first heartbeat, a broken item ends the connection without the end of the body, so that the client
 * can tell.
 */
import type { ServerResponse } from 'node:http'
import { nextTick } from 'node:process'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { isThenable } from '../errors/callbacks.ts'
import { closeUnfinished } from '../transport/connections.ts'
import { http2Stream } from '../transport/request-checks.ts'
import type { UnreadBytes } from '../transport/unread.ts'
import { ItemCursor, type ItemReader, type Sequence } from './item-cursor.ts'
import { nextSlot } from './paced.ts'

/** Response of unknown length. */
export interface OpenStream {
  /**
   * Ends the stream after the item that its iterator is making, at the latest after this time in ms.
   * @returns false for a stream that is over
   */
  readonly stop: (timeout: number) => boolean
}

/** Parts that all streams of a server share. */
export interface Streaming {
  /** Milliseconds of silence before a heartbeat; 0: no heartbeats. */
  readonly heartbeat: number
  readonly open: { readonly addStream: (stream: OpenStream, response: ServerResponse) => void }
  readonly unread: UnreadBytes
}

/** Way of the items to the connection. */
export interface Output {
  readonly reply: FastifyReply
  /** @throws {Error} for an item that is not as declared */
  readonly write: (item: unknown, index: number) => string
  /** Returns what a silent stream sends after this number of items. */
  readonly heartbeatText: (count: number) => string
  /** Sends status and headers, with the stream as body. */
  readonly begin: (stream: Readable) => void
  /** Is called with the error of an iterator or of a broken item. Status and headers are not sent yet if `isFirst`. */
  readonly fail: (error: unknown, at: { readonly index: number; readonly isFirst: boolean }) => void
}

/** Characters of items, and of the work for each, after which other requests have their turn. */
const [maxPerTurn, workOfItem] = [65_536, 256]

/** Bounds of what is asked for ahead of the connection. Items of an iterable that is not async nest their calls. */
const [maxCharacters, maxItems] = [16_384, 64]

/** Texts of the items that an iterator gives in one event-loop turn: one write for all of them costs a fifth. */
class ItemBatch {
  #text = ''
  #count = 0
  readonly #send: (text: string) => void

  /** @param send is called when the iterator waits, and by `flush` */
  constructor(send: (text: string) => void) {
    this.#send = send
  }

  /** @returns true if there is room for another item */
  add(text: string): boolean {
    // Ticks come after all promises that are settled.
    if (this.#count === 0) nextTick(() => this.flush())
    this.#text += text
    this.#count += 1
    return this.#text.length < maxCharacters && this.#count < maxItems
  }

  flush(): void {
    const text = this.#text
    this.drop()
    if (text !== '') this.#send(text)
  }

  drop(): void {
    this.#text = ''
    this.#count = 0
  }
}

export class ItemStream extends Readable {
  readonly #output: Output
  readonly #cursor: ItemCursor
  readonly #countUnread: (bytes: number) => void
  readonly #batch = new ItemBatch((text) => this.#send(text))
  readonly #timers = new Set<NodeJS.Timeout>()
  #heartbeat: NodeJS.Timeout | undefined
  #count = 0
  #spent = 0
  #hasBegun = false
  #isWanted = true
  #isStopping = false

  /** @throws {unknown} what the iterable throws */
  constructor(sequence: Sequence, output: Output, { heartbeat, open, unread }: Streaming) {
    super({ highWaterMark: 0 })
    this.#output = output
    const { raw, log } = output.reply
    this.#cursor = new ItemCursor(sequence, this.#reader(), log)
    this.#countUnread = unread.ofStream(raw)
    raw.once('close', () => this.destroy())
    this.#beat(heartbeat)
    this.#cursor.ask()
    open.addStream(this, raw)
  }

  /** See `OpenStream`. */
  stop(timeout: number): boolean {
    if (this.#isStopping || this.destroyed) return false
    this.#isStopping = true
    const { raw } = this.#output.reply
    const { socket } = raw
    // Headers that were sent announce a connection that is kept. One of HTTP/2 has other streams.
    if (socket !== null && http2Stream(raw.req) === undefined)
      raw.once('finish', () => socket.destroySoon?.())
    this.#timers.add(setTimeout(() => raw.destroy(), 2 * timeout))
    if (this.#cursor.isAsked) this.#timers.add(setTimeout(() => this.#end(), timeout))
    else this.#end()
    return true
  }

  override _read(): void {
    this.#isWanted = true
    this.#countUnread(this.#output.reply.raw.writableLength)
    this.#ask()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#heartbeat)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#batch.drop()
    this.#cursor.close()
    done(error)
  }

  #reader(): ItemReader {
    return {
      onItem: (value) => this.#onItem(value),
      onDone: () => this.#finish(),
      onError: (error) => (this.#isStopping && isAbort(error) ? this.#finish() : this.#fail(error))
    }
  }

  /** Asks for the next item, in a later event-loop turn if the items of this one were many. */
  #ask(): void {
    if (this.#spent < maxPerTurn) this.#cursor.ask()
    else this.#rest()
  }

  #rest(): void {
    nextSlot().then(() => {
      this.#spent = 0
      // The connection may have filled up meanwhile.
      if (this.#isWanted) this.#cursor.ask()
    })
  }

  #onItem(value: unknown): void {
    try {
      const text = this.#output.write(value, this.#count)
      this.#count += 1
      this.#spent += text.length + workOfItem
      this.#take(text)
      if (this.#isStopping) this.#end()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Sends the first item, and one for which the connection has no room, by itself. */
  #take(text: string): void {
    if (!this.#hasBegun || !this.#isWanted) this.#send(text)
    else if (this.#batch.add(text) && !this.#isStopping) this.#ask()
  }

  #send(text: string): void {
    this.#isWanted = false
    this.push(text)
    this.#begin()
    this.#countUnread(this.readableLength + this.#output.reply.raw.writableLength)
    this.#heartbeat?.refresh()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#output.begin(this)
  }

  /** Calls `return` of the iterator, and ends the body: after `return`, unless that waits for the pending `next`. */
  #end(): void {
    const isWaiting = this.#cursor.isAsked
    const returned = this.#cursor.close()
    const finish = () => this.#finish()
    if (isThenable(returned) && !isWaiting) returned.then(finish, finish)
    else finish()
  }

  #finish(): void {
    if (this.destroyed) return
    this.#batch.flush()
    clearTimeout(this.#heartbeat)
    this.push(null)
    this.#begin()
  }

  #fail(error: unknown): void {
    this.#cursor.close()
    this.#batch.flush()
    clearTimeout(this.#heartbeat)
    const at = { index: this.#count, isFirst: !this.#hasBegun }
    if (at.isFirst) this.destroy()
    this.#output.fail(error, at)
    if (!at.isFirst) closeUnfinished(this.#output.reply.raw)
  }

  /** @param silence time in ms; 0: no heartbeats */
  #beat(silence: number): void {
    clearTimeout(this.#heartbeat)
    if (silence > 0) this.#heartbeat = setTimeout(() => this.#onSilence(), silence)
  }

  #onSilence(): void {
    const { reply, heartbeatText } = this.#output
    // Fastify sets the headers before it pipes the body.
    if (!this.#hasBegun) reply.raw.once('pipe', () => reply.raw.flushHeaders())
    const text = heartbeatText(this.#count)
    if (this.#isWanted && text !== '') this.#send(text)
    this.#begin()
    this.#heartbeat?.refresh()
  }
}

const isAbort = (error: unknown): boolean => Object(error).name === 'AbortError'
