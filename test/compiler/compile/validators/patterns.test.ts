/** Patterns of a contract that take long on a text that they do not match. */
import t from 'tap'
import {
  PatternChecks,
  repetitionsOf,
  simplified
} from '../../../../src/compiler/compile/validators/patterns.ts'

const email = '^[^@]+@[^@]+\\.[^@]+$'
const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
const exponential = { degree: Infinity, maxLength: 0 }

const rows: readonly [source: string, maxLength: number, want: object | undefined][] = [
  ['^[a-z]+$', Infinity, undefined],
  ['^\\S.*\\S$', Infinity, undefined],
  ['^(\\d+\\.)+\\d+$', Infinity, undefined],
  ['^([01]?\\d{1,2}|25[0-5])(\\.([01]?\\d{1,2}|25[0-5])){3}$', Infinity, undefined],
  [`^${label}(\\.${label})*$`, Infinity, undefined],
  ['^.{1,500}.{1,500}$', Infinity, undefined],
  ['^.{1,5000}.{1,5000}$', Infinity, { degree: 2, maxLength: 2048 }],
  ['[a-z]{1,500}$', Infinity, { degree: 2, maxLength: 16384 }],
  ['^([a-z]{1,20}){1,10}$', Infinity, { degree: 10, maxLength: 4 }],
  [email, Infinity, { degree: 2, maxLength: 2048 }],
  [email, 3163, { degree: 2, maxLength: 2048 }],
  [email, 3162, undefined],
  ['^(a+)\\1$', Infinity, { degree: 2, maxLength: 2048 }],
  ['\\d+$', Infinity, { degree: 2, maxLength: 2048 }],
  ['(?i:^a+a+$)', Infinity, { degree: 2, maxLength: 2048 }],
  ['^a*a*a*$', 216, { degree: 3, maxLength: 128 }],
  ['^a*a*a*$', 215, undefined],
  ['^(a+)+$', 5, exponential],
  ['^[a-zA-Z0-9_-]+(\\s?[a-zA-Z0-9_-]+)*$', Infinity, exponential],
  ['^(a|aa){2,}$', Infinity, exponential],
  ['^(a|aa){25}$', Infinity, exponential]
]

for (const [source, maxLength, want] of rows)
  t.test(`${source} for texts of at most ${maxLength} characters`, async (t) => {
    t.strictSame(new PatternChecks().slow(source, maxLength), want)
  })

t.test(
  'all patterns of a contract are checked in one time: the others are named, unless they are short',
  async (t) => {
    const checks = new PatternChecks(0.001)
    const others = Array.from({ length: 12 }, (_, index) => `^x*${index}.*y$`)
    const slow = (source: string) => checks.slow(source, Infinity)
    t.strictSame(slow('^x*x*y$'), { degree: 2, maxLength: 2048 })
    // The CPU time of a thread may advance in steps of several milliseconds.
    for (let index = 0; index < 1_000 && slow(`^w*${index}.*y$`) === undefined; index++);
    for (const source of others) t.strictSame(slow(source), { degree: undefined, maxLength: 128 }, source)
    t.equal(checks.slow('^x*0.*y$', 100), undefined)
    t.strictSame(slow('^x*x*y$'), { degree: 2, maxLength: 2048 }, 'an answer is found once')
    t.strictSame(new PatternChecks().slow('^x*0.*y$', Infinity), undefined, 'another compilation checks it')
    t.strictSame(new PatternChecks(0).slow('^x*x*y$', Infinity), undefined, 'a contract that is tried only')
  }
)

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
