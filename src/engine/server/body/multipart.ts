/** Reads bodies of `multipart/form-data` (RFC 7578). */
import type { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { parseMediaType } from '../../media-types/media-type.ts'
import { FailureError } from '../errors/failure.ts'
import type { Reserve } from './budget.ts'
import { type PartHeaders, type Parts, partOf } from './part.ts'
import { readBytes } from './read-bytes.ts'

const maxParts = 1000
const maxHeaderPairs = 100

/**
 * Loads the parser with the first such body.
 * @throws {FailureError} `body-too-large` or `malformed-body`, and what `reserve` throws
 */
export async function multipartBody(
  request: FastifyRequest,
  limit: number,
  reserve: Reserve
): Promise<Parts> {
  const bytes = await readBytes(request.raw, limit, reserve)
  const boundary = parseMediaType(String(request.headers['content-type']))?.parameters.get('boundary') ?? ''
  if (boundary === '') throw malformed()
  const { Dicer } = await import('@fastify/busboy')
  const parts: Parts = new Map()
  for (const { headers, chunks } of await sentParts(bytes, new Dicer({ boundary, maxHeaderPairs }))) {
    const { name, part } = partOf(headers, Buffer.concat(chunks))
    if (name === undefined) throw malformed()
    const list = parts.get(name) ?? []
    list.push(part)
    parts.set(name, list)
  }
  return parts
}

interface SentPart {
  headers: PartHeaders
  readonly chunks: Buffer[]
}

function sentParts(bytes: Buffer, parser: Dicer): Promise<readonly SentPart[]> {
  const parts: SentPart[] = []
  return new Promise((resolve, reject) => {
    parser.on('part', (stream) => {
      const part: SentPart = { headers: {}, chunks: [] }
      if (parts.push(part) > maxParts) reject(tooManyParts())
      stream.on('header', (headers) => {
        part.headers = headers as PartHeaders
      })
      stream.on('data', (chunk: Buffer) => part.chunks.push(chunk))
      // The parser reports the same error.
      stream.on('error', () => undefined)
    })
    parser.on('error', (error) => reject(malformed(error)))
    parser.on('finish', () => resolve(parts))
    parser.end(bytes)
  })
}

function tooManyParts(): FailureError {
  return new FailureError('body-too-large', { message: `the body has more than ${maxParts} parts` })
}

function malformed(cause?: unknown): FailureError {
  return new FailureError('malformed-body', {
    message: 'the body is not well-formed multipart/form-data',
    cause
  })
}
