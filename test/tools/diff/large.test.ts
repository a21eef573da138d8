/** Large contracts, and schemas whose meaning is large, are compared in bounded work; no change beside them is hidden. */
import t from 'tap'
import { largeContract } from '../../contracts/large-contract.ts'
import { cpuGrowth } from '../../cpu-time.ts'
import { compared, withSchema } from './rows.ts'

t.setTimeout(900_000)

type Pair = Parameters<typeof compared>

/** Returns a large contract, and one whose texts have another limit. */
function pairOf(operations: number): Pair {
  const old = largeContract({ operations })
  const text = JSON.stringify(old).replaceAll('{"type":"string"', '{"maxLength":77,"type":"string"')
  return [old as never, JSON.parse(text)]
}

const enums = (count: number): Pair => {
  const values = Array.from({ length: count }, (_none, index) => `v${index}`)
  return [withSchema('request', { enum: values }), withSchema('request', { enum: values.slice(1) })]
}

for (const [what, small, large] of [
  ['operations', pairOf(60), pairOf(120)],
  ['values of an enum', enums(5_000), enums(10_000)]
] as const)
  t.test(`twice the ${what} take twice the time`, async (t) => {
    t.ok(compared(...large).breaking.length > 0)
    const growth = cpuGrowth(
      2,
      () => compared(...small),
      () => compared(...large)
    )
    t.ok(growth < 1.7, String(growth))
  })

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, more = {}) => ({ type: 'object', properties, ...more })
const levels = 28

/** Ways of a schema to name the next one. */
const shapes: readonly (readonly [name: string, level: (next: unknown) => unknown])[] = [
  ['allOf', (next) => ({ allOf: [next, next] })],
  ['anyOf', (next) => ({ anyOf: [next, next] })],
  ['properties', (next) => object({ a: next, b: next })],
  ['if, then, else', (next) => ({ if: next, then: next, else: next })],
  ['if, then, else, anyOf', (next) => ({ if: next, then: next, else: next, anyOf: [next, next] })],
  ['oneOf of a schema and its opposite', (next) => ({ oneOf: [next, { not: next }] })]
]

/** Returns the places that break or are undecided between two versions of a contract with these bodies. */
function placesOf(body: unknown, schemasOf: (more: object) => object): Set<string> {
  const version = (more: object) => withSchema('request', body, schemasOf(more) as never)
  const { breaking, undecided } = compared(version({}), version({ maxLength: 5 }))
  return new Set([...breaking, ...undecided].map(({ place }) => place))
}

for (const [name, level] of shapes)
  t.test(`${levels} levels of ${name} hide no change beside them`, async (t) => {
    const chain = Array.from({ length: levels }, (_none, index) => [`L${index + 1}`, level(to(`L${index}`))])
    const places = placesOf(object({ hard: to(`L${levels}`), text: to('Text') }), (more) => ({
      L0: { type: 'string', ...more },
      Text: { type: 'string', ...more },
      ...Object.fromEntries(chain)
    }))
    t.ok(places.has('body/text'))
    t.ok([...places].some((place) => place.startsWith('body/hard')))
  })

t.test('a part that is shared by more places than are listed has one more line', async (t) => {
  const names = Array.from({ length: 200 }, (_none, index) => [`p${index}`, to('Text')])
  const version = (more: object) =>
    withSchema('request', object(Object.fromEntries(names)), { Text: { type: 'string', ...more } })
  const { breaking } = compared(version({}), version({ maxLength: 5 }))
  t.equal(breaking.length, 101)
  t.match(breaking.at(-1), { message: /: maxLength now 5 \(was none\), and in more places$/ })
})

t.test('schemas that hold themselves are compared at each place where they are entered', async (t) => {
  const schemas = (more: object) => ({
    Node: object({ leaf: to('Leaf'), name: { type: 'string', ...more } }),
    Leaf: object({ node: to('Node') }),
    Text: { anyOf: [to('Text'), { type: 'string', ...more }, { allOf: [to('Text')] }] }
  })
  const all = object({ a: to('Node'), b: to('Leaf'), c: object({ leaf: to('Leaf') }) })
  t.strictSame(placesOf(all, schemas), new Set(['body/a/name', 'body/b/node/name', 'body/c/leaf/node/name']))
  // JSON Schema leaves it undefined; the comparison ends.
  t.ok(placesOf(to('Text'), schemas))
})
