/** `x-deprecation`, `x-sunset` and `x-strict-query`: from the contract to what a client sees. */
import t from 'tap'
import { undeclaredNames } from '../../../../src/engine/server/parameters/read-parameters.ts'
import { request, serve } from '../../../engine/serve.ts'

const text = { schema: { type: 'string' } }
const query = (name: string, more: object = {}) => ({ name, in: 'query', ...text, ...more })
const operation = (operationId: string, more: object = {}) => ({
  get: { operationId, responses: { 200: { description: 'ok' } }, ...more }
})
const numbers = { type: 'object', additionalProperties: { type: 'integer' } }

const served = await serve(
  t,
  {
    openapi: '3.1.0',
    'x-strict-query': true,
    components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
    paths: {
      '/strict': operation('strict', {
        parameters: [
          query('limit'),
          query('filter', { style: 'deepObject', explode: true, schema: { type: 'object' } })
        ]
      }),
      '/none': operation('none'),
      '/open': operation('open', { parameters: [query('further', { schema: numbers })] }),
      '/lax': operation('lax', { 'x-strict-query': false, parameters: [query('limit')] }),
      '/old': operation('old', {
        deprecated: true,
        'x-deprecation': '2027-01-31',
        'x-sunset': '2028-02-29T12:00:00+02:00',
        responses: { 200: { description: 'ok' }, 401: { description: 'none' } },
        security: [{ key: [] }]
      })
    }
  } as never,
  {
    handlers: Object.fromEntries(
      ['strict', 'none', 'open', 'lax', 'old'].map((name) => [name, () => ({ status: 200 })])
    ),
    security: { key: () => 'user' }
  }
)

const get = (path: string) => served.ask(request(`GET ${path}`))
const placesIn = (value: unknown) => JSON.stringify(value)

t.test('a strict operation names what its query may not have, and the nearest name', async (t) => {
  const rows: readonly (readonly [path: string, problems: readonly string[]])[] = [
    ['/strict?limit=1&filter[a]=b&key=k', []],
    ['/strict?limt=1', ['query/limt is not declared; did you mean limit?']],
    ['/strict?FILTR=1&limit=2', ['query/FILTR is not declared; did you mean filter?']],
    ['/none?a=1', ['query/a is not declared; did you mean key?']],
    ['/none', []],
    ['/open?anything=1', []],
    ['/lax?anything=1', []]
  ]
  for (const [path, problems] of rows) {
    const { status, value } = await get(path)
    t.equal(status, problems.length === 0 ? 200 : 400, path)
    for (const problem of problems) t.match(placesIn(value), problem, path)
  }
  const many = await get(`/strict?${Array.from({ length: 30 }, (_, index) => `n${index}=1`).join('&')}`)
  t.equal(placesIn(many.value).split('is not declared').length - 1, 20)
})

t.test('without a declared name none is meant', async (t) => {
  const find = undeclaredNames({ parameters: [], strictQuery: [] } as never)
  t.match(find?.('a=1'), [{ place: 'query/a', message: 'is not declared' }])
})

t.test('a deprecated operation says so in every answer', async (t) => {
  for (const [path, status] of [
    ['/old?key=1', 200],
    ['/old', 401]
  ] as const) {
    const { headers, ...answer } = await get(path)
    t.equal(answer.status, status)
    t.same(
      [headers.get('deprecation'), headers.get('sunset')],
      ['@1801353600', 'Tue, 29 Feb 2028 10:00:00 GMT']
    )
  }
  t.notOk((await get('/none')).headers.has('deprecation'))
})
