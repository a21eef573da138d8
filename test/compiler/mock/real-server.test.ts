/** A mock that asks a real server first: what it has is sent on, what breaks the contract is named. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import t from 'tap'
import { json, mocked, text } from './mocked.ts'

const name = { type: 'string' }
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name }
}
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
const operation = (operationId: string, responses: object, more: object = {}) => ({
  operationId,
  responses,
  ...more
})
const document = {
  security: [{ bearer: [], key: [], sign: [] }],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
      sign: { type: 'apiKey', in: 'header', name: 'X-Sign' }
    }
  },
  paths: {
    '/things/{id}': {
      parameters: id,
      get: operation('read', {
        200: { ...json(thing), headers: { 'X-Left': { schema: name } } },
        404: json(name)
      }),
      put: operation(
        'write',
        { 200: json(thing) },
        {
          requestBody: { content: { 'application/json': { schema: thing } } }
        }
      ),
      delete: operation('remove', { 204: { description: 'gone' }, 200: json(name) })
    },
    '/new': { get: operation('news', { 200: json(thing) }) },
    '/events': { get: operation('events', { 200: text('application/jsonl', { schema: thing }) }) }
  }
}

const asked: string[] = []
let last: IncomingHttpHeaders = {}
const real = createServer(async (request, response) => {
  const { method, url = '', headers } = request
  last = headers
  asked.push(`${method} ${url} ${headers.authorization} ${headers['x-sign']} ${await textOf(request)}`)
  const [status, type, body] = answers[`${method} ${url.split('?')[0]}`] ?? [404, 'text/html', '<h1>no</h1>']
  response.writeHead(status, {
    ...(type && { 'content-type': type }),
    'x-left': '7',
    connection: 'close',
    ...(status === 200 && { 'set-cookie': ['a=1', 'b=2'] })
  })
  response.end(body)
})
type Sent = readonly [status: number, type: string | undefined, body: string]
const answers: Readonly<Record<string, Sent>> = {
  'GET /v1/things/1': [200, 'application/json', '{"id":9007199254740993,"name":"real"}'],
  'GET /v1/things/2': [200, 'application/json', '{"id":"2","name":"wrong"}'],
  'GET /v1/things/3': [404, 'application/json', '"none"'],
  'GET /v1/things/4': [418, undefined, ''],
  'PUT /v1/things/5': [200, 'application/json', '{"id":5,"name":"put"}'],
  'DELETE /v1/things/6': [204, undefined, ''],
  'GET /v1/events': [200, 'application/jsonl', '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n']
}
real.listen(0, '127.0.0.1')
await once(real, 'listening')
t.teardown(() => real.close())
const origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
const headers = { authorization: 'Bearer secret', 'x-sign': 'yes' }

t.test('what the real server has is sent, and what breaks the contract is named', async (t) => {
  const { get, warnings } = await mocked(t, document, { seed: 1, proxy: `${origin}/v1` })
  const ask = (line: string, init: RequestInit = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const type = init.body ? { 'content-type': 'application/json' } : {}
    return get(`${path}?key=k`, { ...headers, ...type }, { method, ...init })
  }
  const first = await ask('GET /things/1')
  t.match(first, { status: 200, text: '{"id":9007199254740993,"name":"real"}' })
  t.equal(first.headers.get('x-left'), '7')
  t.equal(asked.at(-1), 'GET /v1/things/1?key=k Bearer secret yes ')
  t.match(await ask('PUT /things/5', { body: '{"id":5,"name":"put"}' }), { text: '{"id":5,"name":"put"}' })
  t.match(asked.at(-1), /\{"id":5,"name":"put"\}$/)
  t.equal((await ask('DELETE /things/6')).status, 204)
  t.match(await ask('GET /things/3'), { status: 404, text: '"none"' }, 'a declared 404 is its own')
  t.match(await ask('GET /events'), { text: '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n' })
  t.same(warnings, [])

  const wrong = await ask('GET /things/2')
  t.match(wrong, { status: 200, text: '{"id":"2","name":"wrong"}' }, 'it is sent as it is')
  t.equal(wrong.headers.get('content-type'), 'application/json')
  t.same(wrong.headers.getSetCookie(), ['a=1', 'b=2'])
  t.equal((await ask('GET /things/4')).status, 418)
  t.match(warnings.slice(), [
    `${origin}/v1: read answered 200: body/id must be integer`,
    `${origin}/v1: read answered 418: status`
  ])

  t.match(await ask('GET /new'), { status: 200, text: /^\{"id":\d+,"name":"/ }, 'what it lacks is made')
  t.equal(warnings.length, 2)
  const before = asked.length
  t.equal((await ask('GET /things/x')).status, 400)
  t.equal((await get('/things/1')).status, 401)
  t.equal(asked.length, before, 'a request that breaks the contract is not sent')
  t.equal((await get('/things/1?key=k', { ...headers, prefer: 'code=404' })).status, 200)
})

const pages: readonly (readonly [origin: string, isForeign: boolean])[] = [
  ['https://page.example', true],
  ['http://localhost.page.example', true],
  ['http://192.168.1.7:3000', true],
  ['null', true],
  ['http://localhost:3000', false],
  ['http://app.localhost', false],
  ['http://127.0.0.1:5173', false],
  ['http://[::1]:5173', false]
]
t.test(
  'a page of another site does not use the cookies of its user; the real server sees its origin',
  async (t) => {
    const { get } = await mocked(t, { ...document, security: [] }, { seed: 1, proxy: `${origin}/v1` })
    const credentials = { cookie: 'session=1', 'x-sign': 'yes' }
    for (const [page, isForeign] of pages) {
      const sent = {
        ...credentials,
        origin: page,
        'sec-fetch-site': 'cross-site',
        authorization: 'Basic YTpi'
      }
      const { headers } = await get('/things/1', sent)
      t.equal(headers.get('access-control-allow-origin'), isForeign ? '*' : page, page)
      t.equal(headers.get('access-control-allow-credentials'), isForeign ? null : 'true')
      t.match(last, { origin: page, 'sec-fetch-site': 'cross-site', 'x-sign': 'yes' })
      t.equal(last.cookie, isForeign ? undefined : 'session=1')
      t.equal(last.authorization, isForeign ? undefined : 'Basic YTpi')
      await get('/things/1', { ...sent, authorization: 'Bearer own' })
      t.equal(last.authorization, 'Bearer own', 'a token that the page has')
    }
  }
)

t.test('a server that is not there is named, and its answers are made', async (t) => {
  const { get, warnings } = await mocked(t, document, { seed: 1, proxy: 'http://127.0.0.1:9' })
  t.equal((await get('/new?key=k', headers)).status, 200)
  t.match(warnings, ['http://127.0.0.1:9: '])
})
