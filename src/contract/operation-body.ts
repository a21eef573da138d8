/** The value of a request's body, read and validated when its turn has come. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ExpectedBody, guardDepth, jsonBody, textBody, validateBody } from './body.ts'
import type { CompiledCode } from './contract.ts'
import { decodeUtf8 } from './exact-json.ts'
import { FailureError } from './failure.ts'
import { formBody, multipartBody } from './form.ts'
import { continueIfExpected, readBody } from './transport.ts'

export interface BodyRules {
  readonly required: boolean
  /** Bytes. */
  readonly limit: number
  readonly code: CompiledCode
}

/** @returns undefined where there are no bytes @throws {FailureError} 400 or 413 */
export async function bodyValue(
  body: ExpectedBody,
  request: FastifyRequest,
  reply: FastifyReply,
  { required, limit, code }: BodyRules
): Promise<unknown> {
  continueIfExpected(request.raw, reply.raw)
  if (body.kind === 'multipart')
    return validForm(await multipartBody(request, body.content, limit), body, code)
  const bytes = await readBody(request.raw, limit)
  if (bytes.length > 0) return parsed(bytes, body, code)
  if (required) throw new FailureError('missing-body')
  return undefined
}

function parsed(bytes: Buffer, body: ExpectedBody, code: CompiledCode): unknown {
  const { kind, content } = body
  if (kind === 'binary') return bytes
  if (kind === 'form') return validForm(formBody(decodeUtf8(bytes), content), body, code)
  return kind === 'text' ? textBody(bytes, content, code) : guardDepth(() => jsonBody(bytes, content, code))
}

function validForm(
  value: Record<string, unknown>,
  { content }: ExpectedBody,
  code: CompiledCode
): Record<string, unknown> {
  validateBody(value, { '': value }, { content, code, exactness: undefined })
  return value
}
