/** Receives the body of a request: reads it, parses it by its kind, validates it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { FailureError, guardDepth } from '../errors/failure.ts'
import { continueIfExpected } from '../transport/expect-continue.ts'
import type { ExpectedBody } from './accepted-body.ts'
import { urlencodedForm, validForm } from './form.ts'
import { multipartBody, type Parts } from './multipart.ts'
import { bytesBody, decodeUtf8, jsonBody, textBody } from './parse.ts'
import { multipartForm } from './parts.ts'
import { payloadLength } from './payload.ts'
import { type BodyBudget, readBytes } from './read-bytes.ts'

export interface BodyRules {
  readonly required: boolean
  readonly code: CompiledCode
}

/**
 * Resolves with the bytes, or with the parts of a multipart body.
 * @throws {FailureError} 503, or returns a promise that rejects with 400, 413 or 503
 */
export function receiveBody(
  { kind, limit }: ExpectedBody,
  request: FastifyRequest,
  reply: FastifyReply,
  budget: BodyBudget
): Promise<Buffer | Parts> {
  const reserve = budget.open(payloadLength(request.raw), reply.raw)
  continueIfExpected(request.raw, reply.raw)
  return kind === 'multipart'
    ? multipartBody(request, limit, reserve)
    : readBytes(request.raw, limit, reserve)
}

/**
 * Parses and validates a received body.
 * @returns undefined for an optional body of no bytes
 * @throws {FailureError} 400 or 415
 */
export function bodyValue(
  received: Buffer | Parts,
  body: ExpectedBody,
  { required, code }: BodyRules
): unknown {
  if (!Buffer.isBuffer(received) || received.length > 0)
    return guardDepth('body', () => parsed(received, body, code))
  if (required) throw new FailureError('missing-body')
  return undefined
}

function parsed(bytes: Buffer | Parts, { kind, content }: ExpectedBody, code: CompiledCode): unknown {
  if (!Buffer.isBuffer(bytes)) return validForm(multipartForm(bytes, content), content, code)
  if (kind === 'binary') return bytesBody(bytes, content, code)
  if (kind === 'form') return validForm(urlencodedForm(decodeUtf8(bytes), content), content, code)
  return kind === 'text' ? textBody(bytes, content, code) : jsonBody(bytes, content, code)
}
