/** Functions that generated validators call: numbers as written, equality by value, a bounded number of errors. */
import t from 'tap'
import { parseExactJson } from '../../../src/engine/json/parse.ts'
import {
  canonical,
  equalItems,
  isAllowed,
  isInt32,
  isInt64,
  isInteger,
  isMultipleOf,
  isNumber,
  isObject,
  isPlainInteger,
  numberOf,
  Run
} from '../../../src/engine/runtime/validators.ts'

/** Returns a value as a request spells it. */
const spelled = (text: string): unknown => parseExactJson(text).value

const allowedIn = (text: string, values: readonly unknown[]) => isAllowed(spelled(text), values)

type Verdicts = readonly [
  isPlainInteger: boolean,
  isInteger: boolean,
  isInt32: boolean,
  isInt64: boolean,
  isNumber: boolean
]

const numbers: readonly (readonly [text: string, exact: number | bigint, ...Verdicts])[] = [
  ['1', 1, true, true, true, true, true],
  ['1.5', 1.5, false, false, false, true, true],
  ['1e3', 1000, true, true, true, true, true],
  ['9007199254740992', 9007199254740992n, true, true, false, true, true],
  ['9007199254740993', 9007199254740993n, false, true, false, true, true],
  ['9223372036854775808', 2n ** 63n, true, true, false, false, true],
  ['-9223372036854775809', -9223372036854775809n, false, true, false, false, true],
  ['1e22', 1e22, true, true, false, false, true],
  ['10000000000000e9', 10n ** 22n, true, true, false, false, true],
  ['1e23', 10n ** 23n, false, true, false, false, true],
  ['100000000.00000000001', 1e8, false, false, false, true, true],
  ['1e-400', 0, false, false, false, true, true],
  ['0e-9', 0n, true, true, true, true, true],
  ['1e999999999', Infinity, false, true, false, false, false],
  ['"1"', Number.NaN, false, false, true, true, false],
  ['null', Number.NaN, false, false, true, true, false]
]
for (const [text, exact, ...verdicts] of numbers) {
  const value = spelled(text)
  t.strictSame(numberOf(value), exact, text)
  const tests = [isPlainInteger, isInteger, isInt32, isInt64, isNumber]
  t.strictSame(
    tests.map((test) => test(value)),
    verdicts,
    text
  )
  t.equal(isObject(value), false, `${text} is no object`)
}

t.test('a bigint of a handler stands for an integer that a double holds', async (t) => {
  for (const [value, isValid] of [
    [2n ** 53n, true],
    [-(2n ** 53n), true],
    [2n ** 53n + 2n, false],
    [-(2n ** 60n), false]
  ] as const) {
    t.equal(isPlainInteger(value), isValid, String(value))
    t.equal(isNumber(value), isValid, String(value))
  }
})

t.test("a handler's int64 is a bigint", async (t) => {
  t.equal(isInteger(1n), true)
  t.equal(isInt64(2n ** 63n - 1n), true)
  t.equal(isInt64(2n ** 63n), false)
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
  const texts = [one, other].map((text) => canonical(spelled(text)))
  t.equal(texts[0] === texts[1], wanted, `${one} and ${other}`)
}

t.equal(canonical(undefined), 'undefined', 'a handler may leave a hole')
t.ok(canonical(10n ** 300n).length < 260, 'long integers are written quickly')

t.test('items are equal when their JSON values are, however they are spelled', async (t) => {
  const items = (text: string) => equalItems(spelled(text) as unknown[], new Run())
  t.strictSame(items('[1,2,1.0,2]'), { i: 0, j: 2 })
  t.equal(items('[1]'), undefined)
  t.equal(items('[9007199254740993,9007199254740992,"1",1,[1],{}]'), undefined)
  t.strictSame(items('[[{"a":1e23}],0,[{"a":100000000000000000000000}]]'), { i: 0, j: 2 })
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
  ['null', {}, false],
  ['9007199254740993', {}, false]
]
for (const [text, constant, wanted] of allowed)
  t.equal(allowedIn(text, [true, constant]), wanted, `enum: ${text}`)
