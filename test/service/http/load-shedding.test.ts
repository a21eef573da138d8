import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { test } from 'tap'
import { shedLoad } from '../../../src/service/http/load.ts'
import { until } from '../../time.ts'
import { createService } from './service.ts'

t.setTimeout(900_000)

const block = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Makes each turn of the event loop late until the returned function is called. */
function blockTurns(): () => Promise<void> {
  let isBusy = true
  const busy = (async () => {
    while (isBusy) {
      block(700)
      await sleep(0)
    }
  })()
  return () => {
    isBusy = false
    return busy
  }
}

/** Sends requests until one is refused; returns the last answer. */
async function ask(app: FastifyInstance, turns: number) {
  let answer = await app.inject('/')
  for (let turn = 0; turn < turns && answer.statusCode === 200; turn++) {
    await sleep(100)
    answer = await app.inject('/')
  }
  return answer
}

test('while the event loop is late, requests get 503 and health checks do not; afterwards requests are answered again', async (t) => {
  const app = createService(t)
  await shedLoad(app, ({ url }) => url === '/-/live')
  app.get('/', async () => 'ok')
  app.get('/-/live', async () => 'ok')
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.equal((await app.inject('/')).statusCode, 200)
  const end = blockTurns()
  const refused = await ask(app, 50)
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '1' } })
  t.match(refused.json(), { code: 'overloaded' })
  t.equal((await app.inject('/-/live')).statusCode, 200)
  block(1_100)
  t.equal((await app.inject('/')).statusCode, 200, 'an outdated sample refuses nothing')
  await end()
  const isAnswered = async () => (await app.inject('/')).statusCode === 200
  // The first sample after the load shows its last turns.
  await sleep(700)
  await until(isAnswered)
  t.ok(await isAnswered())
})

test('a service without a port, as in a test, refuses nothing', async (t) => {
  const app = createService(t)
  await shedLoad(app, () => false)
  app.get('/', async () => 'ok')
  const end = blockTurns()
  t.equal((await ask(app, 8)).statusCode, 200)
  await end()
})
