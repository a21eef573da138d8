/** Sends one request, and ends in a bounded time: a handler may never answer, and a stream never ends. */
import { type IncomingMessage, request } from 'node:http'
import { hostOf } from '../conformance/checks/http-client.ts'
import type { RawRequest } from '../instances/requests/raw-request.ts'

export interface Limits {
  /** Time to wait for the status. */
  readonly answerMs: number
  /** Time to read the body; what comes later is left unread. */
  readonly bodyMs: number
  /** Bytes of the body to read. */
  readonly bytes: number
}

/** Status and beginning of the body, or the reason why there is none, which completes a sentence about the operation. */
export type Exchange =
  | { readonly status: number; readonly text: string; readonly contentType: string | undefined }
  | { readonly status?: undefined; readonly text: string; readonly isLate?: true }

/** @param url base URL, to which the target is appended */
export async function exchange(url: string, raw: RawRequest, limits: Limits): Promise<Exchange> {
  const base = new URL(url)
  const { port, pathname } = base
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const late = AbortSignal.timeout(limits.answerMs)
  const sent = request({
    ...{ hostname: hostOf(base), port, method: raw.method, agent: false },
    path: `${pathname.replace(/\/$/, '')}${raw.target}`,
    headers: { ...raw.headers, ...(raw.body && { 'content-length': raw.body.length }) }
  })
  const giveUp = () => resolve({ text: `does not answer within ${limits.answerMs / 1000} s`, isLate: true })
  late.addEventListener('abort', giveUp, { once: true })
  sent.on('error', ({ message }) => resolve({ text: `is not answered: ${message}` }))
  sent.on('response', (response) => resolve(received(response, limits)))
  sent.end(raw.body)
  return promise.finally(() => sent.destroy())
}

async function received(response: IncomingMessage, { bodyMs, bytes }: Limits): Promise<Exchange> {
  const status = Number(response.statusCode)
  const enough = AbortSignal.timeout(bodyMs)
  enough.addEventListener('abort', () => response.destroy(), { once: true })
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length >= bytes) break
    }
  } catch {
    if (!enough.aborted) return { text: `answers ${status}, and breaks off its body` }
  }
  return { status, text, contentType: response.headers['content-type'] }
}
