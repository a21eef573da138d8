/** Reads a response by the contract: status, headers, media type and body are checked. */
import { mediaTypeMatcher } from '../media-types/content-type.ts'
import type { Checker, ClientFeatures } from '../model/client-operation.ts'
import {
  bodiless,
  declaredResponse,
  type Operation,
  type ResponseContent,
  type ResponseHeader
} from '../model/compiled-contract.ts'
import { needed } from './request-target.ts'

export interface Answer {
  readonly status: number
  /** Values of declared headers, texts of others, by lower-case name; `set-cookie` is a list of texts. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Declared media type of the body; undefined without a body. */
  readonly mediaType: string | undefined
}

export interface Reading {
  readonly checker: Checker
  readonly features: ClientFeatures
  /** Makes the error of a broken item, which its reader gets. */
  readonly rejection: (error: unknown) => unknown
}

const undeclared = 'is not declared'

/** @throws {Problems} */
export async function readResponse(
  operation: Operation,
  response: Response,
  reading: Reading
): Promise<Answer> {
  const { status } = response
  const { problem } = reading.checker
  const declared = declaredResponse(operation, status)
  if (declared === undefined) throw problem('status', undeclared)
  const { content } = declared
  const headers = declaredHeaders(declared.headers, response, reading)
  if (operation.method === 'HEAD' || bodiless.has(status)) return answerOf(response, headers)
  if (content.length === 0) {
    // An error without a declared body may still describe the problem.
    if ((await response.text()) !== '' && status < 400) throw problem('body', undeclared)
    return answerOf(response, headers)
  }
  const type = response.headers.get('content-type') ?? ''
  const chosen = content[mediaTypeMatcher(content.map(({ mediaType }) => mediaType))(type)]
  if (chosen === undefined) throw problem('headers/content-type', `${undeclared}: ${type}`)
  return answerOf(response, headers, await readBody(chosen, type, response, reading), chosen.mediaType)
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

async function readBody(
  content: ResponseContent,
  type: string,
  response: Response,
  { checker, features, rejection }: Reading
): Promise<unknown> {
  const { mediaType, items, int64, validate, stream } = content
  if (items !== undefined) return needed(features.readItems)(items, response.body, checker, rejection)
  const kind = mediaType.includes('*') ? needed(features.kindOf)(type) : content.kind
  if (kind === 'binary' || kind === 'multipart')
    return stream ? response.body : new Uint8Array(await response.arrayBuffer())
  const text = await response.text()
  if (kind === 'json' && int64 !== undefined)
    return needed(features.exactJson)(text, { validate, int64, place: 'body' }, checker)
  const value = kind === 'json' ? parsed(text, checker) : text
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
    } else if (header.shape !== undefined || header.json)
      values[name] = needed(features.header)(header, text, checker, headers.getSetCookie())
    else {
      checker.check(validate, text, `headers/${name}`)
      values[name] = text
    }
  }
  return values
}
