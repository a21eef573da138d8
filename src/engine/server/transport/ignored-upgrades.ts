/**
 * Parses the bytes behind requests with `Upgrade` as if they had none (RFC 9110, section 7.8). Node's parser stops at
 * the end of such a request: Node drops the rest of the chunk, so that the rest of a body would be served as a request,
 * and ignores errors until the headers of the next request.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Parsed, type Parser, parserOf } from './node-internals.ts'
import { isOn } from './protections.ts'

const noBytes = Buffer.alloc(0)
/** A request that clears the parser's flag `upgrade`; it is not served. */
const emptyRequest = Buffer.from('GET / HTTP/1.1\r\n\r\n')

export class IgnoredUpgrades {
  readonly #socket: Socket
  readonly #parser: Parser
  readonly #onExecute: ((parsed: Parsed) => void) | undefined
  /** Request at whose end the parser stops. */
  #latest: IncomingMessage | undefined
  #unparsed: Buffer = noBytes
  #watchesEnd = false

  /** @returns undefined where Node lacks a part, or its parser does not read from the socket itself */
  static on(socket: Socket): IgnoredUpgrades | undefined {
    const parser = parserOf(socket)
    return parser?._consumed && isOn('upgrades') ? new IgnoredUpgrades(socket, parser) : undefined
  }

  private constructor(socket: Socket, parser: Parser) {
    const { kOnExecute } = parser.constructor
    this.#socket = socket
    this.#parser = parser
    this.#onExecute = parser[kOnExecute]
    parser[kOnExecute] = (parsed) => {
      this.#unparsed = this.#conclude(parser.getCurrentBuffer(), parsed)
      this.parseRest()
    }
  }

  /** Must be called with each request that has `Upgrade`, when its headers are parsed. */
  expect(request: IncomingMessage): void {
    this.#latest = request
    if (this.#watchesEnd) return
    this.#watchesEnd = true
    this.#socket.on('end', () => {
      if (this.#latest?.complete === false) this.#onExecute?.(ignoredError('Invalid EOF state'))
    })
  }

  /** Parses the bytes that are left, unless the connection is paused: the caller repeats this when it is resumed. */
  parseRest(): void {
    // Node gives the parser of a closed connection to another one.
    while (this.#unparsed.length > 0 && !this.#socket.isPaused() && parserOf(this.#socket) === this.#parser)
      this.#unparsed = this.#conclude(this.#unparsed, this.#parser.execute(this.#unparsed))
  }

  /**
   * Concludes the parsing of a chunk as Node does, and returns the bytes that are left of it. Bytes behind a CONNECT are
   * not HTTP: the parser would consume none of them.
   */
  #conclude(chunk: Buffer, parsed: Parsed): Buffer {
    const isComplete = this.#latest?.complete
    const unparsed = typeof parsed === 'number' ? chunk.subarray(parsed) : noBytes
    const isBroken = isComplete === false && unparsed.length > 0
    if (isComplete === true) this.#clearUpgrade()
    this.#onExecute?.(isBroken ? ignoredError('Invalid body') : parsed)
    return isComplete === true ? unparsed : noBytes
  }

  #clearUpgrade(): void {
    const { onIncoming } = this.#parser
    this.#latest = undefined
    this.#parser.onIncoming = () => 0
    this.#parser.execute(emptyRequest)
    this.#parser.onIncoming = onIncoming
  }
}

/** Returns the error of a malformed or incomplete body, which Node ignores in a request with `Upgrade`. */
function ignoredError(reason: string): Error {
  return Object.assign(new Error('Parse Error'), { code: 'HPE_USER', reason })
}
