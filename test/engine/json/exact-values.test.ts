import t from 'tap'
import { isSameValue } from '../../../src/engine/json/exact-values.ts'

const table: readonly [one: unknown, other: unknown, same: boolean][] = [
  [1, 1n, true],
  [-0, 0, true],
  [2n ** 53n + 1n, 2n ** 53n + 1n, true],
  [2n ** 53n + 1n, 2n ** 53n, false],
  [0.1, 0.1, true],
  [1, '1', false],
  ['a', '\u0061', true],
  ['a', 'A', false],
  [null, null, true],
  [null, {}, false],
  [null, undefined, false],
  [true, false, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ toString: 1 }, {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 1], false],
  [[], {}, false],
  [{}, [], false],
  [{ a: [{ b: [] }] }, { a: [{ b: [] }] }, true]
]

t.test('values are compared as JSON, however they were spelled', async (t) => {
  for (const [index, [one, other, same]] of table.entries()) {
    t.equal(isSameValue(one, other), same, `row ${index}`)
    t.equal(isSameValue(other, one), same, `row ${index}, the other way round`)
  }
})
