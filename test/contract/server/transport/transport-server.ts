import Fastify, { type FastifyInstance } from 'fastify'
import { type Failure, FailureError } from '../../../../src/contract/server/errors/failure.ts'
import {
  type Answer,
  continueIfExpected,
  guardServer,
  readBody,
  refusal,
  transportOptions
} from '../../../../src/contract/server/transport/options.ts'
import { sleep } from '../../../time.ts'

export const bodyLimit = 1000

export const answer: Answer = (failure: Failure) => ({
  status: failure.status,
  headers: { 'content-type': 'application/json', ...failure.headers },
  body: JSON.stringify({ code: failure.code, message: failure.message })
})

/** An app wired as the engine wires it; resolves with its port. */
export async function listening(answering: Answer = answer): Promise<{ app: FastifyInstance; port: number }> {
  const options = transportOptions(answering)
  const http = { ...options.http, connectionsCheckingInterval: 500 }
  const app = Fastify({ ...options, http, requestTimeout: 400, keepAliveTimeout: 2000 })
  guardServer(app.server, answering, 'GET, POST')
  app.server.on('upgrade', (_request, socket) => socket.destroy())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (request) => {
    const refused = refusal(request.raw)
    if (refused) throw refused
    if (request.headers['x-refuse']) throw new FailureError('no-credentials')
  })
  app.setErrorHandler((error, _request, reply) => {
    const { failure } = error instanceof FailureError ? error : new FailureError('internal')
    const { status, headers, body } = answering(failure)
    return reply.code(status).headers(headers).send(body)
  })
  app.setNotFoundHandler(() => {
    throw new FailureError('not-found')
  })
  app.all('/echo', async (request, reply) => {
    continueIfExpected(request.raw, reply.raw)
    const body = await readBody(request.raw, bodyLimit)
    return { method: request.method, url: request.url, body: body.toString('latin1') }
  })
  app.get('/slow', async () => {
    await sleep(100)
    return { slow: true }
  })
  app.post('/begun', async (request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-length': 100 })
    reply.raw.write('begun')
    request.raw.resume()
  })
  app.get('/named/:name', async () => ({}))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, port: Number(new URL(address).port) }
}
