/** A `fetch` that a Fastify instance answers, without a port. */
import { bodiless } from '../../model/compiled-contract.ts'
import type { Fetch } from '../client-types.ts'
import { byteStream } from './streams.ts'

/** Members of a Fastify instance that are called. */
export interface Injectable {
  inject(options: object): Promise<Injected>
}

interface Injected {
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  stream(): AsyncIterable<Uint8Array>
}

/** @returns a `fetch` for tests, in Node; the host of a URL is ignored */
export function injectFetch(app: Injectable): Fetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const { pathname, search } = new URL(url, 'http://localhost')
    const leaving = new AbortController()
    const aborted = AbortSignal.any([leaving.signal, ...(signal ? [signal] : [])])
    aborted.throwIfAborted()
    const sent = await messageOf(new Headers(headers), body)
    const options = { method, url: pathname + search, payloadAsStream: true, signal: aborted, ...sent }
    const response = await unlessAborted(app.inject(options), aborted)
    const { statusCode: status, statusMessage: statusText } = response
    const isEmpty = bodiless.has(status) || method === 'HEAD'
    const stream = isEmpty ? null : byteStream(leavable(response.stream(), leaving), () => leaving.abort())
    return new Response(stream, { status, statusText, headers: headersOf(response) })
  }
}

async function messageOf(headers: Headers, body: RequestInit['body']): Promise<object> {
  const message = new Response(body ?? null)
  const type = message.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  const isStream = body instanceof ReadableStream
  if (isStream) headers.set('transfer-encoding', 'chunked')
  const payload = isStream ? nodeStream(body) : Buffer.from(await message.arrayBuffer())
  return { headers: Object.fromEntries(headers), ...(message.body !== null && { payload }) }
}

/** Without an import, because browsers load this file, too. */
function nodeStream(body: ReadableStream): object {
  const { getBuiltinModule } = globalThis.process
  return getBuiltinModule('node:stream').Readable.fromWeb(body as never)
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

function headersOf({ headers }: Injected): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const line of [value].flat()) if (line !== undefined) result.append(name, String(line))
  return result
}
