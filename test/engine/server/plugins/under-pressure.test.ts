/** Contract beside @fastify/under-pressure. */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { hosts, token } from './hosts.ts'

t.test('an overloaded service answers 503 with Retry-After, in the shape of the route', async (t) => {
  const extend = async (app: FastifyInstance) => {
    await app.register(underPressure, {
      healthCheck: async () => false,
      healthCheckInterval: 60_000,
      retryAfter: 7
    })
    app.get('/own', async () => ({ own: true }))
  }
  for (const { name, base, isEngine, ask } of await hosts(t, { extend })) {
    const refused = await ask(request(`GET ${base}/things`, undefined, token))
    t.equal(refused.status, 503, name)
    t.equal(refused.headers.get('retry-after'), '7', name)
    t.match(refused.value, { code: 'overloaded' }, name)
    const own = await ask(request('GET /own'))
    t.equal(own.status, 503, name)
    t.match(own.value, isEngine ? { code: 'overloaded' } : { code: 'FST_UNDER_PRESSURE' }, name)
  }
})

t.test('the status route works beside the contract', async (t) => {
  const extend = async (app: FastifyInstance) =>
    void (await app.register(underPressure, { exposeStatusRoute: '/status' }))
  for (const { name, base, ask } of await hosts(t, { extend })) {
    t.match(await ask(request('GET /status')), { status: 200, value: { status: 'ok' } }, name)
    t.equal((await ask(request(`GET ${base}/things`, undefined, token))).status, 200, name)
  }
})
