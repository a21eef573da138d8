/** JSON with its exact numbers, against `JSON.parse` and the source that it gives of each number. */
import t from 'tap'
import { spelledNumber } from '../../../src/engine/json/decimal.ts'
import { exactJson, plainJson } from '../../../src/engine/json/exact-json.ts'
import { isSameValue } from '../../../src/engine/json/exact-values.ts'
import { NumberLiteral } from '../../../src/engine/json/number-literal.ts'
import { MalformedJson, parseExactJson } from '../../../src/engine/json/parse.ts'

/** Returns the integer that a number spells, or a text for one that spells none. */
function exact(source: string): bigint | 'fraction' {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? []
  const digits = `${whole}${fraction}`.replace(/0+$/, '')
  const zeros = Number(exponent) + whole.length - digits.length
  if (digits.replaceAll('0', '') === '') return 0n
  return zeros < 0 ? 'fraction' : BigInt(`${sign}${digits}${'0'.repeat(zeros)}`)
}

/** Returns the value of a JSON text with exact numbers in place of integral doubles that are not what is spelled. */
const oracle = (text: string): unknown =>
  JSON.parse(text, (_key, value, { source }: { source?: string } = {}) => {
    if (!Number.isInteger(value)) return value
    const spelled = exact(String(source))
    return spelled === BigInt(value) ? value : spelled
  })

function exactIn(value: unknown): unknown {
  if (value instanceof NumberLiteral) {
    if (value.integer === undefined) return 'fraction'
    return value.integer === BigInt(Number(value)) ? Number(value) : value.integer
  }
  if (Array.isArray(value)) return value.map(exactIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exactIn(member)]))
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
const numbers = [
  ...lines(`
    42 -42.5 9007199254740992 9007199254740992.0 1e3 -0e5 0e999999999 0.1e1 1.5e0
    0.10000000000000000001 1e22 9e15 9e16 90071992547409e2 -0 0.1 4e-1
    9007199254740993 -9007199254740993 9007199254740993.0 9007199254740993.000e0 1e23
    12345678901234567890e0 0.9007199254740993e16 9223372036854775807 100000000.00000000001
    1.00000000000000000001 1e-400 3e-400 1e-99999999999999999999999
    12e400 -1.25E+400 1e400 -1e999999999
  `).flatMap((line) => line.split(' ')),
  '7'.repeat(100_000)
]
/** JSON texts; the last of several equal keys wins. */
const texts = [
  ...numbers.flatMap((number) => [
    ...[number, ` \n${number}`, `{"id":${number}}`, `[ 1 , ${number} , [ 2, 1e-400 ] , {} ]`]
  ]),
  ...lines(String.raw`
    {"e":"1e400"}
    {"e":"a:1e-400"}
    "9007199254740993"
    {"a":{"b":[{"c":1e-400}]},"d":"1e4"}
    {"a\u0062\"\\":1e-400}
    {"a\\":"\\\"1e-400","b":1e-400}
    {"toString":1e-400,"":1e-400}
    [true,false,null,1e-400]
    "\ud800\u0000"
    null
    {"a":1e-400,"a":1}
    {"a":1.00000000000000000001,"a":1}
    {"a":1e-400,"\u0061":1}
    {"a":1,"a":1e-400}
    {"a":{"b":1.00000000000000000001,"c":[]},"a":{"b":1}}
    {"a":[1.00000000000000000001],"a":[1]}
    {"a":9007199254740993,"a":9007199254740992}
    {"a":1e-400,"a":[0]}
    {"a":1e-400,"b":1e-400,"a":"x"}
    {"a":{"b":1e-400},"a":{"b":1}}
    {"a":{"b":1e-400},"a":{"b":"x"}}
    {"a":{"b":1e-400},"a":{}}
    {"a":[1e-400],"a":{"0":1}}
    {"a":{"b":{"c":1e-400}},"a":[{}]}
    {"a":{"b":{"c":1e-400}},"a":null}
    {"a":[1e400],"a":[2,1e-400]}
  `)
]

