/** Receives the body of a request: reads it, parses it by its kind, validates it. */
import type { FastifyReply } from 'fastify'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import type { Items } from '../../model/value-plans.ts'
import { FailureError, guardDepth } from '../errors/failure.ts'
import { continueIfExpected } from '../transport/expect-continue.ts'
import type { ExpectedBody } from './accepted-body.ts'
import { BodyStream } from './body-stream.ts'
import { urlencodedForm, validForm } from './form.ts'
import { itemsOf, type Sequence } from './items.ts'
import { multipartBody, type Parts } from './multipart.ts'
import { bytesBody, decodeUtf8, jsonBody, textBody } from './parse.ts'
import { multipartForm } from './parts.ts'
import { payloadLength } from './payload.ts'
import { type BodyBudgets, readBytes } from './read-bytes.ts'
import { streamedParts } from './streamed-parts.ts'
import type { UploadFolder } from './upload-folder.ts'

export interface BodyRules {
  readonly required: boolean
  readonly code: CompiledCode
}

/** Parts that the bodies of all requests share. */
export interface Receiving extends BodyBudgets {
  /** Default limit of a body, in bytes. */
  readonly bodyLimit: number
  readonly uploads: UploadFolder
}

/** Bytes, the parts of a multipart body, or what the handler reads itself: a stream, or a sequence. */
type Received = Buffer | Parts | BodyStream | Sequence

/**
 * Resolves with what the handler needs of the body.
 * @throws {FailureError} 503, or returns a promise that rejects with 400, 408, 413, 415, 500 or 503
 */
export function receiveBody(body: ExpectedBody, reply: FastifyReply, shared: Receiving): Promise<Received> {
  const { request, raw } = reply
  const { kind, limit, content } = body
  if (content.stream || content.items) return receiveStream(body, reply, shared)
  const reserve = shared.bodyBudget.open(payloadLength(request.raw), raw)
  continueIfExpected(request.raw, raw)
  return kind === 'multipart'
    ? multipartBody(request, limit, reserve)
    : readBytes(request.raw, limit, reserve)
}

/** Counts the bytes that are in memory: of a form those that are not on disk, of a sequence those of one item. */
async function receiveStream(
  { kind, content, limit }: ExpectedBody,
  reply: FastifyReply,
  { bodyLimit, streamBudget, uploads }: Receiving
): Promise<Received> {
  if (content.stream && kind !== 'multipart') return new BodyStream(reply, limit)
  const reserve = streamBudget.open(undefined, reply.raw)
  if (content.items) return { stream: new BodyStream(reply, limit), maxItem: bodyLimit, reserve }
  return streamedParts(reply, { content, limit, maxHeld: bodyLimit, folder: uploads, reserve })
}

/**
 * Parses and validates a received body.
 * @returns undefined for an optional body of no bytes
 * @throws {FailureError} 400 or 415
 */
export function bodyValue(received: Received, body: ExpectedBody, { required, code }: BodyRules): unknown {
  if (!Buffer.isBuffer(received)) {
    if (received instanceof BodyStream) return received
    if ('maxItem' in received) return itemsOf(received, body.content.items as Items, code)
  } else if (received.length === 0) {
    if (required) throw new FailureError('missing-body')
    return undefined
  }
  return guardDepth('body', () => parsed(received, body, code))
}

function parsed(bytes: Buffer | Parts, { kind, content }: ExpectedBody, code: CompiledCode): unknown {
  if (!Buffer.isBuffer(bytes)) return validForm(multipartForm(bytes, content), content, code)
  if (kind === 'binary') return bytesBody(bytes, content, code)
  if (kind === 'form') return validForm(urlencodedForm(decodeUtf8(bytes), content), content, code)
  return kind === 'text' ? textBody(bytes, content, code) : jsonBody(bytes, content, code)
}
