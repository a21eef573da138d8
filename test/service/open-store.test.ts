import { test } from 'tap'
import type { ServiceStore } from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { depthOf, hasQueue } from '../../src/service/run.ts'

const rows: readonly [string, () => unknown, number][] = [
  ['a number', () => 3, 3],
  ['a text', () => '3', Number.NaN],
  ['nothing', () => undefined, Number.NaN],
  [
    'an error',
    () => {
      throw new Error('secret')
    },
    Number.NaN
  ]
]

for (const [what, get, depth] of rows) {
  test(`a store whose depth is ${what} has ${depth} writes that wait`, async (t) => {
    const lines: Record<string, unknown>[] = []
    const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
    const store = Object.defineProperty({}, 'depth', { get }) as ServiceStore
    t.same(depthOf(store, log), depth)
    t.strictSame(
      lines.map(({ callback }) => callback),
      depth === 3 ? [] : ['store.depth']
    )
  })
}

test('a store without a queue has no number of writes that wait', async (t) => {
  t.equal(hasQueue({ close: () => undefined }), false)
  t.equal(hasQueue({ depth: 0, close: () => undefined }), true)
})
