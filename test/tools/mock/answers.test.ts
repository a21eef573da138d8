/** The answers of the mock: status, media type, body, headers and refusals. */
import t from 'tap'
import { json, mocked, text } from './mocked.ts'

const object = (properties: object, more = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more
})
const get = (operationId: string, responses: object, more = {}) => ({
  get: { operationId, responses, ...more }
})

t.test('the status', async (t) => {
  const none = { description: 'x' }
  const { get: ask } = await mocked(t, {
    paths: {
      '/lowest': get('lowest', { 500: none, 204: none, 201: json({ const: 'made' }) }),
      '/range': get('range', { '2XX': json({ const: 'some' }), default: json({ const: 'none' }) }),
      '/redirect': get('redirect', { 304: none, default: none }),
      '/default': get('default', { 404: none, default: json({ const: 'any' }) }),
      '/error': get('error', { 404: json({ const: 'gone' }) }),
      '/broken': get('broken', { 500: json({ const: 'broken' }) }),
      '/switch': get('switch', { 101: none })
    }
  })
  const statusOf = async (path: string, prefer = '') => {
    const { status, text } = await ask(path, { prefer })
    return `${status} ${text}`
  }
  t.equal(await statusOf('/lowest'), '201 "made"')
  t.equal(await statusOf('/range'), '200 "some"')
  t.equal(await statusOf('/redirect'), '304 ')
  t.equal(await statusOf('/default'), '200 "any"')
  t.equal(await statusOf('/error'), '404 "gone"')
  t.equal(await statusOf('/broken'), '500 "broken"')
  t.match(await statusOf('/switch'), /^501 .*"no response is declared that a server can send"/)
  t.equal(await statusOf('/lowest', 'code=204'), '204 ')
  t.equal(await statusOf('/range', 'code=299'), '299 "some"')
  t.match(
    await statusOf('/lowest', 'code=418'),
    /^404 .*"code 418 is not declared; declared responses: 201, 204, 500"/
  )
  t.match(await statusOf('/switch', 'code=101'), /^404 .*declared responses: 101"/)
  t.match(
    await statusOf('/range', 'code=600'),
    /^404 .*code 600 is not declared; declared responses: 2XX, default"/
  )
})

t.test('examples and seeds', async (t) => {
  const schema = object({ n: { type: 'integer', format: 'int64' } })
  const document = {
    paths: {
      '/named': get('named', {
        200: json(schema, {
          examples: {
            wrong: { value: {} },
            big: { $ref: '#/components/examples/Big' },
            far: { externalValue: 'https://x.example' }
          }
        })
      }),
      '/single': get('single', { 200: json(schema, { example: { n: 5 } }) }),
      '/property': get('property', { 200: json(object({ n: { type: 'integer', example: 7 } })) }),
      '/schemaless': get('schemaless', { 200: text('application/json', { example: { n: 3 } }) }),
      '/nothing': get('nothing', { 200: text('application/json') }),
      '/made': get('made', { 200: json(schema) })
    },
    components: { examples: { Big: { value: { n: 9_007_199_254_740_993n } } } }
  }
  const { get: ask, warnings } = await mocked(t, document)
  const named = await ask('/named')
  t.equal(named.text, '{"n":9007199254740993}')
  t.equal(named.headers.get('preference-applied'), null)
  t.strictSame(warnings, ['named 200 application/json: the example wrong is not valid and is not sent'])
  const chosen = await ask('/named', { prefer: 'example=big, dynamic=true' })
  t.equal(chosen.text, '{"n":9007199254740993}')
  t.equal(chosen.headers.get('preference-applied'), 'example=big')
  t.match((await ask('/named', { prefer: 'example=far' })).text, /^\{"n":\d+\}$/)
  t.match(
    (await ask('/named', { prefer: 'example="no such"' })).text,
    /example no such is not declared; declared examples: wrong, big, far/
  )
  t.match(
    (await ask('/made', { prefer: 'example=any' })).text,
    /example any is not declared; no examples are declared/
  )
  t.equal((await ask('/single')).text, '{"n":5}')
  t.equal((await ask('/property')).text, '{"n":7}')
  t.equal((await ask('/schemaless', { prefer: 'dynamic=true' })).text, '{"n":3}')
  t.equal((await ask('/nothing')).text, '{}')
  const made = await ask('/made')
  t.equal((await ask('/made')).text, made.text, 'the same again')
  const dynamic = await ask('/single', { prefer: 'dynamic=true' })
  t.equal(dynamic.headers.get('preference-applied'), 'dynamic=true')
  t.not((await ask('/single', { prefer: 'dynamic=true' })).text, dynamic.text)
  const other = await mocked(t, document, 2)
  t.not((await other.get('/made')).text, made.text, 'another seed')
})

t.test('media types', async (t) => {
  const thing = object({ n: { const: 1 } })
  const several = {
    description: 'x',
    content: {
      'application/json': { schema: thing },
      'application/xml': { schema: thing },
      'text/plain': { schema: { type: 'string', enum: ['n'] } }
    }
  }
  const { get: ask, warnings } = await mocked(t, {
    paths: {
      '/several': get('several', { 200: several, 400: several }),
      '/one': get('one', { 200: json(thing), 404: json({ const: 'no' }) }),
      '/any': get('any', { 200: text('*/*', { schema: { const: 'x' } }) }),
      '/image': get('image', { 200: text('image/*', { example: '<svg/>' }) }),
      '/png': get('png', { 200: text('image/png') }),
      '/video': get('video', { 200: text('video/*') }),
      '/csv': get('csv', {
        200: text('text/csv', { schema: { type: 'array', items: thing, minItems: 1, maxItems: 1 } })
      }),
      '/html': get('html', {
        200: text('text/html', {
          schema: { type: 'string', maxLength: 3 },
          examples: { long: { value: 'long' }, short: { value: 'abc' } }
        })
      }),
      '/bytes': get('bytes', {
        200: text('application/octet-stream', { schema: { type: 'string', format: 'binary' } })
      }),
      '/form': get('form', { 200: text('application/x-www-form-urlencoded', { schema: thing }) }),
      '/text': get('text', { 200: text('text/plain') })
    }
  })
  const sent = async (path: string, accept?: string, prefer = '') => {
    const { status, headers, text } = await ask(path, { prefer, ...(accept === undefined ? {} : { accept }) })
    return [status, headers.get('content-type'), text]
  }
  t.same(await sent('/several'), [200, 'application/json', '{"n":1}'])
  t.same(await sent('/several', 'text/*'), [200, 'text/plain; charset=utf-8', 'n'])
  t.match(await sent('/several', 'application/xml;q=0.9, text/plain;q=0.1'), [
    200,
    'application/xml',
    /<n>1<\/n>/
  ])
  t.match(await sent('/several', 'image/png'), [
    406,
    'application/json',
    /none of the media types in Accept is offered/
  ])
  t.match(await sent('/several', 'application/json', 'code=400'), [400, 'application/json', '{"n":1}'])
  t.match(await sent('/one', 'text/html'), [406, 'application/json', /is offered: application\/json/])
  t.match(await sent('/one', 'text/html', 'code=404'), [404, 'application/json', '"no"'])
  t.same(await sent('/any', 'text/html, application/json;q=0.5'), [200, 'text/html; charset=utf-8', 'x'])
  t.same(await sent('/any'), [200, 'application/json', '"x"'])
  t.same(await sent('/image', 'image/svg+xml'), [200, 'image/svg+xml', '<svg/>'])
  t.match(await sent('/image'), [200, 'image/png', '<svg/>'])
  t.match(await sent('/png'), [200, 'image/png', /^.PNG/])
  t.match(await sent('/video'), [200, 'video/octet-stream', /./])
  t.same(await sent('/csv'), [200, 'text/csv; charset=utf-8', 'n\r\n1\r\n'])
  t.same(await sent('/html'), [200, 'text/html; charset=utf-8', 'abc'])
  t.match(warnings, ['html 200 text/html: the example long is not valid and is not sent'])
  t.match(await sent('/bytes'), [200, 'application/octet-stream', /./])
  t.same(await sent('/form'), [200, 'application/x-www-form-urlencoded', 'n=1'])
  t.match(await sent('/text'), [200, 'text/plain; charset=utf-8', /./])
})

t.test('sequences have items that fit', async (t) => {
  const event = object({
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: { const: 5 } }
  })
  const { get: ask, warnings } = await mocked(t, {
    openapi: '3.2.0',
    paths: {
      '/made': get('made', { 200: text('application/jsonl', { itemSchema: { const: 7 } }) }),
      '/events': get('events', { 200: text('text/event-stream', { itemSchema: event }) }),
      '/list': get('list', {
        200: text('application/x-ndjson', {
          schema: { type: 'array', items: { type: 'integer' } },
          examples: { wrong: { value: [1, 'x'] }, all: { value: [1, 2] } }
        })
      }),
      '/single': get('single', {
        200: text('application/json-seq', { itemSchema: { type: 'integer' }, example: 3 })
      })
    }
  })
  t.match((await ask('/made')).text, /^(7\n){1,3}$/)
  t.match((await ask('/made', { prefer: 'dynamic=true' })).text, /^(7\n){1,3}$/)
  t.match((await ask('/events')).text, /^(data: 5\n\n){1,3}$/)
  t.equal((await ask('/list')).text, '1\n2\n')
  t.equal((await ask('/single')).text, '\x1e3\n')
  t.strictSame(warnings, ['list 200 application/x-ndjson: the example wrong is not valid and is not sent'])
})

