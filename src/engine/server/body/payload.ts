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

/**
 * Keeps the body of every later route of an encapsulated instance unread, and the stream that a hook puts in its place.
 * @param parsed methods whose bodies Fastify gives to a parser; undefined for all
 */
export function passBodies(app: FastifyInstance, parsed: ReadonlySet<string> | undefined): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const keepPayload: preParsingHookHandler = (request, _reply, payload, done) => {
    const { raw }: { raw: Received } = request
    // Without a listener, the error of a stream whose request is refused before would end the process.
    if (payload !== raw) raw[replaced] = (payload as Readable).on('error', () => undefined)
    if (parsed === undefined || parsed.has(request.method)) acceptAnyType(request)
    done()
  }
  app.addHook('onRoute', (route) => {
    route.preParsing = [...[route.preParsing ?? []].flat(), keepPayload]
  })
}

/**
 * Tells Fastify that requests have no body where all routes of their method are of a contract: even a parser that reads
 * nothing costs a tenth of a create. Called before routes are added.
 * @returns the methods of other routes, which are complete when the server is ready
 */
export function skipParsers(app: FastifyInstance, { operations }: Contract): ReadonlySet<string> {
  const beside = new Set<string>()
  app.addHook('onRoute', ({ config, method }) => {
    if (config?.operation === undefined) for (const each of [method].flat()) beside.add(each)
  })
  app.addHook('onReady', async () => {
    const skipped = operations.filter(({ method }) => !beside.has(method))
    for (const { method } of skipped) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  })
  return beside
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
function acceptAnyType(request: FastifyRequest): void {
  const { headers, method } = request.raw
  const sent = headers['content-type']
  if (sent === undefined ? method === 'QUERY' : !isAccepted(sent))
    request.headers = { 'content-type': 'application/octet-stream' }
}
