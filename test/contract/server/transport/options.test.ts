import Fastify, { errorCodes } from 'fastify'
import t from 'tap'
import { transportOptions } from '../../../../src/contract/server/transport/options.ts'
import { exchange } from './raw-client.ts'
import { failureIn, listening, render } from './transport-server.ts'

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
