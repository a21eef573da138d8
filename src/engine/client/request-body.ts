/** Checks and writes the body of a request by its media type. */

import { stringify } from '../json/exact-values.ts'
import type { SentBody } from '../model/client-operation.ts'
import type { RequestBody, RequestContent } from '../model/compiled-contract.ts'
import { exactStringify } from '../runtime/serializers.ts'
import { contentFor, undeclared } from './content-for.ts'
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
  given: Given,
  writing: BodyWriting
): RequestMessage | undefined {
  const { problem } = writing.checker
  const { body } = given
  if (body === undefined) {
    if (declared?.required) throw problem('body', 'is required')
    return undefined
  }
  const content = contentOf(declared?.content ?? [], given)
  const contentType =
    given.contentType ?? (content?.mediaType.includes('*') ? typeOf(body) : content?.mediaType)
  if (content === undefined || contentType === undefined) throw problem('contentType', undeclared)
  return bodyMessage(content, { body, contentType }, writing)
}

/** Returns the content for a media type: that of the call, otherwise that of a Blob, otherwise the first. */
function contentOf(content: readonly RequestContent[], given: Given): RequestContent | undefined {
  if (given.contentType !== undefined) return contentFor(content, given.contentType)
  return contentFor(content, typeOf(given.body) ?? '') ?? content[0]
}

const typeOf = (body: unknown): string | undefined => (body instanceof Blob && body.type) || undefined

/** @throws {Problems} */
export function bodyMessage(
  content: RequestContent,
  { body, contentType }: Given & { readonly contentType: string },
  { checker, features, onError }: BodyWriting
): RequestMessage {
  const { items, mediaType, validate, validateBytes, int64 } = content
  if (items) return { contentType, body: needed(features.writeItems)(items, body, checker, onError) }
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
