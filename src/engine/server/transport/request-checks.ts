/**
 * Checks the rules of HTTP/1.1 that Node's parser does not check (RFC 9112, sections 2.3, 3.2 and 6.1), and what a client
 * expects: 100 Continue is sent when the body is read; every other expectation is a 417 (RFC 9110, 10.1.1).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { cachedByText } from '../../model/content-type.ts'
import { FailureError } from '../errors/failure.ts'
import { type RenderFailure, renderSafely } from './raw-response.ts'

/** Returns true for uri-host [":" port] (RFC 3986, section 3.2). */
const isHost = cachedByText((text) =>
  /^(?:\[[\da-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})+)(?::\d*)?$/i.test(text)
)

/**
 * Returns undefined for a request that may be served. A refusal closes the connection, because its client may delimit
 * messages differently (request smuggling).
 */
export function refusal(request: IncomingMessage): FailureError | undefined {
  // Node's HTTP/2 server checks the rules of HTTP/2 itself.
  if ((request as Http2Request).stream !== undefined) return undefined
  const { httpVersion, url = '', method, headers } = request
  const { host, 'transfer-encoding': coding } = headers
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return malformed('only HTTP/1.1 and HTTP/1.0 are supported')
  // Section 3.2: no fragment, and an asterisk for OPTIONS only.
  if (url.includes('#')) return malformed('the target has a fragment')
  if (url === '*' && method !== 'OPTIONS') return malformed('the target * is for OPTIONS only')
  // One Host line in HTTP/1.1, at most one in HTTP/1.0.
  if (host === undefined && httpVersion !== '1.0') return malformed('a Host header is required')
  if (host !== undefined && headerLines(request, 'host') > 1)
    return malformed('there is more than one Host header')
  if (host !== undefined && !isHost(host)) return malformed('the Host header is not valid')
  // Node would not decode other transfer codings; HTTP/1.0 has none (section 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return malformed('the transfer coding is not supported')
  return undefined
}

const malformed = (message: string): FailureError =>
  new FailureError('malformed-http', { message, headers: { Connection: 'close' } })

type Http2Request = IncomingMessage & { readonly stream?: ServerHttp2Stream }

/** Returns the stream of a request of Node's HTTP/2 server, which a Fastify of the user may have. */
export const http2Stream = (request: IncomingMessage): ServerHttp2Stream | undefined =>
  (request as Http2Request).stream

/**
 * Returns the number of lines of a header: Node keeps only the first line of some headers, and joins those of others.
 * @param name the name in lower case
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const line = rawHeaders[index]
    if (line !== undefined && line.length === name.length && line.toLowerCase() === name) count++
  }
  return count
}

const expecting = new WeakSet<IncomingMessage>()

/** Serves requests that expect 100-continue like every other one, and marks that their clients wait. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    expecting.add(request)
    server.emit('request', request, response)
  })
}

/**
 * Sends 100 Continue to a client that waits for it; must be called immediately before the body is read. A request that
 * is refused earlier gets its response with `Connection: close` from Node, and its body is never sent.
 */
export function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (expecting.delete(request) && !response.headersSent) response.writeContinue()
}

/** Responds with 417 and closes the connection, because the client may or may not send its body now. */
export function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  render: RenderFailure
): void {
  const { failure } = refusal(request) ?? new FailureError('expectation-failed')
  const { status, headers, body } = renderSafely(failure, render)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  response.end(body)
}
