import t from 'tap'
import { compiled, headOf, request, serve } from '../serve.ts'
import { document, handlers, shaped } from './errors/failing-contract.ts'

const contract = await compiled(t, document)

t.test('an unknown path is 404, a known path with another method is 405, in every spelling', async (t) => {
  const { ask } = await serve(t, contract, { handlers, errorBody: shaped, basePath: '/api' })
  const allowed: Readonly<Record<string, string>> = {
    'PUT /api/shaped': 'GET, HEAD, POST',
    'PUT /%61pi/sh%61ped': 'GET, HEAD, POST',
    'DELETE /api/items/5': 'GET, HEAD',
    'DELETE /api/items/%2F': 'GET, HEAD',
    'DELETE /api/items/a%20b?x=/y': 'GET, HEAD',
    'OPTIONS /api/own': 'GET, HEAD, QUERY',
    'CONNECT localhost:80': 'GET, HEAD, POST, QUERY'
  }
  const unknown = [
    ...['GET /api/items/', 'GET /api/items/?x=1', 'DELETE /api/items/', 'DELETE /api/items/5/6'],
    ...['GET /shaped', 'GET /apishaped', 'GET /api', 'DELETE /api/', 'DELETE /api/*', 'DELETE /a(b'],
    ...['DELETE /:a(', 'DELETE /*x*', 'DELETE /::', 'DELETE /toString', 'DELETE ftp://b/x']
  ]
  for (const first of [...Object.keys(allowed), ...unknown]) {
    const got = await ask(request(first))
    const status = Object.hasOwn(allowed, first) ? 405 : 404
    t.same([got.status, got.headers.get('allow')], [status, allowed[first]], first)
    t.match(got.value, { status }, first)
  }
  const items: Readonly<Record<string, string>> = {
    '/api/items/5': '5',
    '/%61pi/items/5': '5',
    '/api/%69tems/100%25': '100%',
    '/api/items/a%2Fb%3Fc': 'a/b?c',
    "/api/items/%21'(%e4%bd%a0)": "!'(\u4f60)"
  }
  for (const [path, id] of Object.entries(items))
    t.same((await ask(request(`GET ${path}`))).value, { id }, path)
  const odd = await ask(request('POST /api/nowhere', 'x', { 'Content-Type': 'nonsense' }))
  t.equal(odd.status, 404, 'for any body')
})

t.test('HEAD and QUERY may be operations of their own', async (t) => {
  const { ask, port } = await serve(t, contract, { handlers, errorBody: shaped })
  t.match(
    await headOf(port, 'own'),
    /^HTTP\/1.1 200.*\r\nx-own: head\r\n/s,
    'an operation for HEAD comes before GET'
  )
  const found = await ask(request('QUERY /own', '{"a":1}'))
  t.same([found.status, found.value], [200, { body: { a: 1 } }])
})

t.test('a base path is literal text', async (t) => {
  for (const [basePath, other] of [
    ['/v1:beta', '/v1alpha'],
    ['/caf%C3%A9/a%20b', '/cafe/a%20b']
  ] as const) {
    const app = await serve(t, contract, { handlers, errorBody: shaped, basePath })
    const statusOf = async (base: string) => (await app.ask(request(`GET ${base}/shaped`))).status
    t.notMatch(await statusOf(basePath), /40[45]/, basePath)
    t.equal(await statusOf(other), 404, other)
  }
})
