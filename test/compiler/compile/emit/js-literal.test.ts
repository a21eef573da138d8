/** JavaScript source of plain data. */
import t from 'tap'
import { literal, propertyAccess, propertyKey } from '../../../../src/compiler/compile/emit/js-literal.ts'

const rows: [value: unknown, source: string][] = [
  [null, 'null'],
  [1.5, '1.5'],
  [9007199254740993n, '9007199254740993n'],
  ['a\u2028b\u2029c"', '"a\\u2028b\\u2029c\\""'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: 1, 'b-c': [true], left: undefined }, '{ a: 1, "b-c": [ true ] }'],
  [JSON.parse('{"__proto__":1}'), '{ ["__proto__"]: 1 }']
]

t.test('literal', async (t) => {
  for (const [value, source] of rows) t.equal(literal(value), source)
})

t.test('a literal that is longer than a line is broken into lines', async (t) => {
  const value = { list: ['a'.repeat(60), 'b'.repeat(60)] }
  t.match(literal(value), /^\{\n {2}list: \[\n {4}"a+",\n {4}"b+"\n {2}\]\n\}$/)
})

t.test('names of properties', async (t) => {
  t.equal(propertyKey('a$1'), 'a$1')
  t.equal(propertyKey('1a'), '"1a"')
  t.equal(propertyAccess('value', 'a'), 'value.a')
  t.equal(propertyAccess('value', 'a"b'), 'value["a\\"b"]')
})
