/** Receives the body of a request: reads it, parses it by its kind, validates it. */
import type { FastifyReply } from 'fastify'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import type { Items } from '../../model/value-plans.ts'
import { depthFailure, FailureError } from '../errors/failure.ts'
import { continueIfExpected } from '../transport/request-checks.ts'
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

/** Parts that the bodies of all requests share. */
export interface Receiving extends BodyBudgets {
  /** Default limit of a body, in bytes. */
  readonly bodyLimit: number
  readonly uploads: UploadFolder
}

/** Bytes, the parts of a multipart body, or what the handler reads itself: a stream, or a sequence. */
export type Received = Buffer | Parts | BodyStream | Sequence

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
export function bodyValue(
  received: Received,
  { kind, content }: ExpectedBody,
  isRequired: boolean,
  code: CompiledCode
): unknown {
  if (received instanceof BodyStream) return received
  if ('maxItem' in received) return itemsOf(received, content.items as Items, code)
  const isEmpty = Buffer.isBuffer(received) && received.length === 0
  if (isEmpty && isRequired) throw new FailureError('missing-body')
  if (isEmpty) return undefined
  try {
    if (!Buffer.isBuffer(received)) return validForm(multipartForm(received, content), content, code)
    if (kind === 'json') return jsonBody(received, content, code)
    if (kind === 'text') return textBody(received, content, code)
    if (kind === 'binary') return bytesBody(received, content, code)
    return validForm(urlencodedForm(decodeUtf8(received), content), content, code)
  } catch (error) {
    throw depthFailure('body', error)
  }
}
