/** Reads a response by the contract: status, headers, media type and body are checked. */
import type { Checker, Chunks, ClientFeatures } from '../model/client-operation.ts'
import {
  bodiless,
  declaredResponse,
  type Operation,
  type ResponseContent,
  type ResponseHeader
} from '../model/compiled-contract.ts'
import { contentFor, needed, undeclared } from './request.ts'

export interface Answer {
  readonly status: number
  /** Values of declared headers, texts of others, by lower-case name; `set-cookie` is a list of texts. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Declared media type of the body; undefined without a body. */
  readonly mediaType: string | undefined
}

export interface AnswerBounds {
  /** Largest body in bytes. */
  readonly maxAnswerBytes: number
  /** Longest item of a sequence in characters. */
  readonly maxItemLength: number
}

export interface Reading extends AnswerBounds {
  readonly checker: Checker
  readonly features: ClientFeatures
  /** Receives what is read of a body as a whole. */
  readonly chunks: Uint8Array[]
  /** Makes the error of a broken item, which its reader gets. */
  readonly rejection: (error: unknown) => unknown
}

/** @throws {Problems} */
export async function readResponse(
  operation: Operation,
  response: Response,
  reading: Reading
): Promise<Answer> {
  const { status } = response
  const { problem } = reading.checker
  const declared = declaredResponse(operation, status)
  if (!declared) throw problem('status', undeclared)
  const { content } = declared
  const headers = declaredHeaders(declared.headers, response, reading)
  if (operation.method === 'HEAD' || bodiless.has(status)) return answerOf(response, headers)
  if (content.length === 0) {
    // An error without a declared body may still describe the problem.
    if ((await wholeBody(response, reading)).length > 0 && status < 400) throw problem('body', undeclared)
    return answerOf(response, headers)
  }
  const type = response.headers.get('content-type') ?? ''
  const chosen = contentFor(content, type)
  if (!chosen) throw problem('headers/content-type', `${undeclared}: ${type}`)
  const { mediaType } = chosen
  const kind = mediaType.includes('*') ? needed(reading.features.kindOf)(type) : chosen.kind
  const raw = await rawBody(chosen, kind, response, reading)
  return answerOf(response, headers, bodyOf(chosen, kind, raw, reading), mediaType)
}

/** Reads the undeclared headers when they are asked for: to list them takes as long as all else. */
function answerOf(
  { status, headers }: Response,
  declared: object,
  body?: unknown,
  mediaType?: string
): Answer {
  let all: Answer['headers'] | undefined
  return {
    status,
    get headers() {
      const cookies = headers.getSetCookie()
      all ??= {
        ...Object.fromEntries(headers),
        ...(cookies.length > 0 && { 'set-cookie': cookies }),
        ...declared
      }
      return all
    },
    body,
    mediaType
  }
}

type Kind = ResponseContent['kind']
type RawBody = string | Uint8Array | Chunks

async function rawBody(
  { items, stream }: ResponseContent,
  kind: Kind,
  response: Response,
  reading: Reading
): Promise<RawBody> {
  const isText = kind !== 'binary' && kind !== 'multipart'
  if (items || (stream && !isText)) return response.body
  const bytes = await wholeBody(response, reading)
  return isText ? decoded(bytes, kind, response, reading) : bytes
}

/** Decodes a text by its charset; JSON is UTF-8 (RFC 8259, section 8.1). */
function decoded(bytes: Uint8Array, kind: Kind, { headers }: Response, { checker }: Reading): string {
  const [, charset] = /; *charset *= *"?([^ ";]+)/i.exec(headers.get('content-type') ?? '') ?? []
  try {
    return new TextDecoder(kind === 'json' ? undefined : charset).decode(bytes)
  } catch (cause) {
    throw checker.problem('headers/content-type', 'has an unknown charset', cause)
  }
}

/** Bounds of the text of a broken answer, and of the time to wait for it: a stream may be silent. */
const [maxShown, maxShownBytes, maxWaitMs] = [10_000, 40_000, 1_000]

/** Returns the start of the text of an answer that breaks the contract, and leaves the rest. */
export async function shownText(response: Response, reading: Reading): Promise<string> {
  if (!response.bodyUsed)
    await wholeBody(response, { ...reading, maxAnswerBytes: maxShownBytes }, maxWaitMs).catch(() => undefined)
  const bytes = joined(reading.chunks).subarray(0, maxShownBytes)
  try {
    return decoded(bytes, 'text', response, reading).slice(0, maxShown)
  } catch {
    return decoded(bytes, 'json', response, reading).slice(0, maxShown)
  }
}

/**
 * @param waitMs time after which the rest is left
 * @throws {Problems} for a body that is larger than allowed; the rest of it is not read
 */
async function wholeBody(
  response: Response,
  { checker, maxAnswerBytes, chunks }: Reading,
  waitMs?: number
): Promise<Uint8Array> {
  // React Native has no streams.
  if (!response.body) {
    chunks.push(new Uint8Array(await response.arrayBuffer()))
    return joined(chunks)
  }
  let length = 0
  const reader = response.body.getReader()
  const cancel = () => reader.cancel().catch(() => undefined)
  // A cancelled stream ends.
  const timer = waitMs && setTimeout(cancel, waitMs)
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    chunks.push(next.value)
    if (length <= maxAnswerBytes) continue
    clearTimeout(timer)
    await cancel()
    throw checker.problem('body', `is larger than ${maxAnswerBytes} bytes`)
  }
  clearTimeout(timer)
  return joined(chunks)
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function bodyOf(
  { items, int64, validate }: ResponseContent,
  kind: Kind,
  raw: RawBody,
  reading: Reading
): unknown {
  const { checker, features } = reading
  if (items) return needed(features.readItems)(items, raw as Chunks, reading)
  if (typeof raw !== 'string') return raw
  if (int64) return needed(features.exactJson)(raw, { validate, int64, place: 'body', kind }, checker)
  const value = kind === 'json' ? parsed(raw, checker) : raw
  if (kind === 'json' || kind === 'text') checker.check(validate, value, 'body')
  return value
}

function parsed(text: string, { problem }: Checker): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw problem('body', 'is not valid JSON', cause)
  }
}

function declaredHeaders(
  declared: readonly ResponseHeader[],
  { headers }: Response,
  { checker, features }: Reading
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const header of declared) {
    const { name, required, validate } = header
    const text = headers.get(name)
    const lines = name === 'set-cookie' ? headers.getSetCookie() : []
    const isList = header.json || header.shape?.items || header.shape?.prefixItems
    if (text === null) {
      if (required) throw checker.problem(`headers/${name}`, 'is required')
    } else if (lines.length > 1 && !isList) {
      // Cookies cannot be joined (RFC 6265, section 3).
      for (const line of lines) checker.check(validate, line, `headers/${name}`)
      values[name] = lines
    } else if (header.shape || header.json)
      values[name] = needed(features.header)(header, text, checker, headers.getSetCookie())
    else {
      checker.check(validate, text, `headers/${name}`)
      values[name] = text
    }
  }
  return values
}
