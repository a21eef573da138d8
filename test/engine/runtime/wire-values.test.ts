/** Values of formats as texts, wherever they stand. */
import t from 'tap'
import { defineFormat } from '../../../src/engine/runtime/own-format.ts'
import { wireValues } from '../../../src/engine/runtime/wire-values.ts'

const link = defineFormat('link', {
  check: () => true,
  parse: (text) => new URL(text),
  stringify: ({ host }) => host,
  type: URL
})
const name = defineFormat('name', { check: () => true })

t.test('without a format of a class nothing is written', async (t) => {
  t.equal(wireValues(undefined), undefined)
  t.equal(wireValues({ name }), undefined)
})

t.test('lists and plain objects are copied where they hold a value', async (t) => {
  const wire = wireValues({ name, link }) as (value: unknown) => unknown
  const url = new URL('http://a/')
  const bare = Object.assign(Object.create(null), { url })
  const given = { url, list: [1, [url]], bare, none: null, text: 'x', absent: undefined }
  t.same(wire(given), {
    url: 'a',
    list: [1, ['a']],
    bare: { url: 'a' },
    none: null,
    text: 'x',
    absent: undefined
  })
  t.equal(given.url, url, 'the given value does not change')
  class Other {
    url = url
  }
  const other = new Other()
  for (const same of [
    1,
    'x',
    null,
    undefined,
    [1, [2]],
    { a: { b: [] } },
    other,
    Buffer.from('a'),
    new Map()
  ])
    t.equal(wire(same), same)
})
