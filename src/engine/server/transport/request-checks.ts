/** Checks the rules of HTTP/1.1 that Node's parser does not check (RFC 9112, sections 2.3, 3.2 and 6.1). */
import type { IncomingMessage } from 'node:http'
import { FailureError } from '../errors/failure.ts'

/** Syntax of uri-host [":" port] (RFC 3986, section 3.2). */
const validHost = /^(?:\[[\da-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})+)(?::\d*)?$/i

/**
 * Returns undefined for a request that may be served. A refusal closes the connection, because its client may delimit
 * messages differently (request smuggling).
 */
export function refusal(request: IncomingMessage): FailureError | undefined {
  const reason =
    versionProblem(request) ?? targetProblem(request) ?? hostProblem(request) ?? framingProblem(request)
  if (reason === undefined) return undefined
  return new FailureError('malformed-http', { message: reason, headers: { Connection: 'close' } })
}

function versionProblem({ httpVersion }: IncomingMessage): string | undefined {
  return httpVersion === '1.1' || httpVersion === '1.0'
    ? undefined
    : 'only HTTP/1.1 and HTTP/1.0 are supported'
}

/** Refuses a fragment, and an asterisk except for OPTIONS (RFC 9112, section 3.2). */
function targetProblem({ url = '', method }: IncomingMessage): string | undefined {
  if (url.includes('#')) return 'the target has a fragment'
  return url === '*' && method !== 'OPTIONS' ? 'the target * is for OPTIONS only' : undefined
}

/** Requires one Host line in HTTP/1.1, allows one in HTTP/1.0. Node joins or drops others, so raw lines are counted. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  let host: string | undefined
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!isHost(rawHeaders[at])) continue
    host = rawHeaders[at + 1]
    lines++
  }
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'a Host header is required'
  if (lines > 1) return 'there is more than one Host header'
  return validHost.test(host) ? undefined : 'the Host header is not valid'
}

function isHost(name: string | undefined): boolean {
  return name?.length === 4 && name.toLowerCase() === 'host'
}

/** Refuses every transfer coding but chunked, which Node would not decode, and all of them in HTTP/1.0. */
function framingProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  const isChunked = coding.toLowerCase() === 'chunked' && httpVersion === '1.1'
  return isChunked ? undefined : 'the transfer coding is not supported'
}
