import Fastify from 'fastify'
import t from 'tap'
import { reloadPages } from '../../../../src/compiler/command/dev/live-reload.ts'

t.setTimeout(900_000)

t.test('a server that ends closes the streams, and leaves requests to the next one', async (t) => {
  const others = process.listeners('message')
  reloadPages()
  const [end] = process.listeners('SIGTERM')
  const [receive] = process.listeners('message').filter((each) => !others.includes(each))
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
