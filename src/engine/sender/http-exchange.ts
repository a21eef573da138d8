/** One request by `node:http`, because `fetch` does not let a caller choose the address of its connection. */

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { bodiless } from '../model/compiled-contract.ts'
import { hostOf } from './target.ts'

export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

interface ExchangeOptions {
  readonly lookup: LookupFunction
  readonly signal: AbortSignal
  /** Largest body of the answer in bytes. */
  readonly maxAnswerBytes: number
}

/** Answer that has arrived and is no answer of HTTP that a caller can have. Another attempt would get the same. */
export class AnswerRefused extends Error {
  override readonly name = 'AnswerRefused'
}

/**
 * Sends a request on a connection of its own. Redirects are answers like any other.
 * @throws {TargetRefused} when the name of the host leads to no allowed address
 * @throws {AnswerRefused}
 */
export async function httpExchange(
  { method, url, headers, body }: OutgoingRequest,
  { lookup, signal, maxAnswerBytes }: ExchangeOptions
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const hasBody = body.length > 0 || !['GET', 'HEAD', 'QUERY', 'OPTIONS'].includes(method)
  const outgoing = send({
    protocol: url.protocol,
    host: hostOf(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      host: url.host,
      ...(hasBody && { 'content-length': String(body.length) })
    },
    lookup,
    signal,
    agent: false
  })
  const fail = (error: unknown) => {
    outgoing.destroy()
    // An aborted signal has the reason: a time-out, or that of the caller.
    reject(signal.aborted ? signal.reason : error)
  }
  // Node closes the connection of an answer that switches protocols without an error.
  const failUnanswered = () => fail(new AnswerRefused('the answer switches to another protocol'))
  outgoing.on('response', (message) => {
    outgoing.off('close', failUnanswered)
    responseOf(message, method, maxAnswerBytes).then(resolve, fail)
  })
  outgoing.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code?.startsWith('HPE_') ? new AnswerRefused('the answer is not HTTP', { cause: error }) : error
    )
  )
  outgoing.on('close', failUnanswered)
  outgoing.end(body)
  return promise
}

async function responseOf(message: IncomingMessage, method: string, maxBytes: number): Promise<Response> {
  const { statusCode: status = 0, rawHeaders } = message
  if (status < 200 || status > 599) throw new AnswerRefused(`the answer has the status ${status}`)
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(String(rawHeaders[index]), String(rawHeaders[index + 1]))
  const isEmpty = method === 'HEAD' || bodiless.has(status)
  const bytes = isEmpty ? await bodyOf(message, maxBytes) : await decodedBody(message, headers, maxBytes)
  return new Response(bodiless.has(status) ? null : bytes, { status, headers })
}

/** Decoders of the codings that receivers send although nobody has asked for them (RFC 9110, section 8.4.1). */
const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress]
])

/** Decodes a body, and removes the headers of the coding. */
async function decodedBody(
  message: IncomingMessage,
  headers: Headers,
  maxBytes: number
): Promise<Uint8Array<ArrayBuffer>> {
  const coding = (headers.get('content-encoding') ?? '').trim().toLowerCase()
  const decoder = decoders.get(coding)?.()
  if (decoder === undefined) return bodyOf(message, maxBytes)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  try {
    return await bodyOf(
      pipeline(message, decoder, () => {}),
      maxBytes
    )
  } catch (error) {
    if (error instanceof AnswerRefused || message.errored) throw error
    throw new AnswerRefused(`the body of the answer is not ${coding}`, { cause: error })
  }
}

/** @throws {AnswerRefused} for a body that is longer */
async function bodyOf(body: Readable, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw new AnswerRefused(`the body of the answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
