import t from 'tap'
import { translatePattern } from '../../../src/contract/document/translate-pattern.ts'

interface Row {
  readonly pattern: string
  readonly translated: string | undefined
  readonly takes?: string
  readonly refuses?: string
}

const rows: readonly Row[] = [
  { pattern: '^[a-z]+$', translated: '^[a-z]+$' },
  { pattern: '^[\\w\\-]+\\_$', translated: '^[\\w\\-]+\\_$' },
  { pattern: '^\\p{Lu}[^\\]a]\\d{2,}$', translated: '^\\p{Lu}[^\\]a]\\d{2,}$' },
  { pattern: '(?=a)(?<n>b)(?:c)\\k<n>', translated: '(?=a)(?<n>b)(?:c)\\k<n>' },
  { pattern: '(?i)^ab$', translated: '(?i:^ab$)', takes: 'aB', refuses: 'abc' },
  { pattern: '^(?i)a|b$', translated: '^(?i:a)|(?i:b$)', takes: 'B', refuses: 'ca' },
  { pattern: '^(a(?i)b|c)d$', translated: '^(a(?i:b)|(?i:c))d$', takes: 'Cd', refuses: 'cD' },
  { pattern: '^(?i:a)(?-i:b)$', translated: '^(?i:a)(?-i:b)$', takes: 'Ab', refuses: 'AB' },
  { pattern: '(?s)^a.b$', translated: '(?s:^a.b$)', takes: 'a\nb', refuses: 'a\n' },
  { pattern: '(?m)^b$', translated: '(?m:^b$)', takes: 'a\nb', refuses: 'ab' },
  { pattern: '(?iu)^ä$', translated: '(?i:^ä$)', takes: 'Ä' },
  { pattern: '(?m)\\Ab\\z', translated: '(?m:(?-m:^)b(?-m:$))', takes: 'b', refuses: 'a\nb' },
  { pattern: '\\A[a-z]+\\z', translated: '^[a-z]+$', takes: 'ab', refuses: 'ab\n' },
  { pattern: '\\A[a-z]+\\Z', translated: '^[a-z]+(?=\\n?$)', takes: 'ab\n', refuses: 'ab\n\n' },
  { pattern: '^[[:alpha:]_]+$', translated: '^[A-Za-z_]+$', takes: 'a_B', refuses: 'a1' },
  { pattern: '^[^[:space:]]+$', translated: '^[^ \\t-\\r]+$', takes: 'a', refuses: 'a b' },
  {
    pattern: '^\\p{Alnum}+\\P{Punct}$',
    translated: '^[0-9A-Za-z]+[^!-\\/:-@\\x5b-\\x60\\x7b-\\x7e]$',
    takes: 'a1b'
  },
  { pattern: '^[\\p{Alnum}\\pL]$', translated: '^[0-9A-Za-z\\p{L}]$', takes: 'ä', refuses: '-' },
  { pattern: '^\\x{1F600}[\\x{41}]$', translated: '^\\u{1F600}[\\u{41}]$', takes: '😀A', refuses: 'A' },
  { pattern: '^(?P<a>x)(?P=a)$', translated: '^(?<a>x)\\k<a>$', takes: 'xx', refuses: 'x' },
  { pattern: "^(?'a'x)\\k<a>$", translated: '^(?<a>x)\\k<a>$', takes: 'xx' },
  { pattern: '^a(?#a comment)b$', translated: '^ab$', takes: 'ab' },
  { pattern: '^\\Qa.b\\E$', translated: '^a\\.b$', takes: 'a.b', refuses: 'axb' },
  { pattern: '^a{,2}$', translated: '^a{0,2}$', takes: '', refuses: 'aaa' },
  { pattern: '^\\a\\e$', translated: '^\\x07\\x1b$', takes: '\x07\x1b' },
  { pattern: '^[(?i)]$', translated: '^[(?i)]$', takes: '?' },
  { pattern: '(', translated: undefined },
  { pattern: 'a)', translated: undefined },
  { pattern: 'a++', translated: undefined },
  { pattern: '(?>a)', translated: undefined },
  { pattern: '(?x) a b', translated: undefined },
  { pattern: '\\h+', translated: undefined },
  { pattern: '[\\h]', translated: undefined },
  { pattern: '[[:^alpha:]]', translated: undefined },
  { pattern: '[\\P{Alnum}]', translated: undefined },
  { pattern: '\\p{IsGreek}', translated: undefined }
]

for (const { pattern, translated, takes, refuses } of rows)
  t.test(`${JSON.stringify(pattern)} becomes ${JSON.stringify(translated)}`, async (t) => {
    t.equal(translatePattern(pattern), translated)
    const expression = new RegExp(translated ?? '', translated?.includes('\\_') ? '' : 'u')
    if (takes !== undefined) t.ok(expression.test(takes), `takes ${JSON.stringify(takes)}`)
    if (refuses !== undefined) t.notOk(expression.test(refuses), `refuses ${JSON.stringify(refuses)}`)
  })
