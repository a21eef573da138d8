/** Sends requests to the server, one at a time. A missing response is an outcome, not an error. */
import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { getBuiltinModule } from 'node:process'
import zlib from 'node:zlib'
import { framingOf } from '@contract-first/engine/media-types'
import type { RawRequest } from '../samples/requests/draft.ts'

/** An import of node:http would load the fetch client, a tenth of a second of every start. */
const http = getBuiltinModule('node:http')

export interface HttpResponse {
  readonly status: number
  /** Headers by lower-case name; several values of one name are joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** False for a stream that was left, and a body that is longer than `maxKept`, as sent or decoded. */
  readonly isWhole: boolean
}

/** Failure whose reason completes the sentence that begins with `the server`. */
type Failure = { readonly kind: 'time-out' | 'connection'; readonly reason: string }
export type Outcome = HttpResponse | Failure

/** Times to wait: for a whole response, for the first item of a stream, and for another one. */
interface Patience {
  readonly timeoutMs: number
  readonly streamMs: number
  readonly quietMs: number
}

export const isResponse = (outcome: Outcome): outcome is HttpResponse => 'status' in outcome

/** Most bytes of a body to keep, as sent and decoded; the rest is read and dropped. */
export const maxKept = 8_388_608
/** Most bytes of a stream to read. */
const maxStream = 262_144
const maxHeaderSize = 65_536

export class HttpClient {
  readonly #url: URL
  readonly #agent: Agent

  /** @param url base URL, to which the paths of the contract are appended */
  constructor(url: URL) {
    this.#url = url
    const options = { keepAlive: true, maxSockets: 1 }
    this.#agent = url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options)
  }

  urlOf(target: string): string {
    return `${this.#url.origin}${this.#url.pathname.replace(/\/$/, '')}${target}`
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Sends a request, a second time if the server has closed the idle connection meanwhile. */
  async send(raw: RawRequest, patience: Patience): Promise<Outcome> {
    return (await this.#sendOnce(raw, patience)) ?? this.send(raw, patience)
  }

  /** Returns undefined if the server has closed the idle connection. */
  #sendOnce(raw: RawRequest, patience: Patience): Promise<Outcome | undefined> {
    const { timeoutMs } = patience
    const { request } = this.#url.protocol === 'https:' ? https : http
    const { promise, resolve } = Promise.withResolvers<Outcome | undefined>()
    let silence = 'does not answer'
    const sent = request(this.#optionsOf(raw), (response) => {
      silence = `answers ${response.statusCode}, and does not complete the body`
      if (isStream(response)) clearTimeout(timer)
      receive(response, patience).then(resolve, (error) => resolve(failure(error)))
    })
    const timer = setTimeout(() => {
      resolve({ kind: 'time-out', reason: `${silence} within ${timeoutMs / 1000} s` })
      sent.destroy()
    }, timeoutMs)
    sent.on('error', (error) => resolve(sent.reusedSocket && isReset(error) ? undefined : failure(error)))
    sent.end(raw.body)
    return promise.finally(() => clearTimeout(timer))
  }

  #optionsOf({ method, target, headers, body }: RawRequest): RequestOptions {
    const { port, pathname } = this.#url
    const length =
      body === undefined && !['POST', 'PUT', 'PATCH'].includes(method)
        ? {}
        : { 'content-length': String(body?.length ?? 0) }
    return {
      method,
      hostname: hostOf(this.#url),
      ...(port === '' ? {} : { port }),
      path: pathname.replace(/\/$/, '') + target,
      agent: this.#agent,
      maxHeaderSize,
      headers: { ...headers, ...length }
    }
  }
}

/** Returns the host as sockets expect it: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Returns true for a response that is sent item by item. */
export const isStream = ({ headers }: IncomingMessage): boolean =>
  framingOf(String(headers['content-type'])) !== undefined

/** Reads the response: of a stream, which may have no end, its first items. */
async function receive(response: IncomingMessage, { streamMs, quietMs }: Patience): Promise<HttpResponse> {
  const chunks: Buffer[] = []
  const most = isStream(response) ? maxStream : Number.POSITIVE_INFINITY
  const left = new AbortController()
  const leave = () => left.abort()
  const timer = isStream(response) ? setTimeout(leave, streamMs) : undefined
  let quiet: NodeJS.Timeout | undefined
  left.signal.addEventListener('abort', () => response.destroy())
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length <= maxKept) chunks.push(chunk)
      if (length > most) leave()
      clearTimeout(quiet)
      if (isStream(response)) quiet = setTimeout(leave, quietMs)
    }
  } catch (error) {
    if (!left.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    clearTimeout(quiet)
  }
  return responseOf(response, chunks, length <= maxKept && !left.signal.aborted)
}

/** @param isWhole true when the chunks are the whole body as sent */
export function responseOf(
  response: IncomingMessage,
  chunks: readonly Buffer[],
  isWhole: boolean
): HttpResponse {
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')])
  const body = decoded(Buffer.concat(chunks), response.headers['content-encoding'])
  return {
    status: Number(response.statusCode),
    headers: Object.fromEntries(headers),
    body: body ?? Buffer.alloc(0),
    isWhole: isWhole && body !== undefined
  }
}

interface Coding {
  readonly encode: (bytes: Buffer) => Buffer
  readonly decode: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer
}

const gzip: Coding = { encode: zlib.gzipSync, decode: zlib.gunzipSync }
const codings = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { encode: zlib.deflateSync, decode: zlib.inflateSync }],
  ['br', { encode: zlib.brotliCompressSync, decode: zlib.brotliDecompressSync }],
  ['zstd', { encode: zlib.zstdCompressSync, decode: zlib.zstdDecompressSync }]
])

/** Encodes the body in the coding that its headers name, which a contract may require; an unknown one stays as it is. */
export function encoded({ headers, body, ...raw }: RawRequest): RawRequest {
  const coding = codings.get(headers['content-encoding'] ?? '')
  return { ...raw, headers, body: body && (coding?.encode(body) ?? body) }
}

/**
 * Decodes a content coding, which a proxy may add unasked (RFC 9110, section 12.5.3); what is not coded stays as it is.
 * @returns undefined for more than `maxKept` bytes
 */
function decoded(bytes: Buffer, coding = ''): Buffer | undefined {
  try {
    return codings.get(coding)?.decode(bytes, { maxOutputLength: maxKept }) ?? bytes
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE' ? undefined : bytes
  }
}

const isReset = (error: Error): boolean =>
  /ECONNRESET|EPIPE|socket hang up/.test(`${Reflect.get(error, 'code')} ${error.message}`)

function failure(error: Error): Failure {
  const reason = isReset(error)
    ? 'closes the connection before its answer is complete'
    : `gives no HTTP answer: ${Reflect.get(error, 'code')}`
  return { kind: 'connection', reason }
}

/** No server answers at the URL. */
export class NoAnswer extends Error {}

/** @throws {NoAnswer} when no connection can be made within the time-out */
export async function reach(url: URL, timeoutMs = 5000): Promise<void> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: hostOf(url), port, timeout: timeoutMs })
  const fail = (reason: string) => reject(new NoAnswer(`nobody answers at ${url.origin}: ${reason}`))
  socket.on('connect', () => resolve())
  socket.on('timeout', () => fail(`the connection takes longer than ${timeoutMs / 1000} s`))
  socket.on('error', (error) => fail(String(Reflect.get(error, 'code'))))
  await promise.finally(() => socket.destroy())
}
