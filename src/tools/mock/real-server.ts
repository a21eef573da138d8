/**
 * Asks a real server for what it has (`--proxy`). The bytes of requests and answers pass as they are; the checks look on,
 * and say where an answer breaks the contract.
 */
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { getBuiltinModule } from 'node:process'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { bodiless, type CompiledCode } from '@contract-first/engine/model'
import { isLoopback } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkResponse } from '../conformance/check-response.ts'
import { hostOf, isStream, maxKept, responseOf } from '../conformance/http-client.ts'
import type { Subject } from '../samples/requests/draft.ts'

/** An import of node:http would load the fetch client, a tenth of a second of every start. */
const http = getBuiltinModule('node:http')

/** Answer as the real server sends it. */
interface Sent {
  readonly response: IncomingMessage
  readonly body: Readable
  /** Sentences about what breaks the contract. */
  readonly mismatches: readonly string[]
}

type Field = readonly [name: string, value: string]

/** Header that says where an answer breaks the contract. */
export const mismatchHeader = 'contract-mismatch'

/** Statuses of a server that lacks an operation. */
const missing = new Set([404, 405, 501])

/** Time after which an answer is sent on that has not ended, and is checked when it has. */
const maxWaitMs = 1_000

/** Headers of one connection (RFC 9110, section 7.6.1). */
const ofConnection = 'connection keep-alive proxy-connection transfer-encoding te trailer upgrade'.split(' ')

/** Headers that a request has anew: its target is another one, and its body is read already. */
const ofTarget = ['host', 'expect', 'content-length', 'proxy-authorization']

/** Returns true for a request of a page that neither this mock nor another server of this machine has sent. */
export function isForeign({ headers: { origin }, host }: FastifyRequest): boolean {
  if (origin === undefined) return false
  const page = URL.parse(origin)
  return page === null || (page.host !== host.toLowerCase() && !isLoopback(page.hostname))
}

interface Served {
  readonly code: CompiledCode
  /** Path of the mock before those of the contract. */
  readonly basePath: string
  readonly onWarning: (warning: string) => void
}

export class RealServer {
  readonly #url: URL
  readonly #served: Served
  readonly #bodies = new WeakMap<FastifyRequest, Buffer[]>()
  readonly #sent = new WeakMap<FastifyRequest, Sent>()

  constructor(url: string, served: Served) {
    this.#url = new URL(url)
    this.#served = served
  }

