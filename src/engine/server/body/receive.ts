/** Receives the body of a request: reads it, parses it by its kind, validates it. */
import type { FastifyReply } from 'fastify'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { FailureError, guardDepth } from '../errors/failure.ts'
import { continueIfExpected } from '../transport/expect-continue.ts'
import type { ExpectedBody } from './accepted-body.ts'
import { BodyStream } from './body-stream.ts'
import { urlencodedForm, validForm } from './form.ts'
import { multipartBody, type Parts } from './multipart.ts'
import { bytesBody, decodeUtf8, jsonBody, textBody } from './parse.ts'
import { multipartForm } from './parts.ts'
import { payloadLength } from './payload.ts'
import { type BodyBudget, readBytes } from './read-bytes.ts'
import { streamedParts } from './streamed-parts.ts'
import type { UploadFolder } from './upload-folder.ts'

export interface BodyRules {
  readonly required: boolean
  readonly code: CompiledCode
}

/** What the bodies of all requests share. */
export interface Receiving {
  /** Default limit of a body, in bytes. */
  readonly bodyLimit: number
  readonly bodyBudget: BodyBudget
  readonly uploads: UploadFolder
}

/** Bytes, the parts of a multipart body, or the stream that the handler reads. */
type Received = Buffer | Parts | BodyStream

/**
 * Resolves with what the handler needs of the body.
 * @throws {FailureError} 503, or returns a promise that rejects with 400, 408, 413, 415, 500 or 503
 */
export function receiveBody(body: ExpectedBody, reply: FastifyReply, shared: Receiving): Promise<Received> {
  const { request, raw } = reply
  const { kind, limit, content } = body
  if (content.stream) return receiveStream(body, reply, shared)
  const reserve = shared.bodyBudget.open(payloadLength(request.raw), raw)
  continueIfExpected(request.raw, raw)
  return kind === 'multipart'
    ? multipartBody(request, limit, reserve)
    : readBytes(request.raw, limit, reserve)
}

/** Counts the bytes of a form that are in memory. */
async function receiveStream(
  { kind, content, limit }: ExpectedBody,
  reply: FastifyReply,
  { bodyLimit, bodyBudget, uploads }: Receiving
): Promise<Received> {
  if (kind !== 'multipart') return new BodyStream(reply, limit)
  const reserve = bodyBudget.open(undefined, reply.raw)
  return streamedParts(reply, { content, limit, maxHeld: bodyLimit, folder: uploads, reserve })
}

/**
 * Parses and validates a received body.
 * @returns undefined for an optional body of no bytes
 * @throws {FailureError} 400 or 415
 */
export function bodyValue(received: Received, body: ExpectedBody, { required, code }: BodyRules): unknown {
  if (received instanceof BodyStream) return received
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
