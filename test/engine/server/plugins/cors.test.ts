/** Contract beside @fastify/cors. */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { hosts, token } from './hosts.ts'

const origin = 'https://page.example'
const fromPage = { Origin: origin }

t.test('every answer has the headers of the plugin, errors included', async (t) => {
  const extend = (app: FastifyInstance) => {
    app.register(cors, { origin: [origin] })
    app.get('/own', async () => ({ own: true }))
  }
  for (const { name, base, isEngine, ask } of await hosts(t, { extend })) {
    const rows: [status: number, code: string | undefined, request: Buffer][] = [
      [200, undefined, request(`GET ${base}/things`, undefined, { ...fromPage, ...token })],
      [401, 'no-credentials', request(`GET ${base}/things`, undefined, fromPage)],
      [400, 'mismatch', request(`POST ${base}/things`, '{"size":"x"}', fromPage)],
      [405, 'method-not-allowed', request(`DELETE ${base}/things`, undefined, fromPage)],
      [200, undefined, request('GET /own', undefined, fromPage)]
    ]
    if (base !== '' || isEngine)
      rows.push([404, 'not-found', request(`GET ${base}/nowhere`, undefined, fromPage)])
    for (const [status, code, text] of rows) {
      const { headers, value, ...answer } = await ask(text)
      t.equal(answer.status, status, name)
      t.equal(headers.get('access-control-allow-origin'), origin, `${name}: ${status}`)
      if (code !== undefined) t.match(value, { code }, name)
    }
  }
})

t.test('the plugin answers preflights, with and without a route for OPTIONS', async (t) => {
  for (const hideOptionsRoute of [true, false]) {
    const extend = (app: FastifyInstance) =>
      void app.register(cors, { origin, methods: ['GET', 'POST'], hideOptionsRoute })
    for (const { name, base, ask } of await hosts(t, { extend })) {
      const preflight = { ...fromPage, 'Access-Control-Request-Method': 'POST' }
      const { status, headers } = await ask(request(`OPTIONS ${base}/things`, undefined, preflight))
      t.equal(status, 204, name)
      t.equal(headers.get('access-control-allow-origin'), origin, name)
      t.equal(headers.get('access-control-allow-methods'), 'GET, POST', name)
    }
  }
})
