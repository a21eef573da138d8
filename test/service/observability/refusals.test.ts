import { test } from 'tap'
import { FailureError } from '../../../src/contract/errors.ts'
import { createMetrics } from '../../../src/service/observability/metrics.ts'
import { countRefusals, failureReporter } from '../../../src/service/observability/refusals.ts'

const bodies = {
  errorBody: ({ code }: { code: string }) => ({ type: code }),
  errorLabel: (body: unknown) => String(Object(body).type)
}

const handlers = {
  refuses: async () => ({ status: 409, body: { type: 'taken' } }),
  succeeds: async () => ({ status: 200, body: { type: 'success' } })
}

test('error bodies of the engine and of handlers are counted by the label of the product', async (t) => {
  const metrics = createMetrics()
  const observers = { log: undefined, metrics }
  const counted = countRefusals(handlers, observers, bodies)
  t.strictSame(await counted.refuses(), { status: 409, body: { type: 'taken' } }, 'the answer is unchanged')
  await counted.succeeds()
  failureReporter(observers, bodies)(new FailureError('not-found').failure)
  const lines = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('http_refusals'))
  t.strictSame(lines, ['http_refusals_total{error="taken"} 1', 'http_refusals_total{error="not-found"} 1'])
})

test('without metrics handlers are not wrapped', async (t) => {
  t.equal(countRefusals(handlers, { log: undefined, metrics: undefined }, bodies), handlers)
})