t.test('a body that nothing fits', async (t) => {
  const { get: ask, warnings } = await mocked(t, {
    paths: { '/a': get('a', { 200: json({ type: 'integer', minimum: 2, maximum: 1 }, { example: 'x' }) }) }
  })
  t.match(await ask('/a'), { status: 501, text: /no body is found that fits what a 200 declares"/ })
  t.same(warnings, ['a 200 application/json: the example is not valid and is not sent'])
})

t.test('the answer names the innermost part that has no value', async (t) => {
  const none = { type: 'string', pattern: '^(?=x)y$' }
  const inner = object({ open: { type: 'string' }, zip: none }, { required: ['open', 'zip'] })
  const rows: readonly (readonly [schema: object, place: string])[] = [
    [inner, '/zip'],
    [object({ name: none, address: inner }, { required: ['address'] }), '/address/zip'],
    [{ type: 'array', minItems: 1, items: inner }, '/0/zip'],
    [{ allOf: [object({ a: { type: 'integer' } }), object({ a: none }, { required: ['a'] })] }, '/a'],
    [object({ long: { type: 'string', minLength: 536_870_912 } }, { required: ['long'] }), '/long']
  ]
  const entries = rows.map(([schema], index) => [`/${index}`, get(`a${index}`, { 200: json(schema) })])
  const { get: ask } = await mocked(t, { paths: Object.fromEntries(entries) })
  for (const [index, [, place]] of rows.entries())
    t.match(await ask(`/${index}`), { status: 501, text: `: no value is found for ${place}"` })
})

t.test('headers', async (t) => {
  const header = (schema: unknown, more = {}) => ({ required: true, schema, ...more })
  const headers = {
    'X-Count': header({ type: 'integer' }),
    'X-Given': header({ type: 'string' }, { examples: { wrong: { value: 5 }, right: { value: 'given' } } }),
    'X-Json': { required: true, content: { 'application/json': { schema: { const: { a: [1] } } } } },
    'X-List': header({ type: 'array', items: { const: 'a' }, minItems: 2, maxItems: 2 }),
    'X-Object': header({ const: { a: 1 } }),
    'X-None': { schema: { enum: [null, { a: [1] }] } },
    'X-Any': {},
    'Content-Type': { schema: { type: 'string' } },
    'Content-Length': { schema: { type: 'integer' } }
  }
  const { get: ask } = await mocked(t, { paths: { '/a': get('a', { 204: { description: 'x', headers } }) } })
  const found = await ask('/a')
  t.match(found.headers.get('x-count'), /^\d+$/)
  t.equal(found.headers.get('x-given'), 'given')
  t.equal(found.headers.get('x-json'), '{"a":[1]}')
  t.equal(found.headers.get('x-list'), 'a, a')
  t.equal(found.headers.get('x-object'), 'a,1')
  t.equal(found.headers.get('x-none'), null)
  t.ok(found.headers.get('x-any'))
  t.not((await ask('/a', { prefer: 'dynamic=true' })).headers.get('x-given'), 'given')
})

t.test('refusals have the declared body, and their own status', async (t) => {
  const error = {
    400: json(object({ error: object({ message: { type: 'string' }, status: { type: 'integer' } }) }))
  }
  const parameters = [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }]
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    mutual: { type: 'mutualTLS' }
  }
  const ok = { 204: { description: 'x' } }
  const { get: ask } = await mocked(t, {
    paths: {
      '/nested': get('nested', { ...ok, ...error }, { parameters }),
      '/listed': get(
        'listed',
        { ...ok, 400: json({ type: 'array', items: object({ title: { type: 'string' } }), minItems: 1 }) },
        { parameters }
      ),
      '/word': get('word', { ...ok, 400: json({ type: 'string' }) }, { parameters }),
      '/fixed': get(
        'fixed',
        { ...ok, 400: json({ const: 'no' }), 404: json({ const: { a: [] } }) },
        { parameters }
      ),
      '/open': get('open', { ...ok, 400: json(object({ code: { const: 9 } })) }, { parameters }),
      '/example': get(
        'example',
        {
          ...ok,
          400: json(object({ code: { type: 'string' }, message: { type: 'string' } }), {
            examples: { one: { value: { code: 'E1', message: 'x' } } }
          })
        },
        { parameters }
      ),
      '/impossible': get('impossible', { ...ok, 400: json(false) }, { parameters }),
      '/text': get(
        'text',
        { ...ok, 400: text('text/plain', { schema: { type: 'string' } }) },
        { parameters }
      ),
      '/plain': get('plain', ok, { parameters }),
      '/untyped': get('untyped', { ...ok, 400: text('application/json') }, { parameters }),
      '/secured': get(
        'secured',
        { ...ok, 401: json(object({ detail: { type: 'string' } })) },
        { security: [{ key: [] }] }
      ),
      '/mutual': get('mutual', ok, { security: [{ mutual: [] }] })
    },
    components: { securitySchemes }
  })
  const refused = async (path: string, headers = {}) => {
    const { status, text } = await ask(path, headers)
    return [status, text]
  }
  t.same(await refused('/nested'), [400, '{"error":{"message":"query/n is required","status":400}}'])
  t.same(await refused('/listed'), [400, '[{"title":"query/n is required"}]'])
  t.same(await refused('/word'), [400, '"query/n is required"'])
  t.same(await refused('/fixed'), [400, '"no"'])
  t.same(await refused('/open'), [400, '{"code":9,"message":"query/n is required"}'])
  t.same(await refused('/example'), [400, '{"code":"E1","message":"query/n is required"}'])
  t.match(await refused('/untyped'), [400, /query\/n is required/])
  t.match(await refused('/impossible'), [400, /"message":"query\/n is required"/])
  t.same(await refused('/text'), [400, 'query/n is required'])
  t.same(await refused('/plain'), [400, '{"status":400,"code":"mismatch","message":"query/n is required"}'])
  t.match(await refused('/fixed?n=1', { prefer: 'code=418' }), [404, /declared responses: 204, 400, 404/])
  t.same(await refused('/secured'), [401, '{"detail":"no credentials were sent; expected X-Key: <key>"}'])
  t.same(await refused('/secured', { 'x-key': 'any' }), [204, ''])
  t.same(await refused('/mutual'), [204, ''])
  t.match(await refused('/nowhere'), [404, /no such path/])
  t.match((await ask('/plain', {}, { method: 'PUT' })).status, 405)
})

