/** Contract beside @fastify/helmet. */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { hosts, token } from './hosts.ts'

t.test('every answer has the headers of the plugin', async (t) => {
  const extend = (app: FastifyInstance) => {
    app.register(helmet)
    app.get('/own', async () => ({ own: true }))
  }
  for (const { name, base, ask } of await hosts(t, { extend }))
    for (const [status, text] of [
      [200, request(`GET ${base}/things`, undefined, token)],
      [401, request(`GET ${base}/things`)],
      [415, request(`POST ${base}/things`, 'x', { 'Content-Type': 'text/plain' })],
      [405, request(`PATCH ${base}/things`)],
      [404, request(`GET ${base}/nowhere`)],
      [200, request('GET /own')]
    ] as const) {
      const answer = await ask(text)
      t.equal(answer.status, status, name)
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff', `${name}: ${status}`)
      t.match(answer.headers.get('content-security-policy'), /default-src/, `${name}: ${status}`)
    }
})
