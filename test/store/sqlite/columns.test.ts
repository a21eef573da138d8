import t from 'tap'
import { columnsOf, plantsOf } from '../../../src/store/sqlite/columns.ts'
import type { StoredPlant } from '../../../src/store/store.ts'

t.test('a batch arrives as it was sent', async (t) => {
  const table: StoredPlant[][] = [
    [],
    [{ id: 1n, document: '{}' }],
    [
      { id: 9223372036854775807n, document: '{"name":"\\u0000\\ud800\u2028"}' },
      { id: -9223372036854775808n, document: '' },
      { id: 0n, document: JSON.stringify({ name: 'x'.repeat(100_000) }) }
    ]
  ]
  for (const batch of table) t.same([...plantsOf(columnsOf(batch))], batch)
})

t.test('an id that is not an int64 is refused, never wrapped', async (t) => {
  for (const id of [2n ** 63n, -(2n ** 63n) - 1n])
    t.throws(() => columnsOf([{ id, document: '{}' }]), RangeError)
})
