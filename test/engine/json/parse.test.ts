import t from 'tap'
import { spelledNumber } from '../../../src/engine/json/decimal.ts'
import { exactJson, inMember, plainJson } from '../../../src/engine/json/exact-json.ts'
import { NumberLiteral } from '../../../src/engine/json/number-literal.ts'
import { MalformedJson, parseExactJson } from '../../../src/engine/json/parse.ts'

/** Returns the numbers that a double does not spell, by path, `/a/0` as in a JSON pointer. */
function inexactIn(text: string): Record<string, unknown> | undefined {
  const parsed = parseExactJson(text)
  t.same(JSON.stringify(parsed.value), JSON.stringify(JSON.parse(text)), text.slice(0, 60))
  const found: Record<string, unknown> = {}
  const visit = (path: string, value: unknown): void => {
    if (!(value instanceof NumberLiteral)) {
      const members = typeof value === 'object' ? Object.entries(Object(value)) : []
      for (const [key, member] of members) visit(`${path}/${key}`, member)
    } else if (value.integer === undefined) found[path] = 'fraction'
    else if (value.integer !== BigInt(Number(value))) found[path] = value.integer
  }
  visit('', parsed.value)
  t.strictSame(plainJson(parsed), JSON.parse(text), text.slice(0, 60))
  return Object.keys(found).length === 0 ? undefined : found
}

const huge = '7'.repeat(100_000)

t.test('numbers that a double does not spell are literals where they stand', async (t) => {
  const rows: [string, Record<string, unknown> | undefined][] = [
    ['{"id":42}', undefined],
    ['{"id":-42.5,"e":"1e400"}', undefined],
    ['{"e":"a:1e400"}', undefined],
    ['{"id":9007199254740992}', undefined],
    ['{"id":9007199254740992.0,"f":1e3,"g":-0e5,"z":0e999999999}', undefined],
    ['{"f":0.1e1,"g":1.5e0,"h":0.10000000000000000001}', undefined],
    ['[1e22]', undefined],
    ['{"id":9007199254740993}', { '/id': 9007199254740993n }],
    ['{"id":-9007199254740993}', { '/id': -9007199254740993n }],
    ['{"id":9007199254740993.0}', { '/id': 9007199254740993n }],
    ['{"id":9007199254740993.000e0}', { '/id': 9007199254740993n }],
    ['{"id":12345678901234567890e0}', { '/id': 12345678901234567890n }],
    ['{"id":0.9007199254740993e16}', { '/id': 9007199254740993n }],
    ['{"id":1e23}', { '/id': 10n ** 23n }],
    ['{"id":9223372036854775807}', { '/id': 2n ** 63n - 1n }],
    ['{"id":100000000.00000000001}', { '/id': 'fraction' }],
    ['{"id":1e-400}', { '/id': 'fraction' }],
    ['[12e400]', undefined],
    ['[ -1.25E+400]', undefined],
    ['{"id":1e-99999999999999999999999}', { '/id': 'fraction' }],
    ['{"id":1e400}', undefined],
    ['{"id":-1e999999999}', undefined],
    [`[${huge}]`, undefined],
    ['9007199254740993', { '': 9007199254740993n }],
    [' \n1e400', undefined],
    [' \n1e-400', { '': 'fraction' }],
    ['[9e15,9e16,1e22,90071992547409e2]', undefined],
    ['[9007199254740993,3e-400,4e-1]', { '/0': 9007199254740993n, '/1': 'fraction' }],
    ['"9007199254740993"', undefined],
    ['[ 1 , 9007199254740993 , [ 2, 1e-400 ] , {} , 3]', { '/1': 9007199254740993n, '/2/1': 'fraction' }],
    ['{"a":{"b":[{"c":1e-400}]},"d":"1e4"}', { '/a/b/0/c': 'fraction' }],
    ['{"a\\u0062\\"\\\\":1e-400}', { '/ab"\\': 'fraction' }],
    ['{"a\\\\":"\\\\\\"1e-400","b":1e-400}', { '/b': 'fraction' }],
    ['{"toString":1e-400,"":1e-400}', { '/toString': 'fraction', '/': 'fraction' }],
    ['[true,false,null,1e-400]', { '/3': 'fraction' }]
  ]
  for (const [text, want] of rows) t.same(inexactIn(text), want, text.slice(0, 60))
})

t.test('the last of several equal keys wins', async (t) => {
  const rows: [string, Record<string, unknown> | undefined][] = [
    ['{"a":1e-400,"a":1}', undefined],
    ['{"a":1.00000000000000000001,"a":1}', undefined],
    ['{"a":{"b":1.00000000000000000001,"c":[]},"a":{"b":1}}', undefined],
    ['{"a":[1.00000000000000000001],"a":[1]}', undefined],
    ['{"a":9007199254740993,"a":9007199254740992}', undefined],
    ['{"a":1e-400,"a":[0]}', undefined],
    ['{"a":1e-400,"b":1e-400,"a":"x"}', { '/b': 'fraction' }],
    ['{"a":1,"a":1e-400}', { '/a': 'fraction' }],
    ['{"a":1e-400,"\\u0061":1}', undefined],
    ['{"a":{"b":1e-400},"a":{"b":1}}', undefined],
    ['{"a":{"b":1e-400},"a":{"b":"x"}}', undefined],
    ['{"a":{"b":1e-400},"a":{}}', undefined],
    ['{"a":[1e-400],"a":{"0":1}}', undefined],
    ['{"a":{"b":{"c":1e-400}},"a":[{}]}', undefined],
    ['{"a":{"b":{"c":1e-400}},"a":null}', undefined],
    ['{"a":[1e400],"a":[2,1e-400]}', { '/a/1': 'fraction' }]
  ]
  for (const [text, want] of rows) t.same(inexactIn(text), want, text)
})

