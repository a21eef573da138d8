/** One request and the answer to it. */

import type { Draft } from '../../instances/requests/draft.ts'
import type { RawRequest } from '../../instances/requests/raw-request.ts'
import { curlLine } from './curl.ts'
import type { Deviation, Finding, ReceivedResponse } from './finding.ts'
import { isAnswer, type Outcome } from './http-client.ts'
import type { Secrets } from './secrets.ts'

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

interface Shown {
  readonly exchange: Exchange
  /** The request of the `curl` line; by default that of the exchange. */
  readonly repeated?: Repeated | undefined
  readonly secrets: Secrets
}

/** Returns the finding without the credentials of the request. */
export function findingOf(
  operation: string,
  { check, message }: Deviation,
  { exchange, repeated = exchange, secrets }: Shown
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
  if (!isAnswer(outcome)) return null
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
