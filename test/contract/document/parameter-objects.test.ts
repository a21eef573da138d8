import t from 'tap'
import { parametersOf } from '../../../src/contract/document/parameter-objects.ts'
import type { JsonObject } from '../../../src/contract/model/json.ts'

const parameter = (name: string, location: string, rest: JsonObject = {}): JsonObject => ({
  name,
  in: location,
  ...rest
})

/** Returns the parameters as `location name`, those of the path item after those of the operation. */
function read(operation: readonly JsonObject[], pathItem: readonly JsonObject[] = []) {
  const document = { components: { parameters: { Shared: parameter('shared', 'query') } } }
  return parametersOf(document, { parameters: [...pathItem] }, { parameters: [...operation] })
}
const names = (...lists: Parameters<typeof read>) =>
  read(...lists).map((found) => `${found.in} ${found.name}`)

t.test('references are followed', async (t) => {
  t.strictSame(names([{ $ref: '#/components/parameters/Shared' }]), ['query shared'])
})

t.test("the operation's parameter replaces the path item's with the same name and location", async (t) => {
  const [own, shared] = [parameter('x', 'query', { required: true }), parameter('x', 'query')]
  t.strictSame(
    read([own], [shared, parameter('x', 'header')]).map(({ node, required }) => [node['in'], required]),
    [
      ['query', true],
      ['header', false]
    ]
  )
  t.strictSame(names([parameter('Tag', 'header')], [parameter('tag', 'header')]), ['header Tag'])
  t.strictSame(names([parameter('Tag', 'query')], [parameter('tag', 'query')]), ['query Tag', 'query tag'])
})

t.test('headers that other parts describe and unknown locations are ignored', async (t) => {
  const ignored = ['Accept', 'Content-Type', 'AUTHORIZATION'].map((name) => parameter(name, 'header'))
  t.strictSame(names([...ignored, parameter('x', 'body'), parameter('x', 'toString')]), [])
})

t.test('a path parameter is always required', async (t) => {
  t.match(read([parameter('id', 'path')]), [{ required: true }])
})

t.test('the schema is that of the parameter, of its content, or any', async (t) => {
  const content = { 'application/json': { schema: { type: 'null' } } }
  const found = read([
    parameter('a', 'query', { schema: false }),
    parameter('b', 'query', { content }),
    parameter('c', 'query')
  ])
  t.strictSame(
    found.map(({ schema }) => schema),
    [false, { type: 'null' }, true]
  )
})
