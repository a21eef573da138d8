/** The id under which a request is logged: the client's, so that its logs and ours can be joined, or a new one. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Of this process, with a count: as unique as a random id, and free. */
const run = randomBytes(9).toString('base64url')
let count = 0

/** Nothing in it that a log or a shell could take for something else. */
const plain = /^[\w.:/+=-]{1,128}$/
/** W3C Trace Context, section 3.2: version, trace-id, parent-id, flags; the id must not be all zeros. */
const traceParent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

export function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  if (typeof sent === 'string' && plain.test(sent)) return sent
  const parent = headers['traceparent']
  const traceId = typeof parent === 'string' ? traceParent.exec(parent)?.[1] : undefined
  return traceId ?? `${run}-${(++count).toString(36)}`
}

/** So that whoever is told of an error can ask us about it. */
export function tellRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
}
