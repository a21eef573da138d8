/** Contract beside @fastify/rate-limit. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { hosts, token } from './hosts.ts'

t.test('a request beyond the limit gets 429 with Retry-After, in the shape of its route', async (t) => {
  const extend = async (app: FastifyInstance) => {
    await app.register(rateLimit, { max: 2, timeWindow: 60_000, keyGenerator: ({ url }) => url })
    app.get('/own', async () => ({ own: true }))
  }
  for (const { name, base, isEngine, ask } of await hosts(t, { extend })) {
    const things = request(`GET ${base}/things`, undefined, token)
    const first = await ask(things)
    t.equal(first.status, 200, name)
    t.equal(first.headers.get('x-ratelimit-remaining'), '1', name)
    await ask(things)
    const refused = await ask(things)
    t.equal(refused.status, 429, name)
    t.match(refused.headers.get('retry-after'), /^\d+$/, name)
    t.match(refused.value, { code: 'too-many-requests' }, name)
    for (let sent = 0; sent < 2; sent++) await ask(request('GET /own'))
    const own = await ask(request('GET /own'))
    t.equal(own.status, 429, name)
    t.match(own.headers.get('retry-after'), /^\d+$/, name)
    t.match(own.value, isEngine ? { code: 'too-many-requests' } : { statusCode: 429 }, name)
  }
})

t.test('refused credentials are counted where the limit is a hook of the application', async (t) => {
  const rows: [isGlobal: boolean, statuses: number[]][] = [
    [true, [401, 401, 401]],
    [false, [401, 401, 429]]
  ]
  for (const [isGlobal, statuses] of rows) {
    const extend = async (app: FastifyInstance) => {
      await app.register(rateLimit, { max: 2, global: isGlobal })
      if (!isGlobal) app.addHook('onRequest', app.rateLimit())
    }
    for (const { name, base, ask } of await hosts(t, { extend })) {
      const got: number[] = []
      for (const _each of statuses) got.push((await ask(request(`GET ${base}/things`))).status)
      t.same(got, statuses, name)
    }
  }
})
