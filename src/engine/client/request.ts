/** Writes the request of one call by the contract: parameters and body are checked first. */
import type { Operation } from '../model/compiled-contract.ts'
import { type BodyWriting, type RequestMessage, requestBody } from './request-body.ts'
import { type ParameterValues, type RequestHead, requestHead } from './request-target.ts'

/** Values of one request. */
export interface RequestValues extends ParameterValues {
  readonly body?: unknown
  /** Media type of the body; by default the first that the operation declares. */
  readonly contentType?: string | undefined
  /** Value of the header Accept; by default all media types that the operation declares. */
  readonly accept?: string | undefined
}

export interface WrittenRequest extends RequestHead {
  readonly body: RequestMessage['body'] | undefined
}

/** @throws {Problems} */
export function writeRequest(operation: Operation, values: RequestValues, writing: BodyWriting): WrittenRequest {
  const isWhole = operation.parameters.some((spec) => spec.in === 'querystring')
  const given = {
    params: values.params ?? {},
    query: isWhole ? values.query : (values.query ?? {}),
    headers: lowerCased(values.headers),
    cookies: values.cookies ?? {}
  }
  writing.checker.check(operation.validateParameters, given, '')
  const { target, headers } = requestHead(operation, given, writing)
  const message = requestBody(operation.requestBody, values, writing)
  const accept = values.accept ?? acceptOf(operation)
  if (accept !== '') headers['accept'] ??= accept
  if (message !== undefined) headers['content-type'] = message.contentType
  return { target, headers, body: message?.body }
}

const lowerCased = (headers: object = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const accepted = new WeakMap<Operation, string>()

/** Returns all media types of the responses: an error may have another one than a success. */
function acceptOf(operation: Operation): string {
  const known = accepted.get(operation)
  if (known !== undefined) return known
  const contents = Object.values(operation.responses).flatMap(({ content }) => content)
  const text = [...new Set(contents.map(({ mediaType }) => mediaType))].join(', ')
  accepted.set(operation, text)
  return text
}
