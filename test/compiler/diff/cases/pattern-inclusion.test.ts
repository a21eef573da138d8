/** Patterns that match every text of others, and patterns that do not. */
import t from 'tap'
import {
  type Inclusion,
  includesPatterns,
  shortestTexts
} from '../../../../src/compiler/diff/cases/pattern-inclusion.ts'

const texts = (pattern: string, least = 0, most = Number.POSITIVE_INFINITY) => ({
  patterns: [pattern],
  least,
  most
})

const rows: readonly (readonly [sent: string, received: string, Inclusion])[] = [
  ['^[a-z]+$', '^[a-z0-9]+$', 'yes'],
  ['^[a-z0-9]+$', '^[a-z]+$', 'no'],
  ['^a', 'a', 'yes'],
  ['a', '^a', 'no'],
  ['^(foo|bar)$', '^[a-z]{3}$', 'yes'],
  ['^(?:foo|bar)$', '^(?<word>foo)$', 'no'],
  ['^\\d{3}-\\d{4}$', '^[\\d-]+$', 'yes'],
  ['^[A-Z]{2}\\d{6,10}$', '^[A-Z]{2}\\d{6,}$', 'yes'],
  ['^a*?$', '^(aa?)*$', 'yes'],
  ['^a+$', '^a{2,}$', 'no'],
  ['', '.*', 'yes'],
  ['^$|^a$', '^a?$', 'yes'],
  ['^[^a-c]$', '^[^b]$', 'yes'],
  ['^[^\\]]$', '^[\\s\\S]$', 'yes'],
  ['^\\x41\\u0042\\u{43}\\t$', '^ABC\\s$', 'yes'],
  ['^\\W\\D$', '^\\w', 'no'],
  ['^[a-]$', '^[-a]$', 'yes'],
  ['^.$', '^[^\\n]$', 'yes'],
  ['^[^\\u{10000}-\\u{10ffff}]$', '^[\\s\\S]$', 'yes'],
  ['^😀$', '^[😀-😂]$', 'yes'],
  ['^\\.\\-$', '^[.][-]$', 'yes'],
  ['^\\0$', '^\\x00$', 'yes'],
  ['[]', 'a', 'yes'],
  ['^\\cA$', '^.$', 'yes'],
  ['^\\p{Lu}+$', '^\\p{L}+$', 'yes'],
  ['^[\\p{L}\\p{N}]+$', '^\\p{L}+$', 'no'],
  ['^(?!a)b', 'b', 'yes'],
  ['^(?!a)[ab]$', '^b$', 'yes'],
  ['^b$', '^(?!a)[ab]$', 'yes'],
  ['^[ab]$', '^(?!a)[ab]$', 'no'],
  ['^(?=a)', '^a', 'yes'],
  ['^(?=.*\\d)(?=.*[a-z]).{8,}$', '^(?=.*\\d).{4,}$', 'yes'],
  ['^(?=.*\\d|x).{4,}$', '^(?=.*\\d).{4,}$', 'no'],
  ['^(?<=a)b', 'b', 'unknown'],
  ['^(?=^a)', 'a', 'unknown'],
  ['a\\b', 'a', 'unknown'],
  ['a(?!b)', 'a', 'unknown'],
  ['(a)\\1', 'a', 'unknown'],
  ['(?i:a)', 'a', 'unknown'],
  ['[\\d-z]', 'a', 'unknown'],
  ['a{', 'a', 'unknown'],
  ['\\K', 'a', 'unknown'],
  ['^a$', '^^a$', 'unknown'],
  ['^^a$', '^b$', 'unknown'],
  ['$^', 'b', 'unknown'],
  // The surrogates stand for the ends of a text inside of automata.
  ['^a$', '^a\\ud800$', 'no'],
  ['[^\\ud800]', 'a', 'no'],
  // Too many states: each ends by a count.
  ['^(a{2000}){3}$', 'a', 'unknown'],
  ['^(x{0,1000}){0,1000}$', '^x*$', 'unknown'],
  ['^(x?){1000000000}$', '^x*$', 'unknown'],
  ['^(a|b)*a(a|b){14}$', '^(a|b)*b(a|b){14}$', 'unknown'],
  ['^(\\p{L}|\\d)*$', '^(\\p{L}|\\d)*\\p{Lu}(\\p{L}|\\d){20}$', 'unknown'],
  [`^${'('.repeat(3000)}a${')'.repeat(3000)}$`, 'a', 'unknown']
]

for (const [sent, received, inclusion] of rows) {
  t.test(`${sent} is part of ${received}: ${inclusion}`, async (t) =>
    t.equal(includesPatterns(texts(sent), [received]), inclusion)
  )
}

t.test('lengths count', async (t) => {
  t.equal(includesPatterns(texts('^a*$', 2, 3), ['^aaa?$']), 'yes')
  t.equal(includesPatterns(texts('^a*$', 2, 4), ['^aaa?$']), 'no')
  t.equal(includesPatterns(texts('^a*$', 2), ['^aa']), 'yes')
  t.equal(includesPatterns(texts('^a*$', 0, 400), ['^a{0,400}$']), 'yes')
  t.equal(includesPatterns(texts('^a*$', 2, 1), ['b']), 'yes', 'there is no text')
  t.equal(includesPatterns(texts('^a*$', 0, 1e6), ['^[ab]*$']), 'yes', 'whatever the length')
  t.equal(includesPatterns(texts('^a*$', 0, 1e6), ['^a{0,4000000}$']), 'unknown')
  t.equal(includesPatterns(texts('^a*$', 2000), ['^(a{7})*$']), 'unknown', 'a length that is not counted')
})

t.test('the shortest texts match the pattern', async (t) => {
  t.match(shortestTexts('^[a-z]{2}-\\d+$'), [/^[a-z]{2}-\d$/, /^[a-z]{2}-\d\d$/])
  t.match(shortestTexts('^(?=a)'), [/^a/])
  t.strictSame(shortestTexts('^(?<=a)'), [])
})
