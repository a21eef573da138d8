import t from 'tap'
import { keyOf, propertyAccess, Source, sourceOf, template } from '../../../src/compiler/source/values.ts'

/** Runs the source text. */
const evaluated = (source: string): unknown => new Function(`return (${source})`)()

const values: readonly unknown[] = [
  null,
  true,
  1.5,
  9007199254740993n,
  "it's",
  'say "it\'s"',
  'line\nend \u2028 \\ `$ {x}` \u0007',
  [],
  {},
  { 'a-b': 1, 404: [2], class: 'x' },
  Array.from({ length: 40 }, (_, index) => ({ index, name: `item ${index}` }))
]

t.test('source text is the value that it was made from', async (t) => {
  for (const value of values) t.strictSame(evaluated(sourceOf(value, { indent: 0 })), value)
  t.strictSame(evaluated(sourceOf(new Uint8Array([1, 2, 255]), { indent: 0 })), Buffer.from([1, 2, 255]))
  t.strictSame(evaluated(sourceOf({ a: undefined, b: 1 }, { indent: 0 })), { b: 1 })
  const proto = evaluated(sourceOf(JSON.parse('{"__proto__":1}'), { indent: 0 }))
  t.ok(Object.hasOwn(Object(proto), '__proto__'))
})

t.test('no text looks like a template that lost its back quotes', async (t) => {
  const texts = ['{x}', '{y} \\\\{z}'].map((text) => text.replaceAll('{', '$' + '{'))
  for (const text of texts) {
    t.strictSame(evaluated(sourceOf({ [text]: text })), { [text]: text })
    t.notOk(sourceOf({ [text]: text }).includes('$' + '{'))
  }
})

t.test('expressions stay source text, and a member of their name is short', async (t) => {
  const value = { status: new Source('status'), title: new Source('titles[status]') }
  t.equal(sourceOf(value, { indent: 0 }), '{ status, title: titles[status] }')
})

t.test('a line is broken where it would be too long', async (t) => {
  const text = sourceOf({ a: 'x'.repeat(60), b: 'y'.repeat(60) }, { indent: 2, used: 7 })
  t.equal(text, `{\n    a: '${'x'.repeat(60)}',\n    b: '${'y'.repeat(60)}'\n  }`)
})

t.test('a constant stands for the object that it holds', async (t) => {
  const shared = { least: 1 }
  t.equal(
    sourceOf({ a: [shared], b: { ...shared } }, { names: new Map([[shared, 'x']]) }),
    '{ a: [x], b: { least: 1 } }'
  )
})

t.test('names of properties', async (t) => {
  const rows = ['a$1', '1a', '12', '007', "a'b", '__proto__', 'a-b'] as const
  t.strictSame(rows.map(keyOf), ['a$1', "'1a'", '12', "'007'", '"a\'b"', "['__proto__']", "'a-b'"])
  t.equal(propertyAccess('value', 'a'), 'value.a')
  t.equal(propertyAccess('value', 'a"b'), `value['a"b']`)
})

t.test('a template keeps the lines of a text', async (t) => {
  for (const text of ['a\nb', `\`\${1}\``, '\\', 'a\r\nb', '$', '{$}'])
    t.equal(evaluated(template(text)), text)
})