t.test('an error that no operation declares has the body of the others, where that is one', async (t) => {
  const gone = json({ $ref: '#/components/schemas/Error' })
  const { get: ask, warnings } = await mocked(t, {
    paths: {
      '/one': get('one', { 204: { description: 'x' }, 404: gone }, { security: [{ key: [] }] }),
      '/two': get('two', { 204: { description: 'x' }, '5XX': gone })
    },
    components: {
      schemas: { Error: object({ error_message: { type: 'string' } }) },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }
    }
  })
  t.match(JSON.parse((await ask('/one')).text), { error_message: /^no credentials were sent/ })
  t.strictSame(JSON.parse((await ask('/nowhere')).text), { error_message: 'no such path' })
  t.strictSame(warnings, [])
})

t.test('the text of a refusal stands in the declared texts', async (t) => {
  const [text, number, url] = [{ type: 'string' }, { type: 'integer' }, { type: 'string', format: 'uri' }]
  const why = 'query/n is required'
  const rows: readonly (readonly [response: object, want: object])[] = [
    [json(object({ why: text })), { why }],
    [json(object({ code: number, why: text })), { code: 400, why }],
    [json(object({ code: number, info: text })), { code: 400, info: why }],
    [json(object({ errors: { type: 'array', items: text, minItems: 1, maxItems: 1 } })), { errors: [why] }],
    [json({ type: 'array', items: text, minItems: 1, maxItems: 1 }), [why]],
    [json(object({ title: text, detail: text, type: url })), { title: why, detail: why, type: /:/ }],
    [json(object({ title: { ...text, example: 'No' }, detail: text })), { title: 'No', detail: why }],
    [json(object({ title: text, detail: { const: 'x' } })), { title: why, detail: 'x' }],
    [json(object({ info: { ...text, example: 'No' } })), { info: 'No', message: why }],
    [json(object({ code: { ...text, maxLength: 3 } })), { code: /^.{0,3}$/, message: why }],
    [json(object({ code: text }, { additionalProperties: false })), { code: String }],
    [
      json(object({ code: number, detail: text }, { required: ['code'] }), { example: { code: 1 } }),
      { code: 400, detail: why }
    ]
  ]
  const parameters = [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }]
  const ok = { 204: { description: 'x' } }
  const entries = rows.map(([response], index) => [
    `/${index}`,
    get(`refused${index}`, { ...ok, 400: response }, { parameters })
  ])
  const { get: ask } = await mocked(t, { paths: Object.fromEntries(entries) })
  for (const [index, [response, want]] of rows.entries()) {
    const { status, text } = await ask(`/${index}`)
    t.equal(status, 400)
    t.match(JSON.parse(text), want, JSON.stringify(response))
    if (!('message' in want)) t.notMatch(text, /"message"/, 'nothing undeclared is added')
  }
})

