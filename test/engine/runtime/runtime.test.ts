/** Functions that generated code calls: numbers as written, equality by value, bounded errors, formats of a project. */
import t from 'tap'
import { parseExactJson } from '../../../src/engine/json/parse.ts'
import { isFormat } from '../../../src/engine/model/own-format.ts'
import { Identities } from '../../../src/engine/runtime/identities.ts'
import { defineFormat } from '../../../src/engine/runtime/own-format.ts'
import { below, type Check, fail, recall, remember } from '../../../src/engine/runtime/validation-run.ts'
import {
  canonical,
  equalItems,
  isAllowed,
  isInt32,
  isInt64,
  isInteger,
  isMultipleOf,
  isNumber,
  isPlainInteger,
  numberOf,
  Run
} from '../../../src/engine/runtime/validators.ts'
import { sleep } from '../../time.ts'

/** Returns a value as a request spells it. */
const spelled = (text: string): unknown => parseExactJson(text).value
const kinds = { plain: isPlainInteger, integer: isInteger, int32: isInt32, int64: isInt64, number: isNumber }

t.test('numbers are what they are spelled as, not what a double holds', async (t) => {
  /** Texts, their exact values, and the kinds of number that they are. */
  const rows: readonly (readonly [text: string, exact: number | bigint, kinds: string])[] = [
    ['1', 1, 'plain integer int32 int64 number'],
    ['1.5', 1.5, 'int64 number'],
    ['9007199254740993', 9007199254740993n, 'integer int64 number'],
    ['9223372036854775808', 2n ** 63n, 'plain integer number'],
    ['1e23', 10n ** 23n, 'integer number'],
    ['100000000.00000000001', 1e8, 'int64 number'],
    ['0e-9', 0n, 'plain integer int32 int64 number'],
    ['1e999999999', Infinity, 'integer'],
    ['"1"', Number.NaN, 'int32 int64']
  ]
  for (const [text, exact, wanted] of rows) {
    const value = spelled(text)
    t.strictSame(numberOf(value), exact, text)
    const found = Object.entries(kinds).flatMap(([kind, test]) => (test(value) ? [kind] : []))
    t.equal(found.join(' '), wanted, text)
  }
  for (const value of [2n ** 53n, -(2n ** 53n)]) t.ok(isPlainInteger(value) && isNumber(value), String(value))
  for (const value of [2n ** 53n + 2n, -(2n ** 60n)])
    t.notOk(isPlainInteger(value) || isNumber(value), `${value} of a handler`)
})

t.test('multiples are exact', async (t) => {
  const rows: readonly (readonly [value: unknown, divisor: number | bigint, isMultiple: boolean])[] = [
    [0.3, 0.1, true],
    [0.35, 0.1, false],
    [3e21, 3, true],
    [9007199254740994n, 3, false],
    [1.5e-7, 5e-8, true],
    [Number.POSITIVE_INFINITY, 0.01, true],
    ['x', 3, true]
  ]
  for (const [value, divisor, wanted] of rows)
    t.equal(isMultipleOf(value, divisor), wanted, `${value} of ${divisor}`)
})

/** Values, and if they are equal (JSON Schema Core 2020-12, section 4.2.2). */
const pairs: readonly (readonly [one: string, other: string, isEqual: boolean])[] = [
  ['1', '1.0', true],
  ['1', '"1"', false],
  ['0', '-0', true],
  ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}', true],
  ['{"a":1}', '{"a":1,"b":null}', false],
  ['[1,2]', '[2,1]', false],
  ['{"0":1}', '[1]', false],
  ['{}', '[]', false],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '9007199254740993.0', true],
  ['null', '{}', false]
]

t.test('values are equal as JSON, in uniqueItems and in enum, however they are spelled', async (t) => {
  for (const [one, other, wanted] of pairs) {
    const [first, second] = [spelled(one), spelled(other)]
    t.equal(canonical(first) === canonical(second), wanted, `${one} and ${other}`)
    t.strictSame(equalItems([first, second], new Run()), wanted ? { i: 0, j: 1 } : undefined, one)
    const isSafe = !/\d{16}/.test(other)
    if (isSafe) t.equal(isAllowed(first, [true, JSON.parse(other)]), wanted, `enum: ${one}`)
  }
  t.ok(isAllowed(spelled('{"a":9007199254740993}'), [{ a: 9007199254740993n }]))
  t.notOk(isAllowed(spelled('9007199254740992'), [9007199254740993n]))
  t.equal(canonical(undefined), 'undefined', 'a handler may leave a hole')
  t.ok(canonical(10n ** 300n).length < 260, 'long integers are written quickly')
})

