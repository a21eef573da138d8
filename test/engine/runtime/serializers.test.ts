/** Functions that generated serializers call: exact numbers, and declared properties only. */
import t from 'tap'
import type { DeclaredShape } from '../../../src/engine/model/value-plans.ts'
import { declaredOnly, exactStringify, int64 } from '../../../src/engine/runtime/serializers.ts'

t.test('a value without a schema is written with its bigints', async (t) => {
  t.equal(exactStringify({ a: [1, 'x', null] }), '{"a":[1,"x",null]}')
  t.equal(exactStringify({ a: 2n ** 63n }), '{"a":9223372036854775808}')
  t.equal(exactStringify(undefined), 'null')
  const broken = {
    toJSON() {
      throw new RangeError('broken')
    }
  }
  t.throws(() => exactStringify(broken), RangeError)
})

t.test('an int64 is written exactly', async (t) => {
  const text = (value: unknown) => JSON.stringify(int64(value))
  t.equal(text(12n), '12')
  t.equal(text(-(2n ** 63n)), '-9223372036854775808')
  t.equal(text(12), '12')
  t.equal(text(null), 'null')
})

const shapes: readonly DeclaredShape[] = [
  { properties: { name: 1, inner: 2, list: 3, ['__proto__']: 1 } },
  {},
  { properties: { kept: 1 }, unnamed: [{ patterns: [['^x-', 4]] }] },
  { items: 2, prefixItems: [4] },
  { properties: { a: 1 }, unnamed: [] },
  { unnamed: [{ patterns: [['^a', 4]], additional: 6 }, { patterns: [['a$', 6]] }] },
  { properties: { b: 1 } },
  { unnamed: [{ patterns: [['^a', 8]] }, { patterns: [['a$', 9]] }] },
  { items: 4 },
  { items: 6 },
  { unnamed: [{ patterns: [['^a', 0]] }, { patterns: [['a$', 11]] }] },
  { properties: { inner: 4, name: 1 } },
  { properties: { a: 1 }, hidden: ['secret'], unnamed: [{ patterns: [['^s', 4]], additional: 1 }] },
  { properties: { name: 1, inner: 13, list: 16 }, hidden: ['secret'] },
  { unnamed: [{ patterns: [], additional: 14 }] },
  { unnamed: [{ patterns: [['^u', 13]] }, { patterns: [], additional: 14 }] },
  { items: 13 }
]
const declared = (value: unknown, number: number | undefined) => declaredOnly(value, shapes, number)

t.test('a copy has the declared properties, in the order of the declaration', async (t) => {
  const copy = declared({ more: 1, inner: { kept: 1, lost: 2 }, name: 'x' }, 0)
  t.equal(JSON.stringify(copy), '{"name":"x","inner":{"kept":1}}')
  t.equal(declared('text', 0), 'text')
  t.equal(declared(null, 0), null)
  const anything = { a: 1 }
  t.equal(declared(anything, undefined), anything)
})

t.test('a hidden name is not copied, though undeclared ones are', async (t) => {
  t.same(declared({ a: 'x', secret: 'y', since: 'z', more: 'w' }, 12), { a: 'x', since: 'z', more: 'w' })
})

t.test('a name that one of several shapes hides is not copied, however deep', async (t) => {
  const user = { name: 'x', secret: 'y', more: { secret: 'z' } }
  const shown = { name: 'x', more: { secret: 'z' } }
  const value = { u: { ...user, inner: user, list: [user, 1], other: [user] }, v: user }
  t.same(declared(value, 15), { u: { ...shown, inner: shown, list: [shown, 1], other: [user] }, v: user })
})

t.test('items have their shapes by place', async (t) => {
  const list = [
    { a: 1, kept: 1 },
    { a: 1, kept: 1 }
  ]
  t.same(declared({ list }, 0), { list: [{ a: 1 }, { kept: 1 }] })
})

t.test('a property named __proto__ is a property', async (t) => {
  const copy = declared(JSON.parse('{"__proto__":1}'), 0) as object
  t.same(Object.getOwnPropertyNames(copy), ['__proto__'])
  t.equal(Object.getPrototypeOf(copy), Object.prototype)
})

t.test('properties without a name have the shapes of patterns, or the additional one', async (t) => {
  t.same(declared({ 'x-1': { a: 1, b: 2 }, y: {} }, 2), { 'x-1': { a: 1 } })
  const value = { a: { a: 1, b: 2, c: 3 }, other: { a: 1, b: 2 } }
  t.same(declared(value, 5), { a: { a: 1, b: 2 }, other: { b: 2 } }, 'two patterns: the union of both')
  t.same(
    declared({ a: { inner: { kept: 1, a: 2, b: 3 }, name: 'x' } }, 10),
    { a: { inner: { kept: 1, a: 2 }, name: 'x' } },
    'member by member'
  )
  t.same(declared({ a: [{ a: 1, b: 2 }, 'text'] }, 7), { a: [{ a: 1, b: 2 }, 'text'] }, 'in lists, too')
})
