import t from 'tap'
import {
  allUnnamed,
  anything,
  anyValue,
  intersection,
  mayBe,
  type Shape,
  type ShapeType,
  union
} from '../../../../src/compiler/compile/shapes/shape-merge.ts'

const of = (...types: ShapeType[]): Shape => ({ ...anything, types: new Set(types) })
const object = (
  properties: Record<string, readonly (object | boolean)[]>,
  rest: Partial<Shape> = {}
): Shape => ({
  ...of('object'),
  properties: new Map(Object.entries(properties)) as Shape['properties'],
  open: false,
  ...rest
})
const typesOf = ({ types }: Shape) => types && [...types].sort()

type Types = readonly ShapeType[] | undefined
const rows: readonly (readonly [what: string, parts: readonly Shape[], both: Types, any: Types])[] = [
  ['anything', [anything], undefined, undefined],
  ['anything and a string', [anything, of('string')], ['string'], undefined],
  ['a string and a number', [of('string'), of('number')], [], ['number', 'string']],
  ['a number and an integer', [of('number'), of('integer')], ['integer'], ['integer', 'number']],
  ['an int64 and an integer', [of('int64'), of('integer')], ['int64'], ['int64', 'integer']],
  ['a nullable string and a string', [of('string', 'null'), of('string')], ['string'], ['null', 'string']]
]

for (const [what, parts, both, any] of rows) {
  t.test(`types of ${what}`, async (t) => {
    t.strictSame(typesOf(intersection(parts)), both)
    t.strictSame(typesOf(union(parts)), any)
  })
}

t.test('properties of all parts are declared, each with the schemas of all parts', async (t) => {
  const [a, b] = [{ type: 'string' }, { type: 'number' }]
  const merged = intersection([object({ x: [a], y: [true] }), object({ x: [b], y: [b] })])
  t.strictSame(
    [...merged.properties],
    [
      ['x', [a, b]],
      ['y', [b]]
    ]
  )
})

t.test('a property that one part hides is hidden', async (t) => {
  const merged = intersection([object({ x: [{}] }), object({ x: [] })])
  t.strictSame(merged.properties.get('x'), [])
})

t.test('items of tuples are merged by position', async (t) => {
  const [a, b] = [{ a: 1 }, { b: 1 }]
  const tuple = (...items: object[]) =>
    ({ ...of('array'), prefixItems: items.map((item) => [item]) }) as Shape
  t.strictSame(intersection([tuple(a), tuple(b, b)]).prefixItems, [[a, b], [b]])
})

t.test('a union with an open object allows further properties', async (t) => {
  t.strictSame(allUnnamed(union([object({ x: [{}] }), of('object')])), [anyValue])
  t.strictSame(allUnnamed(union([object({ x: [{}] }), of('string')])), [])
  t.strictSame(allUnnamed(intersection([object({ x: [{}] }), of('object')])), [])
  t.ok(union([of('object'), of('object')]).open)
})

t.test('types of members hold for one alternative only when several may be objects or arrays', async (t) => {
  t.ok(union([object({}), object({})]).fromUnion)
  t.ok(union([of('array'), anything]).fromUnion)
  t.notOk(union([object({}), of('array'), of('string')]).fromUnion)
  t.notOk(intersection([object({}), object({})]).fromUnion)
  t.ok(intersection([object({}), object({}, { fromUnion: true })]).fromUnion)
})

t.test('mayBe', async (t) => {
  t.ok(mayBe(anything, 'null'))
  t.ok(mayBe(of('null'), 'null'))
  t.notOk(mayBe(of('string'), 'null'))
})