t.test('nesting of a hundred thousand levels does not end the stack', async (t) => {
  const nested = () => {
    let value: unknown[] = []
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    return value
  }
  const identities = new Identities(String)
  t.equal(identities.of(nested()), identities.of(nested()))
})

t.test('a run collects a bounded number of errors, a branch of it none', async (t) => {
  const run = new Run()
  const ends = Array.from({ length: 1002 }, () => fail(run, '/a', 'type', {}))
  t.equal(ends.indexOf(true), 1000, 'nobody reads more')
  t.equal(run.errors?.length, 1001)
  t.equal(fail(run.branch, '/a', 'type', {}), true, 'it ends at the first failure')
  t.equal(run.branch.errors, undefined)
  t.match(below(run, '/first', `${'/a'.repeat(5000)}/last`), /^\/first(\/a)+…(\/?a)+.*\/last$/)
})

t.test('a verdict is remembered by function and object; of other values the last, at its path', async (t) => {
  const run = new Run()
  const never: Check = (_value, path, run) => fail(run, path, 'not', {})
  const data = {}
  t.equal(recall(run, never, data, ''), undefined)
  remember(run, never, data, '', false)
  t.equal(recall(run, never, data, ''), false)
  t.equal(
    recall(run, () => true, data, ''),
    undefined
  )
  t.equal(recall(run, never, {}, ''), undefined, 'an equal object is another one')
  remember(run, never, 1, '/a', false)
  t.equal(recall(run, never, 1, '/a'), false)
  t.equal(recall(run, never, 1, '/b'), undefined, 'an equal number elsewhere has errors of its own')
})

t.test('a format is what defineFormat returns, with all its parts', async (t) => {
  t.ok(isFormat(defineFormat('money', { check: () => true })))
  for (const other of [undefined, null, 1, { name: 'money', check: () => true }]) t.notOk(isFormat(other))
  t.throws(() => defineFormat(1 as never, { check: () => true }), /a format needs a name/)
  t.throws(() => defineFormat('a', undefined as never), /format a lacks check, a function/)
  const parts = { check: () => true, parse: (text: string) => new URL(text), stringify: String, type: URL }
  for (const part of ['parse', 'stringify', 'type'] as const) {
    const { [part]: _, ...others } = parts
    const kind = part === 'type' ? 'class' : 'function'
    t.throws(() => defineFormat('link', others as never), { message: `format link lacks ${part}, a ${kind}` })
  }
  const { check } = defineFormat('link', { ...parts, check: (text) => text !== 'http://b' })
  t.strictSame(['http://a', 'http://b', 'a'].map(check), [true, false, false], 'parse throws for a')
})

const rejected = () => Promise.reject(new Error('late'))
const accepts = () => true
const open = { check: accepts, stringify: String, type: URL }
const refusing: Readonly<Record<string, object>> = {
  'check rejects': { check: rejected },
  'check returns a promise': { check: async () => true },
  'check returns a match': { check: (text: string) => /a/.exec(text) },
  'check returns nothing': { check: () => undefined },
  'check throws': {
    check: () => {
      throw new Error('early')
    }
  },
  'parse returns a promise': { check: accepts, parse: async (text: string) => text },
  'parse of a class rejects': { ...open, parse: rejected },
  'parse gives another class': { ...open, parse: () => new Date(0) }
}
for (const [what, parts] of Object.entries(refusing))
  t.test(`no text is of a format where ${what}`, async (t) => {
    t.equal(defineFormat('x', parts as never).check('a'), false)
    // The rejection that nobody handles is reported in a later turn.
    await sleep(5)
  })

for (const returned of [undefined, 5, rejected])
  t.test(`a stringify that returns ${String(returned)} throws`, async (t) => {
    const stringify = () => (returned === rejected ? rejected() : returned)
    const parts = { ...open, parse: (text: string) => new URL(text), stringify }
    const format = defineFormat('link', parts as never)
    const write = () => format.stringify?.(new URL('http://a') as never)
    t.throws(write, { name: 'TypeError', message: 'stringify of format link returned no text' })
    await sleep(5)
  })
