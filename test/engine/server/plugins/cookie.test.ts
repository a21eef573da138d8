/** Contract beside @fastify/cookie. */
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { hosts } from './hosts.ts'

t.test('hooks set cookies on answers of the contract, beside those of its handlers', async (t) => {
  const extend = (app: FastifyInstance) => {
    app.register(cookie)
    app.addHook('onRequest', async ({ cookies }, reply) => void reply.setCookie('seen', cookies.seen ?? 'no'))
    app.get('/own', async ({ cookies }) => cookies)
  }
  const handlers = {
    getThing: () => ({ status: 200, body: {}, headers: { 'set-cookie': ['a=1', 'b=2'] } })
  }
  for (const { name, base, app, ask } of await hosts(t, { extend, handlers })) {
    const sent = { Cookie: 'seen=yes' }
    t.same((await ask(request('GET /own', undefined, sent))).value, { seen: 'yes' }, name)
    const setBy = async (url: string) =>
      [(await app.inject({ url, headers: { cookie: 'seen=yes' } })).headers['set-cookie']].flat()
    t.same((await setBy(`${base}/things/7`)).sort(), ['a=1', 'b=2', 'seen=yes; SameSite=Lax'], name)
    t.same(await setBy(`${base}/things`), ['seen=yes; SameSite=Lax'], `${name}: 401`)
    t.same(await setBy('/own'), ['seen=yes; SameSite=Lax'], name)
  }
})
