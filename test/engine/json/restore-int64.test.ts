/** The places of a plan that become bigints; exchanges/int64.yaml has those of each keyword. */
import t from 'tap'
import { exactJson, plainJson } from '../../../src/engine/json/exact-json.ts'
import { int64Places } from '../../../src/engine/json/restore-int64.ts'
import type { Int64Node, Int64Plan } from '../../../src/engine/model/value-plans.ts'

const number: Int64Node = { int64: true }
const plan = (plans: Record<string, Int64Node>): Int64Plan => ({ start: 'a', plans: { ...plans, number } })

t.test('int64Places converts every place of a plan without conditions, and nothing else', async (t) => {
  const convert = int64Places(
    plan({
      a: { parts: [{ plan: 'b' }, { plan: 'c' }] },
      b: { properties: { id: 'number', list: 'd' } },
      c: { properties: { deep: 'b' } },
      d: { items: 'number' }
    })
  )
  const converted = (value: unknown) => {
    const holder = { '': value }
    convert?.(holder, '')
    return holder['']
  }
  t.same(converted({ id: 1, other: 2 }), { id: 1n, other: 2 })
  const want = { list: [1n, '2', 3n], deep: { id: 4n, list: [5n] } }
  t.same(converted({ list: [1, '2', 3], deep: { id: 4, list: [5] } }), want)
  for (const kept of [{ id: '1', list: 2, deep: [{ id: 3 }] }, { id: null, deep: null }, 1])
    t.same(converted(structuredClone(kept)), kept)
})

t.test('int64Places reads exact integers, and doubles that no literal spells', async (t) => {
  const text = '{"a":9007199254740993,"b":1.00000000000000000001,"c":9007199254740993,"d":1}'
  const parsed = exactJson(text, JSON.parse(text))
  const properties = { a: 'number', b: 'number', d: 'number' }
  int64Places(plan({ a: { properties } }))?.({ '': parsed.value }, '')
  t.strictSame(plainJson(parsed), { a: 9007199254740993n, b: 1, c: 9007199254740992, d: 1n })
})

t.test('int64Places leaves plans that need a search', async (t) => {
  const wide = Array.from({ length: 600 }, (_, index) => [`p${index}`, 'number'])
  const rows: [string, Record<string, Int64Node>][] = [
    ['recursive', { a: { properties: { next: 'a', id: 'number' } } }],
    ['recursive below', { a: { items: 'b' }, b: { properties: { next: 'a' } } }],
    ['a branch of a union', { a: { parts: [{ plan: 'number', when: 'isNumber' }] } }],
    ['additional properties', { a: { additional: 'number' } }],
    ['patterns', { a: { patterns: [['^x', 'number']] } }],
    ['tuple', { a: { prefixItems: ['number'] } }],
    ['too many places', { a: { properties: Object.fromEntries(wide) } }]
  ]
  for (const [name, plans] of rows) t.equal(int64Places(plan(plans)), undefined, name)
})
