import t from 'tap'
import { formatChanges } from '../../../../src/compiler/command/generate/report.ts'

const names = (count: number, prefix = 'Schema') =>
  Array.from({ length: count }, (_, index) => `+ ${prefix}${index}`)

t.test('no change is one sentence', async (t) => {
  t.equal(formatChanges(new Map()), 'nothing has changed')
})

t.test('short changes share a line', async (t) => {
  const changes = new Map([
    ['operations', ['+ a', '- b']],
    ['undecided', ['a header']]
  ])
  t.equal(formatChanges(changes), 'operations: + a, - b   undecided: a header')
})

t.test('long changes take a line for each subject', async (t) => {
  const changes = new Map([
    ['operations', names(4, 'aLongNameOfAnOperation')],
    ['schemas', ['+ Thing']]
  ])
  t.strictSame(formatChanges(changes).split('\n').slice(1), ['schemas: + Thing'])
})

t.test('each subject shows twelve changes and counts the rest', async (t) => {
  for (const [count, end] of [
    [12, 'Schema11'],
    [13, 'Schema12'],
    [14, 'Schema11, and 2 more'],
    [40, 'Schema11, and 28 more']
  ] as const) {
    t.ok(formatChanges(new Map([['schemas', names(count)]])).endsWith(`, + ${end}`))
  }
})
