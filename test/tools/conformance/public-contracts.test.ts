/** Correct servers of what public contracts often have: keys beside parameters, XML, large forms, names that HTTP lacks. */
import t from 'tap'
import { checked, error, ok, only, send } from './checked-server.ts'

const text = { type: 'string' }
const key = (place: string, name: string) => ({
  securitySchemes: { key: { type: 'apiKey', in: place, name } }
})
const secured = { security: [{ key: [] }] }

t.test('a key takes the place of a parameter with its name', async (t) => {
  for (const place of ['query', 'cookie']) {
    const parameters = ['api-key', 'other'].map((name) => ({ name, in: place, schema: text }))
    const answer = only('GET', (request, response) => {
      const text = place === 'query' ? request.url?.split('?')[1] : request.headers.cookie
      const pairs = text?.split(/&|; /) ?? []
      if (new Set(pairs.map((pair) => pair.split('=')[0])).size < pairs.length) return send(response, 400, {})
      return send(response, pairs.includes('api-key=right-key') ? 200 : 401, {})
    })
    const operation = { ...secured, parameters, responses: { 200: ok, 400: error, 401: error } }
    const { findings, asked } = await checked(t, { '/things': { get: operation } }, answer, {
      components: key(place, 'api-key'),
      token: 'right-key'
    })
    t.strictSame(findings, [], place)
    if (place === 'query')
      t.ok(
        asked.some((line) => line.includes('other=')),
        'other parameters stay'
      )
  }
})

t.test('names that no header has are left out', async (t) => {
  const parameters = [{ name: 'an option', in: 'header', schema: text }]
  const answer = only('GET', (_request, response) => send(response, 200, {}))
  const operation = { parameters, responses: { 200: ok } }
  const paths = { '/open': { get: operation }, '/locked': { get: { ...operation, ...secured } } }
  const { findings, locked } = await checked(t, paths, answer, {
    components: key('header', 'a key'),
    token: 'any'
  })
  t.strictSame(locked, ['GET /locked'])
  t.strictSame(findings, ['missing-credentials-accepted GET /locked'])
})

t.test('a schema describes the value of an XML text, which is not decoded', async (t) => {
  const schema = { type: 'object', required: ['a'], properties: { a: text } }
  const xml = { description: 'ok', content: { 'text/xml': { schema }, 'application/xml': { schema } } }
  const answer = only('GET', (request, response) => {
    const type = request.headers.accept?.startsWith('application') ? 'application/xml' : 'text/xml'
    return void response.writeHead(200, { 'content-type': type }).end('<x><a>b</a></x>')
  })
  const { findings } = await checked(t, { '/things': { get: { responses: { 200: xml } } } }, answer)
  t.strictSame(findings, [])
})

t.test('an answer below a resource has an id of its own', async (t) => {
  const id = { type: 'integer', minimum: 1, maximum: 9 }
  const thing = { description: 'ok', content: { 'application/json': { schema: { properties: { id } } } } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: id }]
  const responses = { 201: thing, 400: error, 404: error }
  const answer = only('POST', (request, response) =>
    /^\/maps\/[1-9]\/comments$/.test(String(request.url))
      ? send(response, 201, { id: 7 })
      : send(response, 400, {})
  )
  const { findings } = await checked(
    t,
    { '/maps/{id}/comments': { post: { parameters, responses } } },
    answer
  )
  t.strictSame(findings, [])
})

t.test('a value of a path leads to no other path of the contract', async (t) => {
  const entity = {
    name: 'entity',
    in: 'path',
    required: true,
    schema: { enum: ['clients', 'orders', 'goods'] }
  }
  const taking = (type: string) => ({
    requestBody: { required: true, content: { 'application/json': { schema: { type } } } },
    responses: { 200: ok, 400: error }
  })
  const answer = only('POST', (request, response, body) => {
    const isText = body.startsWith('"') && body.length > 1
    return send(response, isText === (request.url !== '/clients/documents') ? 200 : 400, {})
  })
  const paths = {
    '/{entity}/documents': { post: { parameters: [entity], ...taking('string') } },
    '/clients/documents': { post: taking('integer') }
  }
  const { findings, asked } = await checked(t, paths, answer)
  t.notOk(findings.includes('valid-request-refused POST /{entity}/documents'))
  t.ok(asked.some((line) => line.startsWith('POST /orders/documents "')))
})

t.test('each of many texts is long in some request, and no request is larger than 100 kB', async (t) => {
  const names = Array.from({ length: 12 }, (_, index) => `name${index}`)
  const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])) }
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const long = new Set<string>()
    const answer = only('POST', (_request, response, body) => {
      if (body.length > 100_000) return send(response, 413, {})
      for (const [, name] of body.matchAll(/(name\d+)(?:=|":")a{20000}(?:&|"|$)/g)) long.add(String(name))
      return send(response, 200, {})
    })
    const operation = { requestBody: { content: { [type]: { schema } } }, responses: { 200: ok } }
    const { findings } = await checked(t, { '/things': { post: operation } }, answer)
    t.notOk(findings.includes('valid-request-refused POST /things'), type)
    t.strictSame([...long].sort(), names.toSorted(), type)
  }
})
