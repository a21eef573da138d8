import { test } from 'tap'
import type { ServiceStore } from '../../../src/service/definition.ts'
import { storeReadiness } from '../../../src/service/http/health.ts'
import { createLog } from '../../../src/service/observability/log.ts'

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
