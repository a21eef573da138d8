import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { isProbe, registerHealth, sharedProbe } from '../../../src/service/http/health.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { createService } from './service.ts'

const interval = 500

/** Replaces the clock of the probes: the returned function lets the interval pass. */
function clock(t: Test): () => Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  return async () => {
    mock.timers.tick(interval)
    await nextTurn()
  }
}

test('however many ask at once, one probe answers them', async (t) => {
  const pass = clock(t)
  let probes = 0
  const asked = sharedProbe(async () => {
    probes += 1
    return probes
  }, interval)
  const answers = await Promise.all(Array.from({ length: 1_000 }, asked))
  t.equal(probes, 1)
  t.strictSame([...new Set(answers)], [1])
  t.equal(await asked(), 1, 'the answer is kept for the interval')
  await pass()
  t.equal(await asked(), 2, 'and asked for again after it')
})

test('no probe begins while another one runs, however long it takes', async (t) => {
  const pass = clock(t)
  let probes = 0
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const asked = sharedProbe(() => {
    probes += 1
    return promise
  }, interval)
  const first = asked()
  for (let turn = 0; turn < 20; turn += 1) {
    await pass()
    asked()
  }
  t.equal(probes, 1)
  resolve(true)
  t.equal(await first, true)
})

test('/-/ready gives the reason, and each change is logged once', async (t) => {
  const pass = clock(t)
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const app = createService(t)
  let problem: string | undefined = 'the store is unavailable'
  let isDraining = false
  registerHealth(app, '', { isDraining: () => isDraining, problem: async () => problem, log })
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/-/ready')))
    return [...new Set(answers.map(({ statusCode }) => statusCode))]
  }
  t.match((await app.inject('/-/ready')).json(), { code: 'unavailable', message: 'the store is unavailable' })
  t.strictSame(await statuses(), [503])
  problem = undefined
  await pass()
  t.strictSame(await statuses(), [200])
  t.match(lines, [
    { level: 40, msg: 'not ready', reason: 'the store is unavailable' },
    { level: 30, msg: 'ready again' }
  ])
  t.equal(lines.length, 2)
  isDraining = true
  t.match((await app.inject('/-/ready')).json(), { message: 'the service is shutting down' }, 'at once')
  t.equal((await app.inject('/-/live')).statusCode, 200)
})

test('health checks are distinguished from other requests', async (t) => {
  const app = createService(t)
  const probes: string[] = []
  app.addHook('onRequest', async (request) => {
    if (isProbe(request)) probes.push(request.url)
  })
  registerHealth(app, '/shop', { isDraining: () => false, problem: async () => undefined, log: undefined })
  app.get('/other', async () => 'x')
  for (const url of ['/shop/-/live', '/other', '/shop/-/ready', '/-/live']) await app.inject(url)
  t.strictSame(probes, ['/shop/-/live', '/shop/-/ready'])
})