t.test('values are those of JSON.parse', async (t) => {
  for (const text of ['{"id":9007199254740993,"n":[1e400]}', '"\\ud800\\u0000"', 'null', '[0.1,-0]'])
    t.same(parseExactJson(text).value, JSON.parse(text), text)
})

t.test('a name that is a setter of objects is an own one, where it is not refused', async (t) => {
  const text = '{"__proto__":1,"b":1,"__proto__":{"a":1e23}}'
  const { value, literals } = exactJson(text, JSON.parse(text))
  t.strictSame(Object.keys(Object(value)), ['__proto__', 'b'])
  t.equal(Object.getPrototypeOf(value), Object.prototype)
  t.equal(literals.length, 1)
})

t.test('a handler gets doubles in the object around a value, too', async (t) => {
  for (const text of ['9007199254740993', '[9007199254740993]', '1']) {
    const parsed = inMember({ id: 1 }, 'data', parseExactJson(text))
    t.strictSame(plainJson(parsed), { id: 1, data: JSON.parse(text) }, text)
  }
})

t.test('the cost of a text is linear in its length, for any content', async (t) => {
  const texts = {
    'nested arrays': `${'['.repeat(100_000)}1e-400${']'.repeat(100_000)}`,
    'nested objects': `${'{"a":'.repeat(100_000)}1e-400${'}'.repeat(100_000)}`,
    'zeros around a digit': `[1.${'0'.repeat(100_000)}1${'0'.repeat(100_000)}]`,
    'escaped quotes': `["${'\\"'.repeat(200_000)}",1e-400]`,
    backslashes: `["${'\\\\'.repeat(200_000)}",1e-400]`,
    spaces: `[${' '.repeat(400_000)}1e-400]`
  }
  const reference = cpuTime(() => parseExactJson(`[${Array(100_000).fill('1e308').join(',')}]`))
  for (const [name, text] of Object.entries(texts)) {
    t.equal(parseExactJson(text).literals.length, 1, name)
    const ratio = cpuTime(() => parseExactJson(text)) / reference
    t.ok(ratio < 15, `${name}: ${ratio.toFixed(1)} times the CPU time of a flat list`)
  }
})

/** Returns the least of three measurements, in microseconds of this thread. */
function cpuTime(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}

t.test('a text that is not JSON is refused without quoting it', async (t) => {
  const rows: [string, string][] = [
    ['', 'is not valid JSON: it ends too early'],
    ['{"a":1', "is not valid JSON: Expected ',' or '}' after property value at line 1 column 7"],
    ['{\n"a" 1}', "is not valid JSON: Expected ':' after property name at line 2 column 5"],
    ['[secret]', 'is not valid JSON: unexpected character s'],
    ['\u00e9', 'is not valid JSON'],
    ['{"__proto__":1}', 'has a forbidden property name'],
    ['{"\\u005f_proto__":1}', 'has a forbidden property name'],
    ['[{"constructor":{"prototype":{}}}]', 'has a forbidden property name'],
    [`${'['.repeat(100_000)}{"__proto__":1}${']'.repeat(100_000)}`, 'has a forbidden property name']
  ]
  for (const [text, message] of rows)
    t.throws(() => parseExactJson(text), new MalformedJson(message), text.slice(0, 40))
  for (const text of ['{"constructor":1}', '{"a":"__proto__"}', '"__proto__"', '{"prototype":{}}'])
    t.same(parseExactJson(text).value, JSON.parse(text), `${text} is harmless`)
})

t.test('spelledNumber', async (t) => {
  const integer = (value: bigint) => ({ kind: 'integer', value })
  const fraction = (value: number) => ({ kind: 'fraction', value })
  const rows: [string, unknown][] = [
    ['1', integer(1n)],
    ['-0', integer(0n)],
    ['1.0', integer(1n)],
    ['1e3', integer(1000n)],
    ['1200e-2', integer(12n)],
    ['-9223372036854775809', integer(-9223372036854775809n)],
    ['0e99999999999', integer(0n)],
    [`1e309`, integer(10n ** 309n)],
    ['1e310', fraction(Number.POSITIVE_INFINITY)],
    ['-1e999999999', fraction(Number.NEGATIVE_INFINITY)],
    [huge, fraction(Number.POSITIVE_INFINITY)],
    ['1.5', fraction(1.5)],
    ['1e-400', fraction(0)],
    ...[
      '',
      '+1',
      '01',
      '0x10',
      ' 1',
      '1 ',
      '1\n',
      'NaN',
      'Infinity',
      '.5',
      '1.',
      '1e',
      '-',
      '1_0',
      '\u0661'
    ].map((text): [string, unknown] => [text, undefined])
  ]
  for (const [text, want] of rows) t.same(spelledNumber(text), want, JSON.stringify(text.slice(0, 30)))
})
