/** The request that a person pastes. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { sampleRequest } from '../../../src/compiler/mock/sample-request.ts'

const responses = { 204: { description: 'x' } }
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example' },
  key: { type: 'apiKey', in: 'query', name: 'key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  mutual: { type: 'mutualTLS' }
}

async function sampleOf(t: Test, paths: object) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths,
    components: { securitySchemes }
  }
  const folder = t.testdir({ 'openapi.json': JSON.stringify(document) })
  const compiled = await compileInMemory(join(folder, 'openapi.json'))
  return sampleRequest({ ...compiled, seed: 1 })
}

const parameter = (name: string, place: string, more: object = { schema: { const: name } }) => ({
  name,
  in: place,
  required: true,
  ...more
})
const secured = (...names: string[]) => [Object.fromEntries(names.map((name) => [name, []]))]

t.test('the easiest operation is chosen', async (t) => {
  const body = { required: true, content: { 'application/json': { schema: { const: 1 } } } }
  const paths = {
    '/b': { get: { operationId: 'b', parameters: [parameter('a', 'query')], responses } },
    '/c': {
      get: { operationId: 'c', summary: 'See it', responses },
      post: { operationId: 'd', requestBody: body, responses }
    }
  }
  t.same(await sampleOf(t, paths), {
    summary: 'See it',
    method: 'GET',
    path: '/c',
    headers: [],
    body: undefined
  })
})

t.test('parameters and a body are filled in', async (t) => {
  const parameters = [
    parameter('id', 'path', { schema: { type: 'string' }, example: 'a b' }),
    parameter('q', 'query'),
    parameter('page', 'query', { content: { 'application/json': { schema: { const: { n: 1 } } } } }),
    parameter('X-A', 'header'),
    parameter('c', 'cookie')
  ]
  const requestBody = { required: true, content: { 'application/json': { schema: {}, example: { big: 1 } } } }
  t.same(
    await sampleOf(t, { '/a/{id}': { post: { operationId: 'a', parameters, requestBody, responses } } }),
    {
      summary: 'a',
      method: 'POST',
      path: '/a/a%20b?q=q&page=%7B%22n%22%3A1%7D',
      headers: [
        ['X-A', 'X-A'],
        ['Cookie', 'c=c'],
        ['Content-Type', 'application/json']
      ],
      body: '{"big":1}'
    }
  )
})

t.test('credentials are of the right form', async (t) => {
  const headersOf = async (...names: string[]) =>
    (await sampleOf(t, { '/a': { get: { operationId: 'a', security: secured(...names), responses } } }))
      ?.headers
  t.same(await headersOf('bearer'), [['Authorization', 'Bearer mock']])
  t.same(await headersOf('oauth'), [['Authorization', 'Bearer mock']])
  t.same(await headersOf('basic'), [['Authorization', 'Basic bW9jazptb2Nr']])
  t.same(await headersOf('digest'), [['Authorization', 'digest mock']])
  t.same(await headersOf('header', 'session'), [
    ['X-Key', 'mock'],
    ['Cookie', 'session=mock']
  ])
  t.equal(await headersOf('mutual'), undefined)
  const { path } =
    (await sampleOf(t, { '/a': { get: { operationId: 'a', security: secured('key'), responses } } })) ?? {}
  t.equal(path, '/a?key=mock')
})

t.test('requests that are hard to write are not shown', async (t) => {
  const post = (content: object, more = {}) => ({
    '/a': { post: { operationId: 'a', requestBody: { required: true, content }, responses, ...more } }
  })
  t.equal(await sampleOf(t, post({ 'multipart/form-data': { schema: { type: 'object' } } })), undefined)
  t.equal(
    await sampleOf(t, post({ 'application/json': { schema: { type: 'integer', minimum: 3, maximum: 2 } } })),
    undefined
  )
  t.match(await sampleOf(t, post({ 'application/json': {} })), { body: /./ })
  const list = parameter('a', 'query', { schema: { type: 'array', items: { type: 'integer' }, minItems: 1 } })
  t.equal(
    await sampleOf(t, { '/a': { get: { operationId: 'a', parameters: [list], responses } } }),
    undefined
  )
  const none = {
    '/a': {
      get: {
        operationId: 'a',
        parameters: [parameter('a', 'query', { content: { 'application/json': { schema: false } } })],
        responses
      }
    }
  }
  t.equal(await sampleOf(t, none), undefined)
})
