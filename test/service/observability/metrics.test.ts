import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Test, test } from 'tap'
import { createMetrics, listenForMetrics } from '../../../src/service/observability/metrics.ts'

const lines = (text: string): string[] => text.split('\n').filter((line) => /^[^#]/.test(line))

test('every observation appears in the exposition', async (t) => {
  const metrics = createMetrics()
  metrics.request('createPlant', 200, 3)
  metrics.request('createPlant', 400, 300)
  metrics.refusal(4001)
  metrics.refusal(4001)
  const store = metrics.watchStore()
  store.commit({ size: 7, milliseconds: 20, error: undefined })
  store.commit({ size: 1, milliseconds: 9_000, error: new Error() })
  let depth = 5
  let wal = 4096
  store.watchQueue(() => depth)
  store.watchWal(
    () => wal,
    () => 9
  )
  const wanted = [
    'http_request_duration_seconds_bucket{le="0.0025",operation="createPlant",status="200"} 0',
    'http_request_duration_seconds_bucket{le="0.005",operation="createPlant",status="200"} 1',
    'http_request_duration_seconds_count{operation="createPlant",status="400"} 1',
    'http_refusals_total{error="4001"} 2',
    'store_commit_duration_seconds_count{outcome="committed"} 1',
    'store_commit_duration_seconds_sum{outcome="failed"} 9',
    'store_batch_size_sum 8',
    'store_queue_depth 5',
    'store_wal_bytes 4096',
    'store_checkpoints_total 9'
  ]
  const exposed = lines(await metrics.registry.metrics())
  for (const line of wanted) t.ok(exposed.includes(line), line)
  depth = 0
  wal = 0
  const later = lines(await metrics.registry.metrics())
  for (const line of ['store_queue_depth 0', 'store_wal_bytes 0', 'store_checkpoints_total 9'])
    t.ok(later.includes(line), `${line}: read at each scrape`)
})

test('beyond 500 labels of error bodies, others are counted together', async (t) => {
  const { refusal, registry } = createMetrics()
  for (let label = 0; label < 600; label += 1) for (const _ of [1, 2]) refusal(`label ${label}`)
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('http_refusals'))
  t.equal(lines.length, 501)
  t.equal(lines.at(-1), 'http_refusals_total{error="other"} 200')
  t.equal(lines[0], 'http_refusals_total{error="label 0"} 2')
})

const listen = async (t: Test) => {
  const listener = await listenForMetrics(createMetrics().registry, 0)
  t.teardown(() => listener.close())
  return listener.url
}

test('GET /metrics is the exposition format, with the process and its event loop; other paths and methods are refused', async (t) => {
  const url = await listen(t)
  const answer = await fetch(url)
  t.match(answer.headers.get('content-type'), 'text/plain; version=0.0.4')
  const exposed = await answer.text()
  const names = ['nodejs_eventloop_lag_p99', 'process_cpu_seconds_total', 'process_resident_memory_bytes']
  for (const name of names) t.match(exposed, new RegExp(`^${name}\\w* [0-9.e+-]+$`, 'm'))
  for (const [method, path, status] of [
    ['HEAD', '/metrics', 200],
    ['POST', '/metrics', 405],
    ['GET', '/', 404]
  ] as const) {
    const refused = await fetch(new URL(path, url), { method })
    t.strictSame([refused.status, await refused.text()], [status, ''], `${method} ${path}`)
  }
})

const hosts: readonly (readonly [listening: string, host: string, status: number])[] = [
  ['127.0.0.1', 'localhost', 200],
  ['127.0.0.1', '[::1]', 200],
  ['127.0.0.1', 'page.example', 421],
  ['127.0.0.1', 'localhost.page.example:9464', 421],
  ['::1', 'localhost', 200],
  ['0.0.0.0', 'plant-store.default.svc', 200]
]

test('a page whose name leads here by DNS reads no metrics', async (t) => {
  for (const [listening, host, status] of hosts) {
    const listener = await listenForMetrics(createMetrics().registry, 0, listening)
    t.match(listener.url, /^http:\/\/(127\.0\.0\.1|0\.0\.0\.0|\[::1\]):\d+\/metrics$/)
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