t.test('a base path prefixes the routes', async (t) => {
  const paths = { '/a': get('a', { 204: { description: 'x' } }) }
  const { basePath, get: ask } = await mocked(t, { servers: [{ url: 'https://x.example/api' }], paths })
  t.equal(basePath, '/api')
  t.equal((await ask('/api/a')).status, 204)
  t.equal((await ask('/a')).status, 404)
})

t.test('any page may call it', async (t) => {
  const paths = {
    '/a': {
      ...get('a', { 200: { ...json({}), headers: { 'X-Total': { schema: { type: 'integer' } } } } }),
      options: { operationId: 'b', responses: { 204: { description: 'x' } } }
    }
  }
  const { get: ask } = await mocked(t, { paths })
  t.equal((await ask('/a')).headers.get('access-control-allow-origin'), '*')
  const origin = 'https://page.example'
  const { headers } = await ask('/a', { origin })
  t.equal(headers.get('access-control-allow-origin'), origin)
  t.equal(headers.get('access-control-allow-credentials'), 'true')
  t.match(headers.get('access-control-expose-headers'), /preference-applied.*x-total/)
  const asked = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization, prefer'
  }
  const preflight = await ask('/a', asked, { method: 'OPTIONS' })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-headers'), 'authorization, prefer')
  t.match(preflight.headers.get('access-control-allow-methods'), /GET, HEAD, OPTIONS/)
  t.equal((await ask('/a', { origin }, { method: 'OPTIONS' })).status, 204, 'the operation')
})

