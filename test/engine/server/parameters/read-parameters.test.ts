/** Parameters of real requests, through a server: decoded, validated, with int64 as bigints. */
import t from 'tap'
import { type Json, request, serve } from '../../serve.ts'

const integer: Json = { type: 'integer' }
const int64: Json = { type: 'integer', format: 'int64' }
const responses: Json = { 200: { description: 'ok', content: { 'application/json': {} } } }
const document: Json = {
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: int64 },
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 5 } },
          {
            name: 'filter',
            in: 'query',
            content: { 'application/json': { schema: { type: 'object', properties: { id: int64 } } } }
          },
          { name: 'X-Big', in: 'header', schema: int64 },
          { name: 'c', in: 'cookie', schema: { type: 'array', items: integer }, explode: false }
        ],
        responses
      }
    },
    '/bare': { get: { operationId: 'bare', responses } }
  }
}

const typed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}n` : item)))
const show = ({ params, query, headers, cookies }: Record<string, unknown>) => ({
  status: 200,
  body: typed({ params, query, headers, cookies })
})
const handlers = { getThing: show, bare: show }

t.test('a handler receives decoded parameters of all four places', async (t) => {
  const { ask } = await serve(t, document, { handlers, basePath: '/v1' })
  const max = 2n ** 63n - 1n
  const target = `/v1/things/${max}?limit=5&filter=${encodeURIComponent(`{"id":${max}}`)}&unknown=1`
  const headers = { 'X-Big': `${-max}`, 'X-Other': '1', Cookie: 'c=1,2; other=3' }
  t.same((await ask(request(`GET ${target}`, undefined, headers))).value, {
    params: { id: `${max}n` },
    query: { limit: 5, filter: { id: `${max}n` } },
    headers: { 'x-big': `${-max}n` },
    cookies: { c: [1, 2] }
  })
  const none = { params: {}, query: {}, headers: {}, cookies: {} }
  t.same(
    (await ask(request('GET /v1/bare?limit=5', undefined, headers))).value,
    none,
    'undeclared ones are absent'
  )
})

t.test('all problems are reported at once, each with its place', async (t) => {
  const { ask } = await serve(t, document, { handlers })
  const rows: [target: string, headers: Record<string, string>, problems: string][] = [
    ['x', {}, 'params/id must be integer; query/limit is required'],
    ['1?limit=6', { 'X-Big': '1.5' }, 'query/limit must be <= 5; headers/x-big must be integer'],
    ['1?limit=6&limit=7', {}, 'query/limit is given more than once'],
    [
      '1?limit=%zz',
      { Cookie: 'c=x' },
      'query/limit has malformed percent-encoding; cookies/c/0 must be integer'
    ],
    ['1?limit=1&filter=x', {}, 'query/filter is not valid JSON'],
    ['1?limit=1&filter=5', {}, 'query/filter must be object']
  ]
  for (const [target, headers, problems] of rows) {
    const { status, value } = await ask(request(`GET /things/${target}`, undefined, headers))
    t.equal(status, 400, target)
    t.same(Object(value).message.split('; ').toSorted(), problems.split('; ').toSorted(), target)
  }
})

t.test('a path that only the options of the router match has its parameters', async (t) => {
  const parameters: Json = [{ name: 'id', in: 'path', required: true, schema: integer }]
  const operation: Json = { operationId: 'get', parameters, responses: { 204: { description: '' } } }
  const { ask } = await serve(
    t,
    { paths: { '/things/{id}': { get: operation } } },
    { handlers: { get: () => ({ status: 204 }) }, fastify: { routerOptions: { caseSensitive: false } } }
  )
  t.equal((await ask(request('GET /things/1'))).status, 204)
  t.equal((await ask(request('GET /THINGS/1'))).status, 204)
  t.match(await ask(request('GET /THINGS/x')), {
    status: 400,
    value: { message: 'params/id must be integer' }
  })
})
