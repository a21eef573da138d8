/**
 * Findings: deviations of a server from its contract, each with the exchange that shows it, and the command line that
 * sends the same bytes again.
 */

import { isPrintable } from '@contract-first/cli/printable'
import { quote } from '@contract-first/cli/shell'
import type { CoverageReport } from '@contract-first/engine/coverage'
import type { Draft, RawRequest } from '../samples/requests/draft.ts'
import { isResponse, type Outcome } from './http-client.ts'
import type { Secrets } from './secrets.ts'

/** Names of the checks, which are stable; docs/conformance.md explains each. */
export const checks = [
  'server-error',
  'time-out',
  'connection',
  'valid-request-refused',
  'invalid-request-accepted',
  'missing-credentials-accepted',
  'wrong-credentials-accepted',
  'unauthorized-status',
  'undeclared-method',
  'undeclared-status',
  'response-media-type',
  'response-header',
  'response-body',
  'value-changed',
  'created-not-found'
] as const

export type Check = (typeof checks)[number]

/** A deviation of one exchange, before the search for the request that shows it best. */
export interface Deviation {
  readonly check: Check
  /** Distinguishes deviations of one check and operation: `body/name`, a status, a name. */
  readonly place: string
  /** A sentence for people. */
  readonly message: string
}

export const deviation = (check: Check, place: string, message: string): Deviation => ({
  check,
  place,
  message
})

interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Body as text, or `base64:…` for bytes that are not UTF-8; null without a body. */
  readonly body: string | null
}

interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Finding {
  readonly check: Check
  /** Method and path: `POST /pets`. */
  readonly operation: string
  readonly message: string
  readonly request: SentRequest
  /** Response; null when none came. */
  readonly response: ReceivedResponse | null
  /** Command line for a POSIX shell. */
  readonly curl: string
}

export interface Report {
  readonly seed: number
  readonly operations: number
  readonly requests: number
  readonly findings: readonly Finding[]
  /** Parts of the contract that were seen, and those that were not. */
  readonly coverage: CoverageReport
}

export interface Exchange {
  /** Draft as it was sent, its ids included. */
  readonly draft: Draft
  readonly raw: RawRequest
  readonly url: string
  readonly outcome: Outcome
}

/** The same request as it would be sent next, with unused ids. */
export type Repeated = Pick<Exchange, 'raw' | 'url'>

/** Most characters or bytes of a body that a report shows. */
const maxShown = 65_536

/**
 * Returns the finding without the credentials of the request.
 * @param repeated the request of the `curl` line
 */
export function findingOf(
  operation: string,
  { check, message }: Deviation,
  exchange: Exchange,
  secrets: Secrets,
  repeated: Repeated = exchange
): Finding {
  const { raw, url, outcome } = exchange
  const { method, headers, body } = raw
  return {
    check,
    operation,
    message: secrets.hidden(`${operation} ${message}`),
    request: {
      method,
      url: secrets.hidden(url),
      headers: hiddenIn(headers, secrets),
      body: body === undefined ? null : shownBytes(body, secrets)
    },
    response: responseOf(outcome, secrets),
    curl: curlLine(repeated.raw, repeated.url, secrets)
  }
}

function responseOf(outcome: Outcome, secrets: Secrets): ReceivedResponse | null {
  if (!isResponse(outcome)) return null
  return {
    status: outcome.status,
    headers: hiddenIn(outcome.headers, secrets),
    body: shownBytes(outcome.body, secrets)
  }
}

const hiddenIn = (headers: Readonly<Record<string, string>>, secrets: Secrets): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.hidden(value)]))

/** Returns UTF-8 as text, other bytes as `base64:…`. Cuts what is left without credentials: a cut one would be shown. */
function shownBytes(bytes: Buffer, secrets: Secrets): string {
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes) && !text.startsWith('base64:')
  if (isText) return secrets.hidden(text).slice(0, maxShown)
  const others = Buffer.from(secrets.hidden(bytes.toString('latin1')), 'latin1')
  return `base64:${others.subarray(0, maxShown).toString('base64')}`
}

/** Longest argument: common systems refuse longer ones (MAX_ARG_STRLEN of Linux is 131,072 bytes). */
const maxArgument = 100_000

/**
 * Returns the line with shell expressions in place of credentials.
 * @param url complete URL
 */
function curlLine({ method, headers, body }: RawRequest, url: string, secrets: Secrets): string {
  const quoted = (text: string) => quoteParts(secrets.parts(text))
  const shown = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    // A name may contain the credential: X-Camera-Key and "camera".
    value.trim() === '' ? quote(`${name};`) : quoteParts([`${name}: `, ...secrets.parts(value)])
  ])
  const request = requestOptions(method, body !== undefined)
  const line = ['curl', '-i', '-sS', '--path-as-is', '--globoff', ...request, quoted(url), ...shown]
  if (body === undefined) return line.join(' ')
  // curl gives every body the type of a form.
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (!hasType) line.push('-H', quote('Content-Type:'))
  if (body.length > 1000) line.push('-H', quote('Expect:'))
  const text = body.toString()
  // `printf` writes a body with a character that a terminal interprets.
  const isPlain = Buffer.from(text).equals(body) && isPrintable(text) && !text.startsWith('@')
  if (isPlain && body.length <= maxArgument) return [...line, '--data-binary', quoted(text)].join(' ')
  const bytes = Buffer.from(secrets.hidden(body.toString('latin1')), 'latin1')
  return `printf ${quote(octal(bytes))} | ${[...line, '--data-binary', '@-'].join(' ')}`
}

/** `--head` excludes a body; `-X HEAD` would wait for the body that `Content-Length` announces. */
function requestOptions(method: string, hasBody: boolean): string[] {
  if (method !== 'HEAD') return ['-X', method]
  return hasBody ? ['-X', method, '--ignore-content-length', '-H', quote('Connection: close')] : ['--head']
}

/** Quotes texts for a shell, which expands the credentials between them. */
const quoteParts = (parts: ReturnType<Secrets['parts']>): string =>
  parts.map((part) => (typeof part === 'string' ? quote(part) : `"${part.shell}"`)).join('') || quote('')

/**
 * Writes backslash, percent and everything except printable ASCII as octal escapes (POSIX.1-2024, printf); also a hyphen
 * at the start, which begins an option of `printf`, as the first boundary of a multipart body would.
 */
function octal(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(
      /^-|[^ -~]|[\\%]/g,
      (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
    )
}
