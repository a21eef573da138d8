import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { errorCodes } from 'fastify'
import t from 'tap'
import { transportOptions } from '../../../src/engine/server/fastify-options.ts'
import { exchange } from './transport/raw-client.ts'
import { failureIn, listening, render } from './transport/transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('a malformed URL is a 400', async (t) => {
  for (const url of ['/%zz', '/%ff', '/echo/%E0%A4%A']) {
    const found = await exchange(port, `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`)
    t.match(failureIn(found), { code: 'malformed-url' }, url)
  }
  const long = await exchange(port, `GET /named/${'x'.repeat(200)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  t.match(failureIn(long), { code: 'malformed-url', message: 'a part of the path is too long' })
})

t.test('any other error of the router is an internal failure without details', async (t) => {
  const options = transportOptions(render)
  const failing = Fastify(options)
  const error = new errorCodes.FST_ERR_ASYNC_CONSTRAINT()
  failing.get('/', (request, reply) => options.frameworkErrors?.(error, request, reply))
  t.same((await failing.inject('/')).json(), { code: 'internal', message: 'internal server error' })
})

t.test('a request with Upgrade is served like every other one', async (t) => {
  const { http } = transportOptions(render)
  const server = createServer(http ?? {}, (_request, response) => response.end('served'))
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const upgrade = 'Connection: close, Upgrade\r\nUpgrade: websocket\r\n'
  const { responses } = await exchange(
    (server.address() as AddressInfo).port,
    `GET / HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`
  )
  t.match(responses, [{ status: 200, body: 'served' }])
})
