/** Sends error responses, whatever the hooks of the user for `onSend` do. */
import type { FastifyReply } from 'fastify'
import type { ErrorResponse } from './error-response.ts'

/**
 * Sends the response to a failure. Where Fastify cannot send it, because a hook fails or has added a header that Node
 * refuses, it would call its own error handler, which sends the text of the error: the response is then written past the
 * hooks.
 */
export function sendError(reply: FastifyReply, { status, headers, body }: ErrorResponse): FastifyReply {
  const { send, raw, log } = reply
  reply.send = (err) => {
    log.error({ err }, 'an error response could not be sent with its hooks')
    reply.hijack()
    if (raw.headersSent) raw.destroy()
    else raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    return reply
  }
  return send.call(reply.code(status).headers(headers).serializer(String), body)
}
