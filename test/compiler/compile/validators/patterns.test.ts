/** Reports of a schema: patterns that take long on a text that they do not match, and keywords that are malformed or without effect. */
import { syncBuiltinESMExports } from 'node:module'
import t from 'tap'
import type { View } from '../../../../src/compiler/compile/validators/reading.ts'
import {
  cpuTime,
  degreeOf,
  PatternChecks,
  schemaProblems
} from '../../../../src/compiler/compile/validators/schema-problems.ts'
import { schemaOf } from '../../../contract/schema-of.ts'

const email = '^[^@]+@[^@]+\\.[^@]+$'
const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
const nested = `${'('.repeat(3000)}a+${')'.repeat(3000)}+$`
const long = `^(a+)+${'b'.repeat(5000)}$`
const exponential = { degree: Infinity, maxLength: 0 }
const square = { degree: 2, maxLength: 2048 }

/** Degree and recommended length of patterns that are slow for texts of a maximum length. */
const rows: readonly (readonly [source: string, maxLength: number, want?: object])[] = [
  ['^[a-z]+(-[a-z]+)*$', Infinity],
  ['^\\S.*\\S$', Infinity],
  ['^(\\d+\\.)+\\d+$', Infinity],
  ['^([01]?\\d{1,2}|25[0-5])(\\.([01]?\\d{1,2}|25[0-5])){3}$', Infinity],
  [`^${label}(\\.${label})*$`, Infinity],
  ['^.{1,500}.{1,500}$', Infinity],
  ['^\\+\\*\\(\\)\\{2,3}[+*)|][9,99]a+$', Infinity],
  ['^.{1,5000}.{1,5000}$', Infinity, square],
  ['[a-z]{1,500}$', Infinity, { degree: 2, maxLength: 16384 }],
  ['^([a-z]{1,20}){1,10}$', Infinity, { degree: 10, maxLength: 4 }],
  [email, 3163, square],
  [email, 3162],
  ['^(a+)\\1$', Infinity, square],
  ['^(?!x)[a-z-]+[a-z0-9-]+$', Infinity, square],
  ['\\d+$', Infinity, square],
  ['(?i:^a+a+$)', Infinity, square],
  ['a+a+b', Infinity, { degree: 3, maxLength: 128 }],
  ['^a*a*a*$', 216, { degree: 3, maxLength: 128 }],
  ['^a*a*a*$', 215],
  ['^(a+)+$', 5, exponential],
  ['^(\\w|\\d)+$', Infinity, exponential],
  ['^[a-zA-Z0-9_-]+(\\s?[a-zA-Z0-9_-]+)*$', Infinity, exponential],
  ['^(a|aa){25}$', Infinity, exponential],
  [nested, Infinity, { degree: undefined, maxLength: 128 }],
  [long, Infinity, { degree: undefined, maxLength: 128 }]
]

t.test('a pattern that backtracks is slow, unless its texts are short', async (t) => {
  for (const [source, maxLength, want] of rows)
    t.strictSame(new PatternChecks().slow(source, maxLength), want, `${source.slice(0, 40)}, ${maxLength}`)
})

t.test(
  'all patterns of a contract are checked in one time: the others are named, unless they are short',
  async (t) => {
    const checks = new PatternChecks(0.001)
    const others = Array.from({ length: 12 }, (_, index) => `^x*${index}.*y$`)
    const slow = (source: string) => checks.slow(source, Infinity)
    t.strictSame(slow('^x*x*y$'), square)
    // The CPU time of a thread may advance in steps of several milliseconds.
    for (let index = 0; index < 1_000 && slow(`^w*${index}.*y$`) === undefined; index++);
    for (const source of others) t.strictSame(slow(source), { degree: undefined, maxLength: 128 }, source)
    t.equal(checks.slow('^x*0.*y$', 100), undefined)
    t.strictSame(slow('^x*x*y$'), square, 'an answer is found once')
    t.strictSame(new PatternChecks().slow('^x*0.*y$', Infinity), undefined, 'another compilation checks it')
    t.strictSame(new PatternChecks(0).slow('^x*x*y$', Infinity), undefined, 'a contract that is tried only')
  }
)

