import Fastify from 'fastify'
import t from 'tap'
import { reloadPages } from '../../../../src/compiler/command/dev/live-reload.ts'
import type { Operation } from '../../../../src/engine/server.ts'

t.setTimeout(900_000)

const others = process.listeners('message')
reloadPages()
const [end] = process.listeners('SIGTERM')
const [receive] = process.listeners('message').filter((each) => !others.includes(each))

const html = '<h1>docs</h1>'
const json = '{}'
const script = /^<h1>docs<\/h1><script src="\/a&amp;b\/-\/reload\.js" data-version="\w+"><\/script>\n$/
/** Paths below the host, the media type and body of their routes, and what is sent. */
const pages: readonly (readonly [path: string, type: string, body: string, sent: string | RegExp])[] = [
  ['/a&b/docs', 'text/html; charset=utf-8', html, script],
  ['/a&b/docs/', 'text/html', html, script],
  ['/a&b/docs?x="><script>', 'text/html', html, script],
  ['/a&b/team/docs', 'application/json', json, json],
  ['/a&b/team/docs', 'text/html', html, html],
  ['/docs', 'text/html', html, html],
  ['/a&b/docs', 'application/json', json, json],
  ['/a&b/team/-/reload', 'application/json', json, json],
  ['/a&b/team/-/reload.js', 'application/json', json, json]
]
for (const [path, type, body, sent] of pages)
  t.test(`the script is added to the docs page alone: ${path}, ${type}`, async (t) => {
    const app = Fastify().decorate('basePath', '/a&b')
    app.get(path.replace(/\?.*/, ''), (_request, reply) => reply.type(type).send(body))
    t.match((await app.inject(path)).payload, typeof sent === 'string' ? new RegExp(`^${sent}$`) : sent)
    await app.close()
  })

t.test('an operation at the path of the docs page is served as it is', async (t) => {
  const app = Fastify()
  app.get('/docs', { config: { operation: {} as Operation } }, (_request, reply) =>
    reply.type('text/html').send(html)
  )
  t.equal((await app.inject('/docs')).payload, html)
  await app.close()
})

const hosts: readonly (readonly [host: string, status: number])[] = [
  ['localhost:3000', 200],
  ['app.localhost', 200],
  ['127.0.0.1:3000', 200],
  ['[::1]:3000', 200],
  ['192.168.1.7:3000', 200],
  ['my.test', 200],
  ['named', 200],
  ['page.example:3000', 421],
  ['localhost.page.example', 421],
  ['127.0.0.1.page.example', 421]
]
t.test('a page whose name leads here by DNS reads nothing', async (t) => {
  t.intercept(process, 'env', { value: { ...process.env, HOST: 'named', BASE_URL: 'http://my.test/v1' } })
  for (const [host, status] of hosts) {
    const app = Fastify()
    app.get('/plants', () => 'mine')
    t.equal((await app.inject({ url: '/plants', headers: { host } })).statusCode, status, host)
    t.equal((await app.inject({ url: '/-/reload.js', headers: { host } })).statusCode, status, host)
    await app.close()
  }
})

t.test('a server that ends closes the streams, and leaves requests to the next one', async (t) => {
  const app = Fastify()
  app.get('/docs', (_request, reply) => reply.code(204).send())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  t.equal((await fetch(`${url}/docs`)).status, 204, 'a page without a text gets no script')
  const stream = await fetch(`${url}/-/reload`)
  receive?.({ notice: { title: 'the types are wrong', text: 'a.ts:1:1 wrong\nagain' } }, undefined)
  receive?.(true, undefined)
  receive?.({ notice: null }, undefined)
  end?.('SIGTERM')
  const good = 'event: notice\ndata: null\n\n'
  const bad = 'event: notice\ndata: {"title":"the types are wrong","text":"a.ts:1:1 wrong\\nagain"}\n\n'
  const [, sent] = /^retry: 50\ndata: \w+\n\n([\s\S]*)$/.exec(await stream.text()) ?? []
  t.equal(sent, good + bad + good)
  await t.rejects(fetch(`${url}/docs`))
})
