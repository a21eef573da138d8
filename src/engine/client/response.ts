/** Reads a response by the contract: status, headers, media type and body are checked. */
import type { Checker, Chunks, ClientFeatures } from '../model/client-operation.ts'
import {
  bodiless,
  declaredResponse,
  type Operation,
  type ResponseContent,
  type ResponseHeader
} from '../model/compiled-contract.ts'
import { contentFor, undeclared } from './content-for.ts'
import { needed } from './request-target.ts'

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
  const raw = await rawBody(chosen, { kind, response }, reading)
  return answerOf(response, headers, bodyOf(chosen, { kind, raw }, reading), mediaType)
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
  { kind, response }: { readonly kind: Kind; readonly response: Response },
  reading: Reading
): Promise<RawBody> {
  const isText = kind !== 'binary' && kind !== 'multipart'
  if (items || (stream && !isText)) return response.body
  const bytes = await wholeBody(response, reading)
  return isText ? new TextDecoder().decode(bytes) : bytes
}

/** @throws {Problems} for a body that is larger than allowed; the rest of it is not read */
async function wholeBody(response: Response, { checker, maxAnswerBytes }: Reading): Promise<Uint8Array> {
  // React Native has no streams.
  if (!response.body) return new Uint8Array(await response.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    chunks.push(next.value)
    if (length <= maxAnswerBytes) continue
    await reader.cancel().catch(() => undefined)
    throw checker.problem('body', `is larger than ${maxAnswerBytes} bytes`)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

interface Received {
  readonly kind: Kind
  readonly raw: RawBody
}

function bodyOf(
  { items, int64, validate }: ResponseContent,
  { kind, raw }: Received,
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
    if (text === null) {
      if (required) throw checker.problem(`headers/${name}`, 'is required')
    } else if (header.shape || header.json)
      values[name] = needed(features.header)(header, text, checker, headers.getSetCookie())
    else {
      checker.check(validate, text, `headers/${name}`)
      values[name] = text
    }
  }
  return values
}