t.test('a degree depends neither on the clock nor on the speed of the machine', async (t) => {
  const { now } = performance
  const { threadCpuUsage } = process
  const replace = (replacement: typeof threadCpuUsage) => {
    process.threadCpuUsage = replacement
    syncBuiltinESMExports()
  }
  t.teardown(() => {
    performance.now = now
    replace(threadCpuUsage)
  })
  const start = cpuTime()
  degreeOf('^\\S+@\\S+\\.\\S+$', 'u')
  t.ok(cpuTime() > start, 'CPU time does not go back')
  let hours = 0
  performance.now = () => 3_600_000 * hours++
  t.equal(degreeOf('^[^@]+@[^@]+$', 'u'), 1)
  let milliseconds = 0
  replace(() => ({ user: 1000 * milliseconds++, system: 0 }))
  t.equal(degreeOf('^(?=.*--)a$', 'u'), 1, 'an answer by trial')
})

const slowly = (growth: string, pattern = '@.*@$') =>
  `warning pattern ${pattern} of #/components/schemas/Subject takes time that grows with ${growth} of the length: simplify it`
const shorter = (length: number) => `, or give it a \`maxLength\` of at most ${length}`
const part = 'is not enforced: only parts of multipart bodies have a media type'

const keywords: readonly (readonly [schema: object, ...messages: string[]])[] = [
  [{ pattern: '@.*@$', maxLength: 4096 }, `${slowly('the square')}${shorter(2048)}`],
  [{ pattern: '@.*@$', maxLength: 2048 }],
  [{ pattern: '@.*@$', allOf: [{ maxLength: 9 }] }, `${slowly('the square')}${shorter(2048)}`],
  [{ patternProperties: { '@.*@$': {}, '^@': {} }, maxLength: 9 }, slowly('the square')],
  [{ pattern: '^a*a*a*$', maxLength: 999 }, `${slowly('the cube', '^a*a*a*$')}${shorter(128)}`],
  [{ patternProperties: { '^a*a*a*a*$': true } }, slowly('power 4', '^a*a*a*a*$')],
  [
    { pattern: '^(a+)+$', maxLength: 9 },
    'warning pattern ^(a+)+$ of #/components/schemas/Subject takes exponential time: a short text can stop the server'
  ],
  [
    { pattern: nested },
    `warning the pattern takes too long to check for backtracking: simplify it${shorter(128)}`
  ],
  [
    { foo: 1, minlength: 2 },
    'warning keyword `foo` is not known and has no effect',
    'warning keyword `minlength` is not known and has no effect: did you mean `minLength`?'
  ],
  [{ format: 'emial' }, 'warning format `emial` is not known and is not enforced; did you mean email?'],
  [
    { contentMediaType: 'image/png', contentSchema: {} },
    `warning \`contentMediaType\` ${part}`,
    `warning \`contentSchema\` ${part}`
  ]
]

t.test('a malformed keyword is an error, one without effect or with a slow pattern a warning', async (t) => {
  const problemsOf = (schema: object, view: View = 'request') =>
    schemaProblems(schemaOf(schema), { view, patterns: new PatternChecks() })
  for (const [schema, ...messages] of keywords) {
    const found = problemsOf(schema)
    t.strictSame(
      found.map(({ severity, message }) => `${severity} ${message}`),
      messages,
      JSON.stringify(schema)
    )
    const keys = Object.keys(schema)
    for (const [index, { origin }] of found.entries())
      t.equal(origin.pointer, `#/components/schemas/Subject/${keys[found.length > 1 ? index : 0]}`)
  }
  t.strictSame(problemsOf({ contentMediaType: 'image/png' }, 'multipart'), [], 'it is that of the part')
})
