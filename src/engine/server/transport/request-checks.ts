/** Checks the rules of HTTP/1.1 that Node's parser does not check (RFC 9112, sections 2.3, 3.2 and 6.1). */
import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { FailureError } from '../errors/failure.ts'

/** Syntax of uri-host [":" port] (RFC 3986, section 3.2). */
const validHost = /^(?:\[[\da-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})+)(?::\d*)?$/i

/**
 * Returns undefined for a request that may be served. A refusal closes the connection, because its client may delimit
 * messages differently (request smuggling).
 */
export function refusal(request: IncomingMessage): FailureError | undefined {
  // Node's HTTP/2 server checks the rules of HTTP/2 itself.
  if (http2Stream(request) !== undefined) return undefined
  const reason =
    versionProblem(request) ?? targetProblem(request) ?? hostProblem(request) ?? framingProblem(request)
  if (reason === undefined) return undefined
  return new FailureError('malformed-http', { message: reason, headers: { Connection: 'close' } })
}

type Http2Request = IncomingMessage & { readonly stream?: ServerHttp2Stream }

/** Returns the stream of a request of Node's HTTP/2 server, which a Fastify of the user may have. */
export const http2Stream = (request: IncomingMessage): ServerHttp2Stream | undefined =>
  (request as Http2Request).stream

function versionProblem({ httpVersion }: IncomingMessage): string | undefined {
  const isServed = httpVersion === '1.1' || httpVersion === '1.0'
  return isServed ? undefined : 'only HTTP/1.1 and HTTP/1.0 are supported'
}

/** Refuses a fragment, and an asterisk except for OPTIONS (RFC 9112, section 3.2). */
function targetProblem({ url = '', method }: IncomingMessage): string | undefined {
  if (url.includes('#')) return 'the target has a fragment'
  return url === '*' && method !== 'OPTIONS' ? 'the target * is for OPTIONS only' : undefined
}

/** Requires one Host line in HTTP/1.1, allows one in HTTP/1.0. */
function hostProblem(request: IncomingMessage): string | undefined {
  const { host } = request.headers
  if (host === undefined) return request.httpVersion === '1.0' ? undefined : 'a Host header is required'
  if (headerLines(request, 'host') > 1) return 'there is more than one Host header'
  return validHost.test(host) ? undefined : 'the Host header is not valid'
}

/** Refuses every transfer coding but chunked, which Node would not decode, and all of them in HTTP/1.0. */
function framingProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  const isChunked = coding.toLowerCase() === 'chunked' && httpVersion === '1.1'
  return isChunked ? undefined : 'the transfer coding is not supported'
}

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
