/** Keeps Fastify from reading the bodies of operations: they are read after authentication, by declared media type. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FailureError, statusCodeOf } from '../errors/failure.ts'

/** Stream that a preParsing hook has put in place of the body as it was sent; a property costs less than a WeakMap. */
const replaced = Symbol('payload')

interface Received extends IncomingMessage {
  [replaced]?: Readable
}

/** Replaces the body parsers of an encapsulated instance by one that leaves the body unread. */
export function passBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ raw }: { readonly raw: Received }, payload, done) => {
    if (payload !== raw) raw[replaced] = payload
    done(null)
  })
}

/** Returns the stream of a body, which a hook of the application may have decoded. */
export function payloadOf(request: Received): Readable {
  return request[replaced] ?? request
}

/** Returns Content-Length; undefined without one, and where a hook has decoded the body. */
export function payloadLength(request: Received): number | undefined {
  const length = request.headers['content-length']
  return length === undefined || request[replaced] !== undefined ? undefined : Number(length)
}

/** Discards what is left of a decoded body without decoding it: a few bytes may decode to many. */
export function stopDecoding(request: Received): void {
  if (request[replaced] === undefined) return
  request[replaced].pause()
  request.unpipe().resume()
}

/** Returns the error of a hook that has decoded a body, which Fastify answers by its status; without one it is 400. */
export function decodingFailure(request: Received, cause: unknown): unknown {
  if (request[replaced] === undefined || cause === undefined) return undefined
  if (statusCodeOf(cause) !== undefined) return cause
  return new FailureError('malformed-body', { message: 'the content coding of the body is broken', cause })
}

/** Media types that Fastify accepts (RFC 9110, section 8.3.1), whatever follows. */
const wellFormed = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Gives Fastify a media type in place of one that it would refuse before the operation can. */
export function acceptAnyType(request: FastifyRequest): void {
  const { headers, method } = request.raw
  const sent = headers['content-type']
  if (sent === undefined ? method === 'QUERY' : !wellFormed.test(sent))
    request.headers = { 'content-type': 'application/octet-stream' }
}
