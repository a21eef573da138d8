/** Checks and writes the body of a request by its media type. */

import { stringify } from '../json/exact-values.ts'
import { mediaTypeMatcher } from '../media-types/content-type.ts'
import type { SentBody } from '../model/client-operation.ts'
import type { RequestBody, RequestContent } from '../model/compiled-contract.ts'
import { exactStringify } from '../runtime/serializers.ts'
import { type HeadWriting, needed } from './request-target.ts'

export interface RequestMessage {
  readonly contentType: string
  readonly body: SentBody
}

export interface BodyWriting extends HeadWriting {
  /** Receives the error of a body that is written while it is sent. */
  readonly onError: (error: unknown) => void
}

interface Given {
  readonly body?: unknown
  readonly contentType?: string | undefined
}

/**
 * @returns undefined for a request without a body
 * @throws {Problems}
 */
export function requestBody(
  declared: RequestBody | undefined,
  { body, contentType }: Given,
  writing: BodyWriting
): RequestMessage | undefined {
  const { problem } = writing.checker
  if (body === undefined) {
    if (declared?.required) throw problem('body', 'is required')
    return undefined
  }
  const content = contentOf(declared?.content ?? [], { body, contentType })
  const type = contentType ?? (content?.mediaType.includes('*') ? typeOf(body) : content?.mediaType)
  if (content === undefined || type === undefined) throw problem('contentType', 'is not declared')
  return bodyMessage(content, { body, contentType: type }, writing)
}

/** Returns the content for a media type: that of the call, otherwise that of a Blob, otherwise the first. */
function contentOf(content: readonly RequestContent[], given: Given): RequestContent | undefined {
  const type = given.contentType ?? typeOf(given.body)
  const index = type === undefined ? 0 : mediaTypeMatcher(content.map(({ mediaType }) => mediaType))(type)
  return content[index < 0 && given.contentType === undefined ? 0 : index]
}

const typeOf = (body: unknown): string | undefined => (body instanceof Blob && body.type) || undefined

/** @throws {Problems} */
export function bodyMessage(
  content: RequestContent,
  { body, contentType }: Given & { readonly contentType: string },
  { checker, features, onError }: BodyWriting
): RequestMessage {
  const { items, mediaType, validate, validateBytes, int64 } = content
  if (items !== undefined)
    return { contentType, body: needed(features.writeItems)(items, body, checker, onError) }
  const kind = mediaType.includes('*') ? needed(features.kindOf)(contentType) : content.kind
  if (kind === 'multipart') return needed(features.multipart)(content, body, checker, onError)
  if (kind !== 'binary') checker.check(validate, body, 'body')
  // Without the attempt of exactStringify, whose error for a bigint takes longer than the rest.
  if (kind === 'json') return { contentType, body: int64 ? stringify(body) : exactStringify(body) }
  if (kind === 'form') return { contentType, body: needed(features.form)(content, body, 'body', checker) }
  if (body instanceof Uint8Array) checker.check(validateBytes, body, 'body')
  const sent = typeof body === 'string' ? body : features.bytes?.(body, onError)
  if (sent === undefined) throw checker.problem('body', 'must be text or bytes')
  return { contentType, body: sent }
}
