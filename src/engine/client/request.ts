/** Writes the request of one call by the contract: parameters and body are checked first. */
import type { ClientOperation } from '../model/client-operation.ts'
import { type BodyWriting, type RequestMessage, requestBody } from './request-body.ts'
import { lowerCased, type ParameterValues, planOf, type RequestHead, requestHead } from './request-target.ts'

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
export function writeRequest(
  { operation, accept }: Pick<ClientOperation, 'operation' | 'accept'>,
  sent: RequestValues,
  writing: BodyWriting
): WrittenRequest {
  const values = writing.features.wire?.(sent, writing.checker) ?? sent
  const given = {
    params: values.params ?? {},
    query: planOf(operation).whole ? values.query : (values.query ?? {}),
    headers: lowerCased(values.headers),
    cookies: values.cookies ?? {}
  }
  writing.checker.check(operation.validateParameters, given, '')
  const { target, headers } = requestHead(operation, given, writing)
  const message = requestBody(operation.requestBody, values, writing)
  headers['accept'] = values.accept ?? accept
  if (message) headers['content-type'] = message.contentType
  return { target, headers, body: message?.body }
}
