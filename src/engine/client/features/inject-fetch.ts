/** A `fetch` that a Fastify instance answers, without a port. */
import type { Duplex } from 'node:stream'
import { bodiless } from '../../model/compiled-contract.ts'
import type { Fetch } from '../create-client.ts'
import { byteStream } from './streams.ts'

/** Members of a Fastify instance that are called. */
export interface Injectable {
  inject(options: object): Promise<Injected>
  /** Path below which a service serves its contract. */
  readonly basePath?: string
}

interface Injected {
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  stream(): AsyncIterable<Uint8Array>
}

/**
 * @param app its `basePath`, if it has one, precedes a path that does not begin with it, so that the client needs no `baseUrl`
 * @returns a `fetch` for tests, in Node; the host of a URL is ignored
 */
export function injectFetch(app: Injectable): Fetch {
  return async (url, { method = 'GET', headers, body: payload, signal }) => {
    const { pathname, search } = new URL(url, 'http://localhost')
    const { basePath = '' } = app
    const path = `${pathname}/`.startsWith(`${basePath}/`) ? pathname : basePath + pathname
    const leaving = new AbortController()
    const aborted = AbortSignal.any([leaving.signal, ...(signal ? [signal] : [])])
    aborted.throwIfAborted()
    const sent = await messageOf(new Headers(headers), payload)
    const options = {
      method,
      url: path + search,
      payloadAsStream: true,
      signal: aborted,
      ...sent
    }
    const response = await unlessAborted(app.inject(options), aborted)
    const { statusCode: status, statusMessage: statusText } = response
    const isEmpty = bodiless.has(status) || method === 'HEAD'
    const received = headersOf(response)
    const codings = received.get('content-encoding') ?? ''
    const chunks = () => decoded(leavable(response.stream(), leaving), codings)
    const stream = isEmpty ? null : byteStream(chunks(), () => leaving.abort())
    return new Response(stream, { status, statusText, headers: received })
  }
}

async function messageOf(headers: Headers, body: RequestInit['body']): Promise<object> {
  const message = new Response(body ?? null)
  const type = message.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  const isStream = body instanceof ReadableStream
  if (isStream) headers.set('transfer-encoding', 'chunked')
  // Without an import, because browsers load this file, too.
  const nodeStreamOf = () => {
    const { getBuiltinModule } = globalThis.process
    return getBuiltinModule('node:stream').Readable.fromWeb(body as never)
  }
  const payload = isStream ? nodeStreamOf() : Buffer.from(await message.arrayBuffer())
  return { headers: Object.fromEntries(headers), ...(message.body !== null && { payload }) }
}

function unlessAborted<T>(response: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([response, promise])
}

/** Ends the request when its reader stops early, as a closed connection does. */
async function* leavable(
  stream: AsyncIterable<Uint8Array>,
  leaving: AbortController
): AsyncGenerator<Uint8Array> {
  let isWhole = false
  try {
    yield* stream
    isWhole = true
  } finally {
    if (!isWhole) leaving.abort()
  }
}

/** Content codings that `fetch` decodes (RFC 9110, section 8.4.1, RFC 7932, RFC 8878), and the functions of node:zlib. */
const decoders: ReadonlyMap<
  string,
  'createGunzip' | 'createInflate' | 'createBrotliDecompress' | 'createZstdDecompress'
> = new Map([
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
  ['zstd', 'createZstdDecompress']
])

/**
 * Decodes a body as the `fetch` of Node does: the last coding first, and nothing of a body with an unknown coding.
 * @param codings value of Content-Encoding, which stays in the response
 */
function decoded(chunks: AsyncIterable<Uint8Array>, codings: string): AsyncIterable<Uint8Array> {
  const makers = codings.split(',').map((coding) => decoders.get(coding.trim().toLowerCase()))
  if (makers.includes(undefined)) return chunks
  const { getBuiltinModule } = globalThis.process
  const zlib = getBuiltinModule('node:zlib')
  const { pipeline } = getBuiltinModule('node:stream')
  const streams = makers.toReversed().map((maker) => zlib[maker as 'createGunzip']())
  // The reader of the last stream gets the error.
  return pipeline([chunks, ...streams], () => undefined) as Duplex
}

function headersOf({ headers }: Injected): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const line of [value].flat()) if (line !== undefined) result.append(name, String(line))
  return result
}
