/** Reads bodies of `multipart/form-data` (RFC 7578). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation, RequestContent } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { bodyTooLarge } from './failures.ts'
import { type Parts, partValues } from './parts.ts'

/** Loads the parser only where a contract declares such bodies. */
export async function registerMultipart(
  app: FastifyInstance,
  operations: readonly Operation[],
  limit: number
): Promise<void> {
  const content = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  if (content.every(({ kind, mediaType }) => kind !== 'multipart' && !mediaType.startsWith('*/*'))) return
  const { default: multipart } = await import('@fastify/multipart')
  await app.register(multipart, {
    limits: { fileSize: limit, parts: 1000, headerPairs: 100 },
    // For other parts the plugin decodes text and JSON itself, and the bytes are lost.
    isPartAFile: () => true
  })
}

/** @throws {FailureError} `body-too-large`, `malformed-body` or `mismatch` */
export async function multipartBody(
  request: FastifyRequest,
  content: RequestContent,
  limit: number
): Promise<Record<string, unknown>> {
  try {
    const reading = readParts(request)
    return partValues(await Promise.race([reading, overflow(request.raw, limit)]), content)
  } catch (error) {
    // Drains the rest, because a client that is still sending does not read the response.
    request.raw.unpipe().resume()
    throw multipartFailure(error, limit)
  }
}

async function readParts(request: FastifyRequest): Promise<Parts> {
  const parts: Parts = new Map()
  for await (const part of request.files()) {
    const { mimetype: mediaType, fieldname } = part
    const isFile = typeof part.filename === 'string' || mediaType === 'application/octet-stream'
    const list = parts.get(fieldname) ?? []
    parts.set(fieldname, [...list, { bytes: await part.toBuffer(), mediaType, isFile }])
  }
  return parts
}

/** Counts all bytes, including those before and between parts. Call it after the parser is attached. */
function overflow(request: IncomingMessage, limit: number): Promise<never> {
  let size = 0
  return new Promise((_resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) reject(bodyTooLarge(limit))
    })
  })
}

function multipartFailure(error: unknown, limit: number): FailureError {
  if (error instanceof FailureError) return error
  const code = String(Reflect.get(Object(error), 'code'))
  if (code.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE') return bodyTooLarge(limit, error)
  return new FailureError('malformed-body', {
    message: 'the body is not well-formed multipart/form-data',
    cause: error
  })
}
