import t from 'tap'
import { shortened } from '../../../src/service/command/shortened.ts'

const format = { item: (item: string) => item.toUpperCase(), rest: (count: number) => `and ${count} more` }

const rows: readonly [items: readonly string[], wanted: readonly string[]][] = [
  [[], []],
  [
    ['a', 'b'],
    ['A', 'B']
  ],
  [
    ['a', 'b', 'c'],
    ['A', 'B', 'C']
  ],
  [
    ['a', 'b', 'c', 'd'],
    ['A', 'B', 'and 2 more']
  ]
]

t.test('a list ends with the number of items left out, unless that is one', async (t) => {
  for (const [items, wanted] of rows) t.strictSame(shortened(items, 2, format), wanted, items.join())
})
