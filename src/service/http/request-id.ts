/** Request id for the log: the id that the client sent, so that both logs can be joined, or a new one. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Syntax of an accepted id, without characters that have a meaning in a log or a shell. */
const plainId = /^[\w.:/+=-]{1,128}$/
/** Syntax of traceparent (W3C Trace Context, section 3.2): version, trace-id, parent-id, flags; no id is all zeros. */
const traceParent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

/** Returns a `genReqId` for Fastify. New ids are a random prefix and a count: as unique as random ids, and cheaper. */
export function createRequestIds(): (message: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(9).toString('base64url')
  let count = 0
  return ({ headers }) => sentId(headers) ?? `${prefix}-${(++count).toString(36)}`
}

function sentId(headers: IncomingMessage['headers']): string | undefined {
  const sent = headers['x-request-id']
  if (typeof sent === 'string' && plainId.test(sent)) return sent
  const parent = headers['traceparent']
  return typeof parent === 'string' ? traceParent.exec(parent)?.[1] : undefined
}

/** Sends the id with every response, so that a client can quote it. */
export function addRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
}
