import { test } from 'tap'
import type { ServiceStore } from '../../../src/service/definition.ts'
import { registerHealth, storeReadiness } from '../../../src/service/http/health.ts'
import { createLog, silentLog } from '../../../src/service/observability/log.ts'
import { sleep, until } from '../../time.ts'
import { createService } from './service.ts'

test('/-/ready gives the reason, and each change is logged once', async (t) => {
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
    t.equal(await storeReadiness(store, log)(), isReady, what)
    t.match(lines, /throws|rejects/.test(what) ? [/"callback":"store.ready"/] : [], what)
  }
})

/** Returns a store with a count of its questions, each answered by `answer`. */
function counting(answer: () => Promise<boolean>) {
  const questions = { count: 0 }
  const store = storeOf(() => {
    questions.count += 1
    return answer()
  })
  return { questions, store }
}

test('however many ask at once, the store is asked once, and again after the interval', async (t) => {
  const { questions, store } = counting(async () => true)
  const isReady = storeReadiness(store, silentLog(), { intervalMs: 100, maxMs: 1_000 })
  const answers = await Promise.all(Array.from({ length: 1_000 }, isReady))
  t.strictSame([...new Set(answers)], [true])
  t.equal(await isReady(), true)
  t.equal(questions.count, 1, 'the answer is kept for the interval')
  await sleep(200)
  t.equal(await isReady(), true)
  t.equal(questions.count, 2)
})

test('a store that never answers is not ready, and is not asked again while it has not answered', async (t) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const { questions, store } = counting(() => promise)
  const isReady = storeReadiness(store, silentLog(), { intervalMs: 1, maxMs: 10 })
  // The timers of the function do not keep a process alive.
  const alive = setInterval(() => undefined, 10)
  t.equal(await isReady(), false)
  await sleep(20)
  t.strictSame([await isReady(), questions.count], [false, 1])
  resolve(true)
  await until(isReady)
  t.equal(questions.count, 2)
  clearInterval(alive)
})
