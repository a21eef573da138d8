/**
 * Parses the bytes behind requests with `Upgrade` as if they had none (RFC 9110, section 7.8). Node's parser stops at
 * the end of such a request: Node drops the rest of the chunk, so that the rest of a body would be served as a request,
 * and ignores errors until the headers of the next request.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Parsed, type Parser, parserOf } from './node-internals.ts'
import { isOn } from './protections.ts'

type Hooks = Required<Pick<Parser, 'execute' | 'getCurrentBuffer'>> & {
  readonly onExecute: (parsed: Parsed) => void
}

const noBytes = Buffer.alloc(0)
/** A request that clears the parser's flag `upgrade`; it is not served. */
const emptyRequest = Buffer.from('GET / HTTP/1.1\r\n\r\n')

export class IgnoredUpgrades {
  readonly #socket: Socket
  readonly #parser: Parser
  readonly #hooks: Hooks
  /** Request at whose end the parser stops. */
  #latest: IncomingMessage | undefined
  #unparsed: Buffer = noBytes

  /** @returns undefined where Node lacks a hook, or its parser does not read from the socket itself */
  static on(socket: Socket): IgnoredUpgrades | undefined {
    if (!isOn('upgrades')) return undefined
    const parser = parserOf(socket) ?? undefined
    const hooks = parser && hooksOf(parser)
    return parser && hooks && new IgnoredUpgrades(socket, parser, hooks)
  }

  private constructor(socket: Socket, parser: Parser, hooks: Hooks) {
    this.#socket = socket
    this.#parser = parser
    this.#hooks = hooks
    parser[kOnExecute(parser)] = (parsed) => {
      this.#unparsed = this.#conclude(hooks.getCurrentBuffer(), parsed)
      this.parseRest()
    }
  }

  /** Must be called with each request that has `Upgrade`, when its headers are parsed. */
  expect(request: IncomingMessage): void {
    this.#latest = request
  }

  /** Parses the bytes that are left, unless the connection is paused: the caller repeats this when it is resumed. */
  parseRest(): void {
    // Node gives the parser of a closed connection to another one.
    while (this.#unparsed.length > 0 && !this.#socket.isPaused() && parserOf(this.#socket) === this.#parser)
      this.#unparsed = this.#conclude(this.#unparsed, this.#hooks.execute(this.#unparsed))
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
    this.#hooks.onExecute(isBroken ? ignoredError() : parsed)
    return isComplete === true ? unparsed : noBytes
  }

  #clearUpgrade(): void {
    const { onIncoming } = this.#parser
    this.#latest = undefined
    this.#parser.onIncoming = () => 0
    this.#hooks.execute(emptyRequest)
    Object.assign(this.#parser, { onIncoming })
  }
}

const kOnExecute = (parser: Parser): number => parser.constructor.kOnExecute ?? -1

function hooksOf(parser: Parser): Hooks | undefined {
  const onExecute = parser[kOnExecute(parser)]
  const execute = parser.execute?.bind(parser)
  const getCurrentBuffer = parser.getCurrentBuffer?.bind(parser)
  if (!(parser._consumed && onExecute && execute && getCurrentBuffer)) return undefined
  return { onExecute, execute, getCurrentBuffer }
}

/** Returns the error of a malformed body, which Node ignores in a request with `Upgrade`. */
function ignoredError(): Error {
  return Object.assign(new Error('Parse Error'), { code: 'HPE_USER', reason: 'Invalid body' })
}
