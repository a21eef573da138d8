import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Test, test } from 'tap'
import type { ServiceStore } from '../../../src/service/definition.ts'
import { registerHealth, sharedProbe, storeReadiness } from '../../../src/service/http/health.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { createService } from './service.ts'

/** Replaces the clock of the probes: the returned function lets the interval pass. */
function clock(t: Test): () => Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  return async () => {
    mock.timers.tick(500)
    await nextTurn()
  }
}

test('however many ask at once, one probe answers them', async (t) => {
  const pass = clock(t)
  let probes = 0
  const asked = sharedProbe(async () => {
    probes += 1
    return probes
  })
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
  })
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

const storeOf = (ready: () => unknown) => ({ depth: 0, ready, close: async () => {} }) as ServiceStore

/** Stores, and true for those that are ready; an error is logged. */
const stores: readonly (readonly [what: string, store: ServiceStore | undefined, isReady: boolean])[] = [
  ['there is none', undefined, true],
  ['it is not asked', { close: () => undefined }, true],
  ['it says so', storeOf(async () => true), true],
  ['it says no', storeOf(async () => false), false],
  ['it says nothing', storeOf(async () => undefined), false],
  ['it says a text', storeOf(() => 'yes'), false],
  ['it rejects', storeOf(() => Promise.reject(new Error('secret'))), false],
  [
    'it throws',
    storeOf(() => {
      throw new Error('secret')
    }),
    false
  ]
]

test('a store is ready only when it says so, or cannot say', async (t) => {
  for (const [what, store, isReady] of stores) {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    t.strictSame(
      [await storeReadiness(store, log)(), await storeReadiness(store, undefined)()],
      [isReady, isReady]
    )
    t.match(lines, /throws|rejects/.test(what) ? [/"callback":"store.ready"/] : [], what)
  }
})

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
