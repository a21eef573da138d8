import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { principalOf } from '../../../src/engine/server.ts'
import { request, serve } from '../serve.ts'

t.test('principalOf is the result of the security handlers, also for a refused body', async (t) => {
  const seen: unknown[] = []
  const principal = { id: 'p' }
  const document = {
    paths: {
      '/open': { get: { operationId: 'open', responses: { 200: { description: '' } } } },
      '/closed': {
        post: {
          operationId: 'closed',
          security: [{ key: [] }],
          requestBody: { required: true, content: { 'application/json': {} } },
          responses: { 200: { description: '' } }
        }
      }
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } }
  }
  const { ask } = await serve(t, document, {
    handlers: { open: () => ({ status: 200 }), closed: () => ({ status: 200 }) },
    security: { key: (credential: string) => (credential === 'good' ? principal : undefined) },
    extend: (app) =>
      void app.addHook('onResponse', async (request: FastifyRequest) => void seen.push(principalOf(request)))
  })
  await ask(request('GET /open'))
  await ask(request('POST /closed', '{}', { 'X-Key': 'good' }))
  await ask(request('POST /closed', '{}', { 'X-Key': 'good', 'Content-Type': 'text/plain' }))
  await ask(request('POST /closed', '{}', { 'X-Key': 'bad' }))
  await ask(request('GET /nowhere'))
  t.same(seen, [undefined, principal, principal, undefined, undefined])
})