t.test('a body or a header that is too large is not made, and the answer says so', async (t) => {
  const list = { type: 'array', minItems: 300_000_000 }
  const long = { type: 'string', minLength: 536_870_912 }
  const { get: ask, contract } = await mocked(t, {
    paths: {
      '/lists': get('lists', { 200: json(list) }),
      '/headers': get('headers', { 200: { description: 'x', headers: { 'x-long': { schema: long } } } }),
      '/errors': get('errors', { 200: json(list), 501: json(object({ message: long })) })
    }
  })
  const { status, text } = await ask('/lists')
  t.equal(status, 501)
  t.match(
    text,
    'no body is found that fits what lists 200 declares within 100000 values and 1000000 characters'
  )
  const { headers } = await ask('/headers')
  t.notOk(headers.has('x-long'))
  t.equal((await ask('/errors')).status, 501)
  t.match(contract.example?.target, '/lists')
})

t.test('an entity tag has the form of one, and is compared', async (t) => {
  const tagged = (schema: object, more: object = {}) => ({
    ...json({ const: 1 }),
    headers: { ETag: { required: true, schema, ...more } }
  })
  const unchanged = { 304: { description: 'x' } }
  const { get: ask } = await mocked(t, {
    paths: {
      '/made': {
        ...get('made', { 200: tagged({ type: 'string' }), ...unchanged }),
        put: { operationId: 'put', responses: { 200: tagged({ type: 'string' }) } }
      },
      '/given': get('given', { 200: tagged({ type: 'string' }, { example: '"7"' }), ...unchanged }),
      '/wrong': get('wrong', { 200: tagged({ type: 'string' }, { example: '7' }), ...unchanged }),
      '/other': get('other', { 200: tagged({ const: 'x' }), ...unchanged })
    }
  })
  for (const [path, init] of [['/made'], ['/made', { method: 'PUT' }], ['/given'], ['/wrong']] as const) {
    const { status, headers } = await ask(path, {}, init)
    t.equal(status, 200, path)
    const tag = headers.get('etag') ?? ''
    t.match(tag, path === '/given' ? /^"7"$/ : /^(W\/)?"[!#-~]*"$/, path)
    if (init === undefined) t.equal((await ask(path, { 'if-none-match': tag })).status, 304, path)
  }
  const other = await ask('/other')
  t.match([other.status, other.text], [501, /no value is found for header ETag, which the contract requires/])
})

