import { globSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { formatProblems, formatRows, isColourful, paintFor, shortened } from '../../src/cli/format.ts'

const colour: readonly { isTTY?: boolean; environment: Record<string, string>; want: boolean }[] = [
  { isTTY: true, environment: {}, want: true },
  { isTTY: true, environment: { CI: 'true', TERM: 'xterm' }, want: true },
  { isTTY: true, environment: { NO_COLOR: '' }, want: true },
  { isTTY: true, environment: { NO_COLOR: '1' }, want: false },
  { isTTY: true, environment: { NO_COLOR: '0' }, want: false },
  { isTTY: true, environment: { TERM: 'dumb' }, want: false },
  { isTTY: false, environment: {}, want: false },
  { environment: { FORCE_COLOR: '1' }, want: false }
]

for (const { isTTY, environment, want } of colour) {
  const stream = isTTY === undefined ? {} : { isTTY }
  test(`${JSON.stringify({ ...stream, ...environment })} is ${want ? 'in colour' : 'plain'}`, async (t) => {
    t.equal(isColourful(stream, environment), want)
    t.equal(paintFor(stream, environment)('red', 'x'), want ? '\u001b[31mx\u001b[39m' : 'x')
  })
}

test('one file decides about colours', async (t) => {
  const files = globSync('{src,scripts,bench}/**/*.{ts,js}')
  const painting = files.filter((file) => readFileSync(file, 'utf8').includes('styleText('))
  t.strictSame(painting, ['src/cli/format.ts'])
})

test('formatRows aligns the values of all rows', async (t) => {
  const rows = [
    ['service', 'a'],
    ['docs', 'b']
  ] as const
  t.equal(formatRows(rows), '  service  a\n  docs     b')
})

test('formatProblems writes one line for each problem, then the next step', async (t) => {
  const plain = paintFor({}, {})
  t.equal(formatProblems(['a', 'b'], plain, 'do c'), 'a\nb\ndo c\n')
  t.equal(formatProblems(['a\nb\x1b[2J'], plain, 'c\u202e\x07'), 'a\nb\ufffd[2J\nc\ufffd\ufffd\n')
  const painted = formatProblems(['a'], paintFor({ isTTY: true }, {}), 'do c')
  t.equal(painted, '\u001b[31ma\u001b[39m\ndo c\n', 'only the problem is red')
})

const format = { item: (item: string) => item.toUpperCase(), rest: (count: number) => `and ${count} more` }

const lists: readonly [items: readonly string[], wanted: readonly string[]][] = [
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

test('a list ends with the number of items left out, unless that is one', async (t) => {
  for (const [items, wanted] of lists) t.strictSame(shortened(items, 2, format), wanted, items.join())
})