t.test('numbers that a double does not spell are literals where they stand', async (t) => {
  for (const text of texts) {
    const parsed = parseExactJson(text)
    t.strictSame(exactIn(parsed.value), oracle(text), text.slice(0, 60))
    t.strictSame(plainJson(parsed), JSON.parse(text), 'as doubles')
  }
  t.strictSame(exactIn(parseExactJson('[9007199254740993,1e-400]').value), [9007199254740993n, 'fraction'])
})

t.test('the last of several equal keys wins', async (t) => {
  const text = '{"__proto__":1,"b":1,"__proto__":{"a":1e23}}'
  const { value, literals } = exactJson(text, JSON.parse(text))
  t.strictSame(Object.keys(Object(value)), ['__proto__', 'b'], 'also of one that is a setter of objects')
  t.equal(Object.getPrototypeOf(value), Object.prototype)
  t.equal(literals.length, 1)
})

t.test('a text that is not JSON is refused without quoting it', async (t) => {
  const forbidden = 'has a forbidden property name'
  const rows: [text: string, message: string][] = [
    ['', 'is not valid JSON: it ends too early'],
    ['{"a":1', "is not valid JSON: Expected ',' or '}' after property value at line 1 column 7"],
    ['{\n"a" 1}', "is not valid JSON: Expected ':' after property name at line 2 column 5"],
    ['[secret]', 'is not valid JSON: unexpected character s'],
    ['\u00e9', 'is not valid JSON'],
    ['{"__proto__":1}', forbidden],
    ['{"\\u005f_proto__":1}', forbidden],
    ['[{"constructor":{"prototype":{}}}]', forbidden],
    [`${'['.repeat(100_000)}{"__proto__":1}${']'.repeat(100_000)}`, forbidden]
  ]
  for (const [text, message] of rows)
    t.throws(() => parseExactJson(text), new MalformedJson(message), text.slice(0, 40))
  for (const text of ['{"constructor":1}', '{"a":"__proto__"}', '"__proto__"', '{"prototype":{}}'])
    t.same(parseExactJson(text).value, JSON.parse(text), `${text} is harmless`)
  const deep = `${'{"a":['.repeat(50_000)}1e-400${']}'.repeat(50_000)}`
  t.equal(parseExactJson(deep).literals.length, 1, 'at any depth')
})

t.test('a number is an integer or a fraction, as it is spelled', async (t) => {
  for (const text of [...numbers, '1200e-2', '-9223372036854775809', '0e99999999999', '1e309', '1.0']) {
    const value = Number.isFinite(Number(text)) || text === '1e309' ? exact(text) : 'fraction'
    const want = value === 'fraction' ? { kind: value, value: Number(text) } : { kind: 'integer', value }
    t.same(spelledNumber(text), want, text.slice(0, 30))
  }
  t.same(spelledNumber('1e310'), { kind: 'fraction', value: Number.POSITIVE_INFINITY })
  const none = ['', ' 1', '1 ', '1\n', ...'+1 01 0x10 NaN Infinity .5 1. 1e - 1_0 \u0661'.split(' ')]
  for (const text of none) t.equal(spelledNumber(text), undefined, JSON.stringify(text))
})

t.test('values are compared as JSON, however they were spelled', async (t) => {
  const big = 2n ** 53n + 1n
  const rows: readonly (readonly [one: unknown, other: unknown, isSame: boolean])[] = [
    [1, 1n, true],
    [-0, 0, true],
    [big, big, true],
    [{ a: 1, b: [{}] }, { b: [{}], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [big, big - 1n, false],
    [1, '1', false],
    [null, {}, false],
    [null, undefined, false],
    [[], {}, false],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ toString: 1 }, {}, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 1], false]
  ]
  for (const [one, other, isSame] of rows)
    t.same([isSameValue(one, other), isSameValue(other, one)], [isSame, isSame], typeof one)
})
