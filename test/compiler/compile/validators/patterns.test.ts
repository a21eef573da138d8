/** Patterns of a contract: regular expressions, others, and those that take exponential time. */
import t from 'tap'
import { isExponential, isPattern } from '../../../../src/compiler/compile/validators/patterns.ts'

t.test('a pattern is a regular expression', async (t) => {
  t.ok(isPattern('^a+$'))
  t.notOk(isPattern('('))
})

const rows: readonly [source: string, isExponential: boolean][] = [
  ['^(a+)+$', true],
  ['^[a-zA-Z0-9_-]+(\\s?[a-zA-Z0-9_-]+)*$', true],
  ['^(\\w|\\d)+$', true],
  ['^(a|aa){2,}$', true],
  ['^[a-z]+(-[a-z]+)*$', false],
  ['^(\\d+\\.)+\\d+$', false],
  ['^[a-z]+$', false]
]

t.test('patterns that take exponential time are found', async (t) => {
  for (const [source, wanted] of rows) t.equal(isExponential(source), wanted, source)
})
