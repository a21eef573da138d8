/** Functions that generated validators call: numbers as written, equality by value, a bounded number of errors. */
import t from 'tap'
import { parseExactJson } from '../../../src/engine/json/parse.ts'
import {
  canonical,
  equalItems,
  exactNumber,
  isAllowed,
  isInt64,
  isInteger,
  isMultipleOf,
  isNumber,
  isPlainInteger,
  numberOf,
  Run
} from '../../../src/engine/runtime/validators.ts'

/** Returns a value as a request spells it, with the place for the look-up of its spelling. */
function spelled(text: string) {
  const { value, exactness, root } = parseExactJson(text)
  return [value, new Run(exactness), root, ''] as const
}
const nowhere = [new Run(), undefined, undefined] as const

const allowedIn = (text: string, values: readonly unknown[]) => {
  return isAllowed(...spelled(text), values)
}

const numbers = [
  { text: '1', exact: 1, isPlain: true, isInteger: true, isInt64: true },
  { text: '1.5', exact: 1.5, isPlain: false, isInteger: false, isInt64: true },
  { text: '1e3', exact: 1000, isPlain: true, isInteger: true, isInt64: true },
  { text: '9007199254740993', exact: 9007199254740993n, isPlain: false, isInteger: true, isInt64: true },
  { text: '9223372036854775808', exact: 2 ** 63, isInteger: true, isInt64: false },
  { text: '-9223372036854775809', exact: -9223372036854775809n, isInteger: true, isInt64: false },
  { text: '100000000.00000000001', exact: 1e8, isPlain: false, isInteger: false, isInt64: true },
  { text: '1e999999999', exact: Infinity, isPlain: false, isInteger: true, isInt64: false },
  { text: '"1"', exact: Number.NaN, isPlain: false, isInteger: false, isInt64: true },
  { text: 'null', exact: Number.NaN, isPlain: false, isInteger: false, isInt64: true }
]

for (const { text, ...wanted } of numbers) {
  t.test(`the number ${text}`, async (t) => {
    const given = spelled(text)
    t.match(
      {
        exact: numberOf(...given),
        isPlain: isPlainInteger(...given),
        isInteger: isInteger(...given),
        isInt64: isInt64(...given)
      },
      wanted
    )
  })
}

t.test('a bigint of a handler stands for an integer that a double holds', async (t) => {
  for (const [value, isValid] of [
    [2n ** 53n, true],
    [-(2n ** 53n), true],
    [2n ** 53n + 2n, false],
    [-(2n ** 60n), false]
  ] as const) {
    t.equal(isPlainInteger(value, ...nowhere), isValid, String(value))
    t.equal(isNumber(value), isValid, String(value))
  }
})

t.test("a handler's int64 is a bigint, and stands nowhere", async (t) => {
  t.equal(isInteger(1n, ...nowhere), true)
  t.equal(isInt64(2n ** 63n - 1n, ...nowhere), true)
  t.equal(isInt64(2n ** 63n, ...nowhere), false)
  t.equal(exactNumber(1, new Map(), undefined, undefined), 1)
  t.equal(exactNumber(1, new Map(), [1], 0), 1)
})

const multiples: readonly (readonly [unknown, number | bigint, boolean])[] = [
  [6, 3, true],
  [7, 3, false],
  [0.3, 0.1, true],
  [0.35, 0.1, false],
  [1e21, 3, false],
  [3e21, 3, true],
  [9007199254740993n, 3, true],
  [9007199254740994n, 3, false],
  [9007199254740993n, 3002399751580331n, true],
  [1.5e-7, 5e-8, true],
  [Number.POSITIVE_INFINITY, 0.01, true],
  ['x', 3, true]
]
for (const [value, divisor, wanted] of multiples)
  t.equal(isMultipleOf(value, divisor), wanted, `${value} of ${divisor}`)

/** Pairs of values and their equality (JSON Schema Core 2020-12, section 4.2.2). */
const equals: readonly (readonly [string, string, boolean])[] = [
  ['1', '1.0', true],
  ['1', '"1"', false],
  ['0', '-0', true],
  ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}', true],
  ['{"a":1}', '{"a":1,"b":null}', false],
  ['[1,2]', '[2,1]', false],
  ['1e20', '100000000000000000000', true],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '9007199254740993.0', true],
  ['null', 'false', false]
]
for (const [one, other, wanted] of equals) {
  const texts = [one, other].map((text) => {
    const [value, { exactness }, ...place] = spelled(text)
    return canonical(value, exactness, ...place)
  })
  t.equal(texts[0] === texts[1], wanted, `${one} and ${other}`)
}

t.equal(canonical(undefined, undefined, undefined, undefined), 'undefined', 'a handler may leave a hole')
t.ok(
  canonical(10n ** 300n, undefined, undefined, undefined).length < 260,
  'long integers are written quickly'
)

t.test('items are equal when their JSON values are, however they are spelled', async (t) => {
  const items = (text: string) => {
    const { value, exactness } = parseExactJson(text)
    return equalItems(value as unknown[], new Run(exactness))
  }
  t.strictSame(items('[1,2,1.0,2]'), { i: 0, j: 2 })
  t.equal(items('[1]'), undefined)
  t.equal(items('[9007199254740993,9007199254740992,"1",1,[1],{}]'), undefined)
})

const allowed: readonly (readonly [string, unknown, boolean])[] = [
  ['1.0', 1, true],
  ['"1"', 1, false],
  ['9007199254740993', 9007199254740993n, true],
  ['9007199254740992', 9007199254740993n, false],
  ['null', null, true],
  ['{"b":[2.0],"a":1}', { a: 1, b: [2] }, true],
  ['{"a":9007199254740993}', { a: 9007199254740993n }, true],
  ['{"a":1}', { a: 1, b: [2] }, false],
  ['{"a":1,"c":2}', { a: 1, b: 2 }, false],
  ['{"a":2}', { a: 1 }, false],
  ['{"0":1}', [1], false],
  ['"text"', ['text'], false],
  ['null', {}, false]
]
for (const [text, constant, wanted] of allowed)
  t.equal(allowedIn(text, [true, constant]), wanted, `enum: ${text}`)
