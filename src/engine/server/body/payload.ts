/** Keeps Fastify from reading the bodies of operations: they are read after authentication, by declared media type. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Contract } from '../../model/compiled-contract.ts'
import { cachedByText } from '../../model/content-type.ts'
import { FailureError, statusCodeOf } from '../errors/failure.ts'

/** Stream that a preParsing hook has put in place of the body as it was sent; a property costs less than a WeakMap. */
const replaced = Symbol('payload')

interface Received extends IncomingMessage {
  [replaced]?: Readable
}

/** Keeps the body of every later route of an encapsulated instance unread, and the stream that a hook puts in its place. */
export function passBodies(app: FastifyInstance, prepareType: PrepareType): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const keepPayload: preParsingHookHandler = (request, _reply, payload, done) => {
    if (payload !== request.raw) keep(request.raw, payload as Readable)
    prepareType(request)
    done()
  }
  app.addHook('onRoute', (route) => {
    route.preParsing = [...[route.preParsing ?? []].flat(), keepPayload]
  })
}

/** Keeps the stream; its error would end the process where the request is refused before its body is read. */
function keep(request: Received, payload: Readable): void {
  request[replaced] = payload.on('error', () => undefined)
}

/** Prepares a request for the body parser of Fastify, which refuses some before their operation can. */
export type PrepareType = (request: FastifyRequest) => void

/**
 * Tells Fastify that requests have no body where all routes of their method are of a contract: even a parser that reads
 * nothing costs a tenth of a create. Called before routes are added.
 */
export function skipParsers(app: FastifyInstance, { operations }: Contract): PrepareType {
  const beside = new Set<string>()
  app.addHook('onRoute', ({ config, method }) => {
    if (config?.operation === undefined) for (const each of [method].flat()) beside.add(each)
  })
  app.addHook('onReady', async () => {
    const skipped = operations.filter(({ method }) => !beside.has(method))
    for (const { method } of skipped) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  })
  return (request) => {
    if (beside.has(request.method)) acceptAnyType(request)
  }
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

/** Returns true for a media type that Fastify accepts (RFC 9110, section 8.3.1), whatever follows. */
const isAccepted = cachedByText((text) => /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/.test(text))

/** Gives Fastify a media type in place of one that it would refuse before the operation can. */
export const acceptAnyType: PrepareType = (request) => {
  const { headers, method } = request.raw
  const sent = headers['content-type']
  if (sent === undefined ? method === 'QUERY' : !isAccepted(sent))
    request.headers = { 'content-type': 'application/octet-stream' }
}
