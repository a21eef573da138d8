import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { readBytes } from '../../../../src/engine/server/body/payload.ts'
import { type Failure, FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { transportOptions } from '../../../../src/engine/server/fastify-options.ts'
import { refuseConnection } from '../../../../src/engine/server/transport/client-error.ts'
import { guardServer } from '../../../../src/engine/server/transport/connections.ts'
import type { RenderFailure } from '../../../../src/engine/server/transport/raw-response.ts'
import { continueIfExpected, refusal } from '../../../../src/engine/server/transport/request-checks.ts'
import { limitReading } from '../../../../src/engine/server/transport/unread.ts'
import { sleep } from '../../../time.ts'
import type { Exchange } from './raw-client.ts'

export const bodyLimit = 1000

/** First bytes of requests. */
export const post = 'POST /echo HTTP/1.1\r\nHost: a\r\n'
export const get = 'GET /echo HTTP/1.1\r\n'
export const chunked = 'Transfer-Encoding: chunked\r\n'

/** Returns the parsed error body when there is exactly one response. */
export function failureIn({ responses }: Exchange): unknown {
  return responses.length === 1 ? JSON.parse(responses[0]?.body || '{}') : responses
}

export const render: RenderFailure = (failure: Failure) => ({
  status: failure.status,
  headers: { 'content-type': 'application/json', ...failure.headers },
  body: JSON.stringify({ code: failure.code, message: failure.message })
})

/** Code and message of a report, and the address of the client. */
export type Reported = readonly [code: string, message: string, remoteAddress: unknown]

/** Records the reports. */
export const reporting =
  (reported: Reported[]): RenderFailure =>
  (failure, peer) => {
    reported.push([failure.code, failure.message, Reflect.get(Object(peer), 'remoteAddress')])
    return render(failure)
  }

/**
 * Starts an app wired as the engine wires it; resolves with its port. By default no time-out expires during a test,
 * because a stalled machine counts turns while Node counts milliseconds.
 */
export async function listening(
  rendering: RenderFailure = render,
  requestTimeout = 60_000,
  connectionsCheckingInterval = 500
): Promise<{ app: FastifyInstance; port: number }> {
  const options = transportOptions(rendering)
  const http = { ...options.http, connectionsCheckingInterval }
  const app = Fastify({ ...options, http, requestTimeout, keepAliveTimeout: 60_000 })
  guardServer(app.server, rendering)
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
    const { status, headers, body } = rendering(failure)
    return reply.code(status).headers(headers).send(body)
  })
  app.setNotFoundHandler(({ method }) => {
    throw new FailureError(method === 'CONNECT' ? 'method-not-allowed' : 'not-found')
  })
  app.all('/echo', async (request, reply) => {
    continueIfExpected(request.raw, reply.raw)
    const body = await readBytes(request.raw, bodyLimit)
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

/** Starts a server of Node with the guards of the engine, and records its targets, connections and reports. */
export async function guarded(t: Test, answer: RequestListener, options: ServerOptions = {}) {
  const targets: string[] = []
  const reported: Reported[] = []
  const sockets: Socket[] = []
  const server = createServer({ shouldUpgradeCallback: () => false, ...options }, (request, response) => {
    targets.push(String(request.url))
    answer(request, response)
  })
  const rendering = reporting(reported)
  server.on('connection', (socket) => sockets.push(socket))
  guardServer(server, rendering)
  limitReading(server, rendering)
  server.on('clientError', (error, socket) => refuseConnection(error, socket, rendering))
  t.teardown(() => server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, targets, reported, sockets, open: () => sockets.map(({ destroyed }) => !destroyed) }
}
