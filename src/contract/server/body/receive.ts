/** Receives the body of a request: reads what its headers announced, parses it by its kind, validates it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { continueIfExpected } from '../transport/expect-continue.ts'
import type { ExpectedBody } from './expectation.ts'
import { multipartBody } from './multipart.ts'
import { bytesBody, guardDepth, jsonBody, textBody } from './parse.ts'
import type { Parts } from './part.ts'
import { multipartForm } from './parts.ts'
import { readBytes } from './read-bytes.ts'
import { urlencodedForm } from './urlencoded.ts'
import { decodeUtf8 } from './utf8.ts'
import { validForm } from './valid-form.ts'

export interface BodyRules {
  readonly required: boolean
  readonly code: CompiledCode
}

/**
 * Resolves with the bytes, or with the parts of a multipart body.
 * @throws {FailureError} 400 or 413
 */
export function receiveBody(
  { kind, limit }: ExpectedBody,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<Buffer | Parts> {
  continueIfExpected(request.raw, reply.raw)
  return kind === 'multipart' ? multipartBody(request, limit) : readBytes(request.raw, limit)
}

/**
 * @returns undefined for an optional body of no bytes
 * @throws {FailureError} 400 or 415
 */
export function bodyValue(
  received: Buffer | Parts,
  body: ExpectedBody,
  { required, code }: BodyRules
): unknown {
  const { content } = body
  if (!Buffer.isBuffer(received)) return validForm(multipartForm(received, content), content, code)
  if (received.length > 0) return parsed(received, body, code)
  if (required) throw new FailureError('missing-body')
  return undefined
}

function parsed(bytes: Buffer, { kind, content }: ExpectedBody, code: CompiledCode): unknown {
  if (kind === 'binary') return bytesBody(bytes, content, code)
  if (kind === 'form') return validForm(urlencodedForm(decodeUtf8(bytes), content), content, code)
  return kind === 'text' ? textBody(bytes, content, code) : guardDepth(() => jsonBody(bytes, content, code))
}
