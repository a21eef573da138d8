/** Items that fill a list without a repetition, and requests that no server could be sent. */
import t from 'tap'
import { another } from '../../../../src/compiler/conformance/requests/unusual-values.ts'
import { rawRequest } from '../../../../src/compiler/instances/requests/raw-request.ts'

t.test('another item is of the same type', async (t) => {
  t.equal(another('ab', 1), 'ab')
  t.equal(another('ab', 3), 'ad')
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