t.test('no writeOnly property is answered, wherever its value comes from', async (t) => {
  const password = { type: 'string', writeOnly: true }
  const value = { name: 'fern', password: 'secret' }
  const user = object({ name: { type: 'string' }, password })
  const [plain, shown] = [{ $ref: '#/components/schemas/User' }, { $ref: '#/components/schemas/Shown' }]
  const inside = (schema: object, example: unknown) => json(schema, { example })
  const rows: readonly (readonly [response: object, text: string])[] = [
    [json(shown), '{"name":"fern"}'],
    [json({ ...user, examples: [value] }), '{"name":"fern"}'],
    [inside(plain, value), '{"name":"fern"}'],
    [json(plain, { examples: { one: { value } } }), '{"name":"fern"}'],
    [json(plain, { examples: { one: { $ref: '#/components/examples/One' } } }), '{"name":"fern"}'],
    [inside({ type: 'array', items: plain }, [value, value]), '[{"name":"fern"},{"name":"fern"}]'],
    [
      json(object({ of: { type: 'array', items: shown, minItems: 1, maxItems: 1 } })),
      '{"of":[{"name":"fern"}]}'
    ],
    [inside(object({ user: plain }), { user: value, more: 1 }), '{"user":{"name":"fern"},"more":1}'],
    [inside({ additionalProperties: plain }, { x: value }), '{"x":{"name":"fern"}}'],
    [
      inside({ patternProperties: { '^x': plain }, additionalProperties: true }, { x: value }),
      '{"x":{"name":"fern"}}'
    ],
    [inside({ prefixItems: [plain] }, [value]), '[{"name":"fern"}]'],
    [inside({ ...user, additionalProperties: true }, { ...value, more: 1 }), '{"name":"fern","more":1}'],
    [inside({ allOf: [plain, { additionalProperties: {} }] }, value), '{"name":"fern"}'],
    [inside({ oneOf: [plain, { type: 'string' }] }, value), '{"name":"fern"}'],
    [inside({ anyOf: [plain, { type: 'object' }] }, value), '{"name":"fern"}'],
    [inside({ properties: { password: { $ref: '#/components/schemas/Secret' } } }, value), '{"name":"fern"}'],
    [inside({ properties: { password: { allOf: [password] } } }, value), '{"name":"fern"}'],
    [text('*/*', { schema: plain, example: value }), '{"name":"fern"}'],
    [text('application/problem+json', { schema: plain, example: value }), '{"name":"fern"}'],
    [
      text('application/jsonl', { schema: { type: 'array', items: plain }, example: [value] }),
      '{"name":"fern"}\n'
    ],
    [
      text('application/jsonl', { schema: plain, example: '{"name":"fern","password":"x"}\n' }),
      '{"name":"fern"}\n'
    ],
    [text('text/event-stream', { schema: plain, example: [value] }), 'data: {"name":"fern"}\n\n'],
    [text('application/xml', { schema: plain, example: value }), '<User><name>fern</name></User>\n'],
    [text('text/csv', { schema: { type: 'array', items: plain }, example: [value] }), 'name\r\nfern\r\n'],
    [text('text/plain', { schema: plain, example: value }), '{"name":"fern"}'],
    [text('application/x-www-form-urlencoded', { schema: plain, example: value }), 'name=fern'],
    [{ description: 'x', headers: { 'X-User': { schema: plain, example: value } } }, ''],
    [
      {
        description: 'x',
        headers: { 'X-User': { content: { 'application/json': { schema: plain, example: value } } } }
      },
      ''
    ]
  ]
  const { get: ask } = await mocked(t, {
    paths: Object.fromEntries(
      rows.flatMap(([response], index) => [
        [`/${index}`, get(`success${index}`, { 200: response })],
        [`/error/${index}`, get(`error${index}`, { 400: response })]
      ])
    ),
    components: {
      schemas: { User: user, Shown: { ...user, example: value }, Secret: password },
      examples: { One: { value } }
    }
  })
  for (const [index, [response, want]] of rows.entries())
    for (const path of ['', '/error'])
      for (const prefer of ['', 'dynamic=true']) {
        const { status, headers, text } = await ask(`${path}/${index}`, { prefer })
        const name = `${path} ${prefer} ${JSON.stringify(response)}`
        t.equal(status, path === '' ? 200 : 400, name)
        t.notMatch(`${text} ${headers.get('x-user')}`, /password|secret/, name)
        if (prefer === '') t.equal(text.replace(/^<\?xml.*\n/, ''), want, name)
      }
})

