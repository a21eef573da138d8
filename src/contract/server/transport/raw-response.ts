/** Answers on a bare socket, for requests that never became one, and the end of connections (RFC 9112, section 9.6). */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../errors/failure.ts'

/** The service's failure body; the one function from failure to answer. */
export type Answer = (failure: Failure) => Answered

interface Answered {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

/** As nginx: a client that keeps sending is read for so long, one that is silent for no more than two checks. */
const checkInterval = 1000
const maxChecks = 30
const closing = new WeakSet<Duplex>()

/** Headers that belong to the message, not to the failure. */
const ownHeaders = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])

/** Nothing above catches what is thrown here: a service whose error body fails must not fall to a broken request. */
export function answerTo(failure: Failure, answer: Answer): Answered {
  try {
    return answer(failure)
  } catch {
    return { status: failure.status, headers: {}, body: '' }
  }
}

export function rawAnswer(failure: Failure, answer: Answer): string {
  const { status, headers, body } = answerTo(failure, answer)
  const own = [
    ['Date', new Date().toUTCString()],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close']
  ]
  const lines = [...Object.entries(headers).filter(isFailureHeader).flatMap(linesOf), ...own]
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`
}

function isFailureHeader([name]: [string, unknown]): boolean {
  return !ownHeaders.has(name.toLowerCase())
}

function linesOf([name, value]: [string, string | string[]]): [string, string][] {
  return [value].flat().map((line) => [name, line])
}

/**
 * Sends the last bytes and closes the sending half; what the client still sends is read and thrown away. A socket closed
 * with unread input is reset, and a reset takes the answer with it that the client has not read yet. Nothing of it is
 * parsed any more: after `Connection: close` no further request is served.
 */
export function closeGently(socket: Duplex, lastBytes = ''): void {
  if (closing.has(socket)) return
  closing.add(socket)
  socket.removeAllListeners('data').on('data', ignore).on('error', ignore)
  socket.end(lastBytes)
  let checks = 0
  let seen: unknown
  const timer = setInterval(() => {
    const read: unknown = Reflect.get(socket, 'bytesRead')
    if (read === seen || ++checks > maxChecks) socket.destroy()
    seen = read
  }, checkInterval)
  socket.once('close', () => clearInterval(timer))
}

function ignore(): void {}
