/** One request and the answer to it. */

import type { Draft } from '../requests/draft.ts'
import type { RawRequest } from '../requests/raw-request.ts'
import { curlLine } from '../transport/curl.ts'
import { isAnswer, type Outcome } from '../transport/http-client.ts'
import type { Deviation, Finding, ReceivedResponse } from './finding.ts'

export interface Exchange {
  /** Draft as it was sent, its ids included. */
  readonly draft: Draft
  readonly raw: RawRequest
  readonly url: string
  readonly outcome: Outcome
}

/** The same request as it would be sent next, with unused ids. */
export type Repeated = Pick<Exchange, 'raw' | 'url'>

/** Most bytes of a body that a report shows. */
const maxShown = 65_536

/** @param repeated the request of the `curl` line */
export function findingOf(
  operation: string,
  { check, message }: Deviation,
  { raw, url, outcome }: Exchange,
  repeated: Repeated = { raw, url }
): Finding {
  const { method, headers, body } = raw
  return {
    check,
    operation,
    message: `${operation} ${message}`,
    request: { method, url, headers, body: body === undefined ? null : shownBytes(body) },
    response: responseOf(outcome),
    curl: curlLine(repeated.raw, repeated.url)
  }
}

function responseOf(outcome: Outcome): ReceivedResponse | null {
  if (!isAnswer(outcome)) return null
  return {
    status: outcome.status,
    headers: outcome.headers,
    body: shownBytes(outcome.body.subarray(0, maxShown))
  }
}

/** Returns UTF-8 as text, other bytes as `base64:…`. */
function shownBytes(bytes: Buffer): string {
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes) && !text.startsWith('base64:')
  return isText ? text : `base64:${bytes.toString('base64')}`
}