t.test('headers that Node or the body decides are served where they are required', async (t) => {
  const body = { a: 'ä'.repeat(300) }
  const rows: readonly (readonly [name: string, schema: object, value: RegExp | null])[] = [
    ['Content-Length', { type: 'integer' }, /^\d+$/],
    ['content-length', { type: 'string' }, /^\d+$/],
    ['Content-Length', { type: 'integer', minimum: 1, example: 611 }, /^\d+$/],
    ['Content-Encoding', { type: 'string', enum: ['gzip'] }, /^gzip$/],
    ['Content-Encoding', { type: 'string' }, /^(gzip|x-gzip|deflate|br|zstd|identity)$/],
    ['Content-Encoding', { const: 'br' }, /^br$/],
    ['Content-Encoding', { const: 'deflate' }, /^deflate$/],
    ['Content-Encoding', { const: 'zstd' }, /^zstd$/],
    ['Content-Encoding', { type: 'string', example: 'identity' }, /^identity$/],
    ['Connection', { type: 'string', enum: ['close'] }, /^keep-alive$/],
    ['Keep-Alive', { type: 'string' }, /^timeout=/],
    ['Transfer-Encoding', { const: 'chunked' }, null],
    ['Upgrade', { const: 'h2c' }, null],
    ['Trailer', { type: 'string' }, null],
    ['Content-Type', { const: 'text/html' }, /^application\/json$/],
    ['Date', { type: 'string' }, /./]
  ]
  const bodies: readonly (readonly [path: string, response: object, text: string])[] = [
    ['json', json({ type: 'object' }, { example: body }), JSON.stringify(body)],
    ['text', text('text/plain', { example: 'ä' }), 'ä'],
    ['bytes', text('application/octet-stream', { example: 'x' }), 'x'],
    ['items', text('application/jsonl', { schema: { type: 'integer' }, example: [1, 2] }), '1\n2\n'],
    ['empty', { description: 'x' }, '']
  ]
  const { get: ask } = await mocked(t, {
    paths: Object.fromEntries(
      rows.flatMap(([name, schema], index) =>
        bodies.map(([kind, response]) => {
          const headers = { [name]: { required: true, schema } }
          const [all, none] = [{ 200: { ...response, headers } }, { 204: { description: 'x', headers } }]
          const operations = {
            ...get(`get-${kind}-${index}`, all),
            put: { operationId: `put-${kind}-${index}`, responses: none },
            post: { operationId: `post-${kind}-${index}`, responses: { 400: { ...response, headers } } }
          }
          const head = { operationId: `head-${kind}-${index}`, responses: all }
          return [`/${kind}/${index}`, kind === 'empty' ? { ...operations, head } : operations]
        })
      )
    )
  })
  for (const [index, [name, schema, value]] of rows.entries())
    for (const [kind, , want] of bodies) {
      const label = `${name} ${JSON.stringify(schema)} ${kind}`
      for (const prefer of ['', 'wait=0.001']) {
        const { status, text, headers } = await ask(`/${kind}/${index}`, { prefer })
        t.same([status, text], [200, want], label)
        const isFree = kind === 'items' || (kind === 'empty' && name === 'Content-Type')
        if (!isFree && kind === 'json') t.match(headers.get(name) ?? null, value ?? null, label)
      }
      for (const [method, want] of [
        ['HEAD', 200],
        ['PUT', 204],
        ['POST', 400]
      ] as const)
        t.equal((await ask(`/${kind}/${index}`, {}, { method })).status, want, `${method} ${label}`)
    }
})
