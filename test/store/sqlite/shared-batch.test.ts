import t from 'tap'
import { SharedBatch } from '../../../src/store/sqlite/shared-batch.ts'
import type { StoredPlant } from '../../../src/store/store.ts'

t.test('a batch arrives as it was written, in memory of its size', async (t) => {
  const table: StoredPlant[][] = [
    [],
    [{ id: 1n, document: '{}' }],
    [
      { id: 9223372036854775807n, document: '{"name":"\\u0000\\ud800\u2028\u{1f331}"}' },
      { id: -9223372036854775808n, document: '' },
      { id: 0n, document: JSON.stringify({ name: '\uffff'.repeat(100_000) }) }
    ]
  ]
  for (const plants of table) {
    const memory = new SharedArrayBuffer(SharedBatch.sizeOf(plants))
    new SharedBatch(memory).write(plants, 1.5)
    t.same(new SharedBatch(memory).read(), { plants, deadline: 1.5 })
  }
})

t.test('memory that held a larger batch is used again', async (t) => {
  const batch = new SharedBatch(new SharedArrayBuffer(4096))
  for (const document of ['{"name":"Monstera deliciosa"}', '{}']) {
    batch.write([{ id: 1n, document }], 0)
    t.same(batch.read().plants, [{ id: 1n, document }])
  }
})

t.test('an id that is not an int64 is refused, never wrapped', async (t) => {
  const batch = new SharedBatch(new SharedArrayBuffer(4096))
  for (const id of [2n ** 63n, -(2n ** 63n) - 1n])
    t.throws(() => batch.write([{ id, document: '{}' }], 0), RangeError)
})
