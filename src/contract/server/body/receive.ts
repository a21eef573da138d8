/** Receives the body of a request: reads what its headers announced, parses it by its kind, validates it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { continueIfExpected } from '../transport/expect-continue.ts'
import type { ExpectedBody } from './expectation.ts'
import { multipartBody } from './multipart.ts'
import { bytesBody, guardDepth, jsonBody, textBody, validateBody } from './parse.ts'
import { readBytes } from './read-bytes.ts'
import { urlencodedBody } from './urlencoded.ts'
import { decodeUtf8 } from './utf8.ts'

export interface BodyRules {
  readonly required: boolean
  readonly code: CompiledCode
}

/**
 * Resolves with the bytes, or with the values of a multipart body before validation.
 * @throws {FailureError} 400 or 413
 */
export function receiveBody(
  { kind, content }: ExpectedBody,
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number
): Promise<Buffer | Record<string, unknown>> {
  continueIfExpected(request.raw, reply.raw)
  return kind === 'multipart' ? multipartBody(request, content, limit) : readBytes(request.raw, limit)
}

/**
 * @returns undefined for an optional body of no bytes
 * @throws {FailureError} 400
 */
export function bodyValue(
  received: Buffer | Record<string, unknown>,
  body: ExpectedBody,
  { required, code }: BodyRules
): unknown {
  if (!Buffer.isBuffer(received)) return validForm(received, body, code)
  if (received.length > 0) return parsed(received, body, code)
  if (required) throw new FailureError('missing-body')
  return undefined
}

function parsed(bytes: Buffer, body: ExpectedBody, code: CompiledCode): unknown {
  const { kind, content } = body
  if (kind === 'binary') return bytesBody(bytes, content, code)
  if (kind === 'form') return validForm(urlencodedBody(decodeUtf8(bytes), content), body, code)
  return kind === 'text' ? textBody(bytes, content, code) : guardDepth(() => jsonBody(bytes, content, code))
}

function validForm(
  value: Record<string, unknown>,
  { content }: ExpectedBody,
  code: CompiledCode
): Record<string, unknown> {
  const root = { '': value }
  validateBody(value, root, { validate: content.validate, code, exactness: undefined })
  if (content.int64 !== undefined) restoreInt64(root, content.int64, code, undefined)
  return value
}