  /** Keeps the bytes of requests, and puts answers in place of those of the mock. No hook may change them later. */
  addTo(app: FastifyInstance): void {
    app.addHook('onRequest', async (request: FastifyRequest) => {
      const chunks: Buffer[] = []
      this.#bodies.set(request, chunks)
      // Unlike `on`, this does not start the stream, which the operation reads.
      request.raw.prependListener('data', (chunk: Buffer) => chunks.push(chunk))
    })
    app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload) => {
      const sent = this.#sent.get(request)
      return sent === undefined ? payload : sendOn(sent, request, reply)
    })
  }

  /**
   * Asks the real server; its answer is sent in place of any other.
   * @param request its body is read
   * @param signal is aborted when the client leaves
   * @returns false where it is down, or lacks the operation
   */
  async answers(subject: Subject, request: FastifyRequest, signal: AbortSignal): Promise<boolean> {
    const { code, onWarning } = this.#served
    const warn = (text: string) => onWarning(`${this.#shownUrl}: ${text}`)
    try {
      const response = await this.#ask(request, signal)
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length <= maxKept) chunks.push(chunk)
      })
      const body = pipeline(response, new PassThrough({ highWaterMark: maxKept }), () => undefined)
      const check = (isWhole: boolean) =>
        checkResponse(subject, responseOf(response, chunks, isWhole && length <= maxKept), code).map(
          ({ message }) => `${subject.operation.operationId} ${message}`
        )
      const ended = finished(response, { writable: false })
      const isEnded = await Promise.race([
        ended.then(() => true),
        setTimeout(isStream(response) ? 0 : maxWaitMs, false, { ref: false })
      ])
      const mismatches = check(isEnded)
      if (mismatches.length > 0 && missing.has(Number(response.statusCode))) {
        response.destroy()
        return false
      }
      for (const each of mismatches) warn(each)
      if (!isEnded)
        ended.then(
          () =>
            check(true)
              .filter((each) => !mismatches.includes(each))
              .forEach(warn),
          () => undefined
        )
      this.#sent.set(request, { response, body, mismatches })
      return true
    } catch (error) {
      warn(reasonOf(error))
      return false
    }
  }

  get #shownUrl(): string {
    return this.#url.href.replace(/\/$/, '')
  }

  #ask(request: FastifyRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const { protocol, port, host } = this.#url
    const body = Buffer.concat(this.#bodies.get(request) ?? [])
    const headers: Field[] = [['Host', host], ...requestHeaders(request)]
    if (hasBody(request)) headers.push(['Content-Length', String(body.length)])
    const options = {
      method: request.method,
      hostname: hostOf(this.#url),
      ...(port !== '' && { port }),
      path: this.#pathOf(String(request.raw.url)),
      headers: headers.flat(),
      // An idle connection may be closed just when a request is sent.
      agent: false as const,
      signal
    }
    const sent = (protocol === 'https:' ? https : http).request(options, resolve)
    // A server that switches protocols closes the connection without an error.
    sent.on('error', reject).on('close', () => reject(new Error('the connection ended without an answer')))
    sent.end(body)
    return promise
  }

  /** Replaces the path of the mock by that of the real server; what follows stays byte for byte. */
  #pathOf(target: string): string {
    const levels = this.#served.basePath.split('/').filter((name) => name !== '').length
    const own = target.replace(/^https?:\/\/[^/?]*/i, '').replace(new RegExp(`^(?:/[^/?]*){${levels}}`), '')
    return `${this.#url.pathname.replace(/\/$/, '')}${own}` || '/'
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Returns the headers of a request without those of the connection and those that only its user may send. */
function requestHeaders(request: FastifyRequest): Field[] {
  const isWithheld = (name: string, value: string) =>
    name === 'cookie' ||
    // A page of another origin knows a token, but not what a browser adds to its request.
    (name === 'authorization' && !/^bearer /i.test(value))
  return fieldsOf(request.raw).filter(([written, value]) => {
    const name = written.toLowerCase()
    return !ofTarget.includes(name) && !(isForeign(request) && isWithheld(name, value))
  })
}

/** Returns the headers as they were sent, without those of the connection. */
function fieldsOf({ rawHeaders, headers }: IncomingMessage): Field[] {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  const dropped = new Set([...ofConnection, ...named])
  const fields = rawHeaders.flatMap((name, index): Field[] =>
    index % 2 === 0 ? [[name, String(rawHeaders[index + 1])]] : []
  )
  return fields.filter(([name]) => !dropped.has(name.toLowerCase()))
}

/** Replaces the head of a reply; which page may read it is decided by the mock, which answers preflights. */
function sendOn({ response, body, mismatches }: Sent, { method }: FastifyRequest, reply: FastifyReply) {
  const isOfMock = (name: string) => /^(access-control-|vary$)/.test(name)
  for (const name of Object.keys(reply.getHeaders())) if (!isOfMock(name)) reply.removeHeader(name)
  const status = Number(response.statusCode)
  reply.code(status)
  reply.raw.statusMessage = String(response.statusMessage)
  // The engine, Fastify and the body each wait for its end, together more than ten times.
  reply.raw.setMaxListeners(20)
  for (const [written, value] of fieldsOf(response)) {
    const name = written.toLowerCase()
    const before = reply.getHeader(name)
    // Fastify keeps several values of Set-Cookie alone.
    const values = before === undefined || name === 'set-cookie' ? value : [before, value].flat().map(String)
    if (!name.startsWith('access-control-')) reply.header(name, values)
  }
  if (mismatches.length > 0) reply.header(mismatchHeader, asciiOf(mismatches.join('; ')))
  return method === 'HEAD' || bodiless.has(status) ? null : body
}

const asciiOf = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?')

function reasonOf(error: unknown): string {
  const { message, code } = Object(error)
  return [message, code].filter((part) => part !== undefined && part !== '').join(': ')
}
