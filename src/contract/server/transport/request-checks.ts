/** Checks the rules of HTTP/1.1 that the parser leaves to the server (RFC 9112, sections 2.3, 3.2 and 6.1). */
import type { IncomingMessage } from 'node:http'
import { FailureError } from '../errors/failure.ts'

/** uri-host [":" port] of RFC 3986, section 3.2. */
const validHost = /^(?:\[[\da-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})+)(?::\d*)?$/i

/**
 * Returns undefined for a request that may be served. The connection closes after a refusal, because its sender may
 * place the borders between messages elsewhere (request smuggling).
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

/** A target has no fragment, and the asterisk stands for the server itself (RFC 9112, section 3.2). */
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

/** Any coding but chunked would reach the handler undecoded; HTTP/1.0 has no transfer codings. */
function framingProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  const isChunked = coding.toLowerCase() === 'chunked' && httpVersion === '1.1'
  return isChunked ? undefined : 'the transfer coding is not supported'
}
