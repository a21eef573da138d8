import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'tap'
import { shedLoad } from '../../../src/service/http/load-shedding.ts'
import { until } from '../../time.ts'
import { createService } from './service.ts'

const block = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('while the event loop is late, requests get 503 and health checks do not; afterwards requests are answered again', async (t) => {
  const app = createService(t)
  await shedLoad(app, ({ url }) => url === '/-/live')
  app.get('/', async () => 'ok')
  app.get('/-/live', async () => 'ok')
  t.equal((await app.inject('/')).statusCode, 200)
  let isBusy = true
  const busy = (async () => {
    while (isBusy) {
      block(700)
      await sleep(0)
    }
  })()
  let refused = await app.inject('/')
  for (let turn = 0; turn < 50 && refused.statusCode === 200; turn++) {
    await sleep(100)
    refused = await app.inject('/')
  }
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '1' } })
  t.match(refused.json(), { code: 'overloaded' })
  t.equal((await app.inject('/-/live')).statusCode, 200)
  block(1_100)
  t.equal((await app.inject('/')).statusCode, 200, 'an outdated sample refuses nothing')
  isBusy = false
  await busy
  const isAnswered = async () => (await app.inject('/')).statusCode === 200
  // The first sample after the load shows its last turns.
  await sleep(700)
  await until(isAnswered)
  t.ok(await isAnswered())
})
