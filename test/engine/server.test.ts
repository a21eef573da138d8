/** The server as a Fastify instance, to which a service may add routes and hooks. */
import { request as clientRequest } from 'node:http'
import t from 'tap'
import { request, serve, taking } from './serve.ts'

const contract = { paths: { '/things': taking('takeThing', { type: 'object' }) } }
const handlers = { takeThing: async () => ({ status: 200, body: {} }) }

t.test('routes beside the contract have schemas of their own', async (t) => {
  const { ask } = await serve(t, contract, {
    handlers,
    extend: (app) => {
      app.get(
        '/beside',
        {
          schema: {
            querystring: { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
            response: { 200: { type: 'object', properties: { size: { type: 'integer' } } } }
          }
        },
        async ({ query }) => ({ ...Object(query), more: true })
      )
    }
  })
  t.same((await ask(request('GET /beside?size=3'))).value, { size: 3 })
  t.equal((await ask(request('GET /beside?size=x'))).status, 400)
})

t.test("Node's own client reads the 413 while it still sends", async (t) => {
  const { port } = await serve(t, contract, { handlers, fastify: { bodyLimit: 1000 } })
  for (let round = 0; round < 5; round++) {
    const status = await new Promise((resolve, reject) => {
      const sent = clientRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/things',
        headers: { 'content-type': 'application/json' }
      })
      sent.on('response', (got) => got.resume().on('end', () => resolve(got.statusCode))).on('error', reject)
      for (let piece = 0; piece < 50; piece++) sent.write('x'.repeat(20_000))
      sent.end()
    })
    t.equal(status, 413)
  }
})
