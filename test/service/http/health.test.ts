import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Test, test } from 'tap'
import type { ServiceStore } from '../../../src/service/definition.ts'
import { isProbe, registerHealth, sharedProbe, storeReadiness } from '../../../src/service/http/health.ts'
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

const storeOf = (ready: () => unknown) => ({ depth: 0, ready, close: async () => {} }) as ServiceStore

test('a store is ready when it says so, and a service without a store is', async (t) => {
  t.equal(
    await storeReadiness(
      storeOf(async () => true),
      undefined
    )(),
    true
  )
  t.equal(await storeReadiness(undefined, undefined)(), true)
  t.equal(
    await storeReadiness({ close: () => undefined }, undefined)(),
    true,
    'and a store that does not say'
  )
})

const crash = (): never => {
  throw new Error('secret')
}
const wrong: Readonly<Record<string, () => unknown>> = {
  'says no': async () => false,
  'says nothing': async () => undefined,
  'says a text': () => 'yes',
  throws: crash,
  rejects: async () => crash()
}

for (const [what, ready] of Object.entries(wrong)) {
  test(`a store that ${what} is not ready`, async (t) => {
    const lines: Record<string, unknown>[] = []
    const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
    t.equal(await storeReadiness(storeOf(ready), log)(), false)
    t.equal(
      lines.filter(({ callback }) => callback === 'store.ready').length,
      /throws|rejects/.test(what) ? 1 : 0
    )
    t.equal(await storeReadiness(storeOf(ready), undefined)(), false)
  })
}

test('a store that never answers is not ready, and is not asked again while it has not answered', async (t) => {
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const isReady = storeReadiness(
    storeOf(() => {
      asked += 1
      return promise
    }),
    undefined,
    10
  )
  // The timer of the bound does not keep a process alive.
  const alive = setInterval(() => undefined, 10)
  t.strictSame([await isReady(), await isReady(), asked], [false, false, 1])
  resolve(true)
  t.equal(await isReady(), true)
  t.equal(await isReady(), true)
  t.equal(asked, 2)
  clearInterval(alive)
})
