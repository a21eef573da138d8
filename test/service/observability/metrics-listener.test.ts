import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Test, test } from 'tap'
import { createMetrics, listenForMetrics } from '../../../src/service/observability/metrics.ts'

const listen = async (t: Test) => {
  const listener = await listenForMetrics(createMetrics().registry, 0)
  t.teardown(() => listener.close())
  return listener.url
}

test('GET /metrics is the exposition format', async (t) => {
  const answer = await fetch(await listen(t))
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), 'text/plain; version=0.0.4')
  t.match(await answer.text(), /^process_cpu_seconds_total /m)
})

const others: readonly { path: string; method: string; status: number }[] = [
  { path: '/metrics', method: 'HEAD', status: 200 },
  { path: '/metrics', method: 'POST', status: 405 },
  { path: '/', method: 'GET', status: 404 },
  { path: '/plants', method: 'POST', status: 404 }
]

test('other paths and methods are refused', async (t) => {
  const url = await listen(t)
  for (const { path, method, status } of others) {
    const answer = await fetch(new URL(path, url), { method })
    t.equal(answer.status, status, `${method} ${path}`)
    t.equal(await answer.text(), '')
  }
})

const hosts: readonly (readonly [listening: string, host: string, status: number])[] = [
  ['127.0.0.1', 'localhost', 200],
  ['127.0.0.1', '127.0.0.1:9464', 200],
  ['127.0.0.1', '[::1]', 200],
  ['127.0.0.1', 'page.example', 421],
  ['127.0.0.1', 'localhost.page.example:9464', 421],
  ['localhost', 'page.example', 421],
  ['0.0.0.0', 'plant-store.default.svc', 200]
]

test('a page whose name leads here by DNS reads no metrics', async (t) => {
  for (const [listening, host, status] of hosts) {
    const listener = await listenForMetrics(createMetrics().registry, 0, listening)
    // fetch sends a Host of its own.
    const [answer] = (await once(get(listener.url, { headers: { host } }), 'response')) as [IncomingMessage]
    t.equal(answer.statusCode, status, `${host} at ${listening}`)
    t.equal((await text(answer)) === '', status === 421)
    await listener.close()
  }
})

test('metrics that cannot be collected are a 500, and do not end the process', async (t) => {
  const { registry, watchStore } = createMetrics()
  watchStore().watchQueue(() => {
    throw new Error('no depth')
  })
  const { url, close } = await listenForMetrics(registry, 0)
  t.teardown(close)
  const answer = await fetch(url)
  t.strictSame([answer.status, await answer.text()], [500, '# Error: no depth\n'])
})

test('a taken port rejects with EADDRINUSE', async (t) => {
  const { port } = new URL(await listen(t))
  await t.rejects(listenForMetrics(createMetrics().registry, Number(port)), { code: 'EADDRINUSE' })
})

test('close() ends connections that are kept alive', async (t) => {
  const listener = await listenForMetrics(createMetrics().registry, 0)
  await (await fetch(listener.url)).text()
  await listener.close()
  await t.rejects(fetch(listener.url))
})

test('another address is listened on where one is given', async (t) => {
  for (const [host, url] of [
    ['::1', /^http:\/\/\[::1\]:\d+\/metrics$/],
    ['0.0.0.0', /^http:\/\/0\.0\.0\.0:\d+\/metrics$/]
  ] as const) {
    const listener = await listenForMetrics(createMetrics().registry, 0, host)
    t.teardown(() => listener.close())
    t.match(listener.url, url)
    t.equal((await fetch(listener.url)).status, 200)
  }
})

test('a connection that cannot be accepted does not end the process', async (t) => {
  let server: Server | undefined
  const onRequest = (message: unknown) => {
    server = Object(message).server
  }
  subscribe('http.server.request.start', onRequest)
  t.teardown(() => unsubscribe('http.server.request.start', onRequest))
  const url = await listen(t)
  await fetch(url)
  t.ok(server?.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })))
  t.equal((await fetch(url)).status, 200)
})
