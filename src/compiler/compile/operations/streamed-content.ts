/** `x-stream`: media types of request bodies that handlers read as streams, and uses of it without an effect. */
import { bodyKind, parseMediaType } from '@contract-first/engine/media-types'
import type { RequestContent } from '@contract-first/engine/model'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type JsonObject, objectOf, own } from '../document/json-value.ts'
import { dereference } from '../document/reference.ts'
import { bytesBodySchema } from '../document/schema-object.ts'

export const streamKey = 'x-stream'

/** @param media the media type object of a request body */
export function isStreamed(media: JsonObject, mediaType: string): boolean {
  return own(media, streamKey) === true && isStreamable(mediaType)
}

/** Returns true for bytes, ranges of them included, and for forms with files. */
function isStreamable(mediaType: string): boolean {
  return parseMediaType(mediaType)?.type === 'multipart/form-data' || bodyKind(mediaType) === 'binary'
}

interface StreamProblem extends Pick<ContractProblem, 'severity' | 'message'> {
  readonly key: string
}

/** @param media the media type object of a request body */
export function streamProblems(
  document: JsonObject,
  media: JsonObject,
  { mediaType, items }: RequestContent
): StreamProblem[] {
  const value = own(media, streamKey)
  const problem = (severity: StreamProblem['severity'], message: string, key = streamKey) => [
    { severity, message, key }
  ]
  if (value === undefined) return []
  if (typeof value !== 'boolean') return problem('error', `${streamKey} must be true or false`)
  if (!value) return []
  if (items !== undefined) return problem('warning', `${streamKey} has no effect: items are always streamed`)
  if (!isStreamable(mediaType))
    return problem('warning', `${streamKey} has no effect: a body of ${mediaType} is read as a whole`)
  const schema = objectOf(dereference(document, own(media, 'schema')))
  const isBounded = bodyKind(mediaType) === 'binary' && bytesBodySchema(schema) !== undefined
  const message = `minLength and maxLength of a streamed body have no effect: x-body-limit bounds it`
  return isBounded ? problem('warning', message, 'schema') : []
}
