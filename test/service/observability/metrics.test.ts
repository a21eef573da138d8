import { test } from 'tap'
import { createMetrics } from '../../../src/service/observability/metrics.ts'

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

test('metrics of the process and its event loop are included', async (t) => {
  const exposed = await createMetrics().registry.metrics()
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes'
  ]) {
    t.match(exposed, new RegExp(`^${name} [0-9.e+-]+$`, 'm'))
  }
})

test('beyond 500 labels of error bodies, others are counted together', async (t) => {
  const { refusal, registry } = createMetrics()
  for (let label = 0; label < 600; label += 1) for (const _ of [1, 2]) refusal(`label ${label}`)
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('http_refusals'))
  t.equal(lines.length, 501)
  t.equal(lines.at(-1), 'http_refusals_total{error="other"} 200')
  t.equal(lines[0], 'http_refusals_total{error="label 0"} 2')
})
