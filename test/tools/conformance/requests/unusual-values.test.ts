/** Items that fill a list without a repetition, and requests that no server could be sent. */
import t from 'tap'
import { nodeGroups } from '../../../../src/tools/conformance/requests/unusual-values.ts'
import { another } from '../../../../src/tools/conformance/requests/wrong-values.ts'
import { parameterPairs, rawRequest } from '../../../../src/tools/samples/requests/raw-request.ts'

t.test('another item is of the same type', async (t) => {
  t.equal(another('ab', 1), 'ac')
  t.equal(another('Az', 1), 'Ba')
  t.equal(another('b-09', 1), 'b-10')
  t.strictSame(another({ a: 'x', b: 1 }, 2), { a: 'z', b: 3 })
  t.equal(another(2, 3), 5)
  t.equal(another(2n, 3), 5n)
  t.equal(another(true, 3), true)
})

t.test('a cookie that a header cannot carry is not sent', async (t) => {
  const operation = {
    operationId: 'a',
    method: 'GET',
    path: '/a',
    parameters: [],
    security: [],
    responses: {}
  }
  const draft = { subject: { operation, parameters: [] }, values: [], more: { headers: { cookie: 'a\nb' } } }
  t.throws(() => rawRequest(draft as never), { message: 'a header cannot carry this' })
})

t.test('an empty list is not repeated to fill another', async (t) => {
  for (const { valuesAt } of nodeGroups)
    t.notOk(valuesAt({ value: [], schemas: [] } as never).some((list) => Object(list).length > 0))
})

for (const location of ['query', 'cookie'] as const) {
  t.test(`a parameter of a ${location} that has no text has no pair`, async (t) => {
    const spec = {
      name: 'a',
      key: 'a',
      in: location,
      style: 'form',
      explode: true,
      shape: { types: ['array'] }
    }
    const operation = { operationId: 'a', method: 'GET', path: '/a', security: [], responses: {} }
    const pairs = (value: unknown) =>
      parameterPairs(
        { subject: { operation, parameters: [{ spec }] }, values: [value], more: {} } as never,
        0
      )
    t.strictSame(pairs([]), [])
    t.strictSame(pairs(['1', '2']), ['a=1', 'a=2'])
  })
}
