/** Repetitions of regular expressions, and shorter expressions with the same ones. */
import t from 'tap'
import { repetitionsOf, simplified } from '../../../../src/compiler/compile/validators/patterns.ts'

const many = Infinity

const counted: readonly [source: string, counts: readonly number[], hasGroup: boolean][] = [
  ['^abc$', [], false],
  ['^a+b*?$', [many, many], false],
  ['^a{2}b{2,5}c{2,}$', [5, many], false],
  ['a+', [many, many], false],
  ['^a+|b', [many, many], false],
  ['^(a|b)', [many], false],
  ['^\\+\\*\\(\\)\\{2,3}[+*)|]$', [], false],
  ['^[^\\]+]$', [], false],
  ['^\\u{41}\\p{L}{1,2}$', [2], false],
  ['^(a+)\\1$', [many, many], false],
  ['^(?:a|b)+$', [many, many], true],
  ['^(ab){3}$', [], true],
  ['^(ab)?$', [], false]
]

t.test('repetitions are counted by their largest number', async (t) => {
  for (const [source, counts, hasGroup] of counted)
    t.strictSame(repetitionsOf(source), { counts, hasGroup }, source)
})

const shorter: readonly [source: string, want: string][] = [
  ['^a{0,61}b{1,9}$', '^a*b+$'],
  ['^a{2,}b{,3}$', '^a+b{,3}$'],
  ['^\\d{1,3}a{2}$', '^\\d{1,3}a{2}$'],
  ['^([0-9a-f]{32}-?)*$', '^([0-9a-f]{3}-?)*$'],
  ['^(ab?){3,20}(cd?){21}(ef?){0,99}$', '^(ab?){3,20}(cd?)+(ef?)*$'],
  ['^\\u{1000}[{9,99}]\\{9,99}$', '^\\u{1000}[{9,99}]\\{9,99}$'],
  ['(?i:^a(?-i:b))', '(?:^a(?:b))'],
  ['^(?<name>a)(?=b)(?!c)$', '^(?<name>a)(?=b)(?!c)$']
]

t.test('large counts become short', async (t) => {
  for (const [source, want] of shorter) t.equal(simplified(source), want, source)
})
