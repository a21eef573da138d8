/** The request that `npm start` and the mock show for people to paste. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../../src/compiler/compiler.ts'
import { stringify } from '../../../../src/engine/json/exact-values.ts'
import type { ExampleRequest } from '../../../../src/engine/model/compiled-contract.ts'
import { exampleRequest, pasteable } from '../../../../src/tools/samples/requests/example-request.ts'

const responses = { 204: { description: 'x' } }

async function exampleOf(t: Test, paths: object, components: object = {}) {
  const document = { openapi: '3.2.0', info: { title: 'x', version: '1' }, paths, components }
  const folder = t.testdir({ 'openapi.json': stringify(document) })
  const { contract, model } = await compileInMemory(join(folder, 'openapi.json'))
  const { validators } = await contract.load()
  return exampleRequest({ operations: contract.operations, model, validators })
}

const post = (requestBody: object, more: object = {}) => ({
  '/a': { post: { operationId: 'a', requestBody, responses, ...more } }
})
const get = (parameters: readonly object[], path = '/a') => ({
  [path]: { get: { operationId: 'a', parameters, responses } }
})
const body = (content: object, required = true) => ({ required, content })
const json = (media: object, required = true) => body({ 'application/json': media }, required)
const parameter = (place: string, more: object, name = 'p') => ({ name, in: place, required: true, ...more })
const integer = { type: 'integer' }
const int64Max = 9223372036854775807n
const list = { type: 'array', items: { ...integer, format: 'int64' } }
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required
})
const jsonHeaders = { 'Content-Type': 'application/json' }

const upload = object({
  name: { type: 'string', example: 'a;b' },
  photo: { type: 'string', format: 'binary', example: 'text' },
  more: { type: 'array', items: { type: 'string' }, example: ['x', 'y'] },
  meta: { ...object({ a: integer }), example: { a: 1 } }
})
const encoding = { photo: { contentType: 'image/*, application/pdf' } }

const rows: Readonly<Record<string, { paths: object; components?: object; want: Partial<ExampleRequest> }>> =
  {
    'a whole query that is a form': {
      paths: get([
        parameter('querystring', {
          content: {
            'application/x-www-form-urlencoded': {
              schema: object({ a: { type: 'array', items: integer }, b: { type: 'string' } }),
              encoding: { a: { explode: false } },
              example: { a: [1, 2], b: 'x y' }
            }
          }
        })
      ]),
      want: { target: '/a?a=1,2&b=x%20y' }
    },
    'a whole query whose example is no form': {
      paths: get([
        parameter('querystring', {
          content: { 'application/x-www-form-urlencoded': { schema: object({ a: { const: 7 } }) } },
          examples: { text: { serializedValue: 'a=8' } }
        })
      ]),
      want: { target: '/a?a=7' }
    },
    'a whole query that is JSON, by its schema': {
      paths: get([
        parameter('querystring', { content: { 'application/json': { schema: { const: { a: 1 } } } } })
      ]),
      want: { target: '/a?%7B%22a%22%3A1%7D' }
    },
    'a whole query that is a text': {
      paths: get([
        parameter('querystring', {
          content: { 'text/plain': { schema: { type: 'string' } } },
          examples: { empty: { value: '' } }
        })
      ]),
      want: { target: '/a?amber-market' }
    },
    'an open GET': { paths: get([]), want: { target: '/a', headers: {} } },
    'a body with an example': {
      paths: post(json({ schema: {}, example: { a: [1, "it's"], b: {} } })),
      want: { headers: jsonHeaders, body: `{"a": [1, "it's"], "b": {}}` }
    },
    'the first of several examples, which may be elsewhere': {
      paths: post(json({ schema: {}, examples: { one: { externalValue: 'x' }, two: { value: 2 } } })),
      want: { body: '2' }
    },
    'an example as data, before its text': {
      paths: post(
        json({ schema: {}, examples: { one: { dataValue: [1], serializedValue: '[2]', value: 3 } } })
      ),
      want: { body: '[1]' }
    },
    'an example as a text of JSON, after one that is none': {
      paths: post(
        json({
          schema: {},
          examples: { no: { serializedValue: '{' }, one: { serializedValue: '{ "a": [1] }' } }
        })
      ),
      want: { body: '{"a": [1]}' }
    },
    'an example as a text of another media type': {
      paths: post({
        content: { 'text/plain': { schema: { type: 'string' }, examples: { a: { serializedValue: 'x' } } } }
      }),
      want: { body: 'x' }
    },
    'a parameter whose example is written by its style': {
      paths: get([
        parameter('query', { schema: { const: 'x' }, examples: { a: { serializedValue: 'p=y' } } })
      ]),
      want: { target: '/a?p=x' }
    },
    'a referenced body with an example in its schema': {
      paths: post({ $ref: '#/components/requestBodies/Thing' }),
      components: {
        schemas: { Thing: { examples: [{ id: 1 }, { id: 2 }] } },
        requestBodies: { Thing: json({ schema: { $ref: '#/components/schemas/Thing' } }) }
      },
      want: { body: '{"id": 1}' }
    },
    'an integer beyond 2^53': {
      paths: post(json({ schema: { type: 'integer', format: 'int64' }, example: 9223372036854775807n })),
      want: { body: '9223372036854775807' }
    },
    'an example that is not valid: another one is made': {
      paths: post(json({ schema: { const: 7 }, example: 'x' })),
      want: { body: '7' }
    },
    'a body whose schema gives its required properties': {
      paths: post(json({ schema: object({ a: { const: 1 }, b: { const: 2 } }, ['a']) })),
      want: { body: '{"a": 1}' }
    },
    'a body without required properties': {
      paths: post(json({ schema: object({ a: { const: 1 }, b: { const: 2 } }, []) })),
      want: { body: '{"a": 1, "b": 2}' }
    },
    'a body without any property': {
      paths: post(json({ schema: { type: 'object', maxProperties: 0 } })),
      want: { body: '{}' }
    },
    'a body that the server sets in part': {
      paths: post(json({ schema: object({ id: { readOnly: true, const: 1 }, a: { const: 1 } }) })),
      want: { body: '{"a": 1}' }
    },
    'an optional body without an example': {
      paths: post(json({ schema: integer }, false)),
      want: { headers: {} }
    },
    'an optional body with an example': {
      paths: post(json({ schema: integer, example: 7 }, false)),
      want: { body: '7' }
    },
    'a required parameter in each place, and optional ones': {
      paths: get(
        [
          parameter('path', { schema: { type: 'string' }, example: 'x y' }, 'id'),
          parameter('query', { schema: { ...integer, default: 5 } }),
          parameter('query', { content: { 'application/json': { schema: { const: { n: 1 } } } } }, 'page'),
          parameter('header', { schema: { ...integer, const: 7 } }, 'X-API-Version'),
          parameter('cookie', { schema: { const: 'x y' } }, 'c'),
          { name: 'optional', in: 'query', schema: integer, example: 1 }
        ],
        '/a/{id}'
      ),
      want: {
        target: '/a/x%20y?p=5&page=%7B%22n%22%3A1%7D',
        headers: { 'X-API-Version': '7', Cookie: 'c=x%20y' }
      }
    },
    'a list in the query': {
      paths: get([parameter('query', { schema: list, example: [1, 2] })]),
      want: { target: '/a?p=1&p=2' }
    },
    'a list in one parameter': {
      paths: get([parameter('query', { schema: list, example: [1, 2], explode: false })]),
      want: { target: '/a?p=1,2' }
    },
    'a style of its own': {
      paths: get([parameter('path', { schema: list, example: [1, 2], style: 'label' }, 'id')], '/a/{id}'),
      want: { target: '/a/.1,2' }
    },
    'JSON of a media type of its own': {
      paths: post(body({ 'application/merge-patch+json': { schema: {}, example: {} } })),
      want: { headers: { 'Content-Type': 'application/merge-patch+json' }, body: '{}' }
    },
    'a form': {
      paths: post(
        body({
          'application/x-www-form-urlencoded': {
            schema: object({ a: { type: 'string' }, b: integer }),
            example: { a: 'x&y', b: 2 }
          }
        })
      ),
      want: { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=x%26y&b=2' }
    },
    'a multipart form': {
      paths: post(body({ 'multipart/form-data': { schema: upload, encoding } })),
      want: {
        headers: {},
        body: [
          { name: 'name', text: 'a;b' },
          { name: 'photo', text: 'text', isFile: true, mediaType: 'application/pdf' },
          { name: 'more', text: 'x' },
          { name: 'more', text: 'y' },
          { name: 'meta', text: '{"a":1}', mediaType: 'application/json' }
        ]
      }
    },
    'JSON, where other types are taken as well': {
      paths: post(
        body({
          'image/png': { schema: {}, example: 'x' },
          'application/x-www-form-urlencoded': { schema: object({ a: integer }), example: { a: 1 } },
          'application/json': { schema: {}, example: { a: 2 } }
        })
      ),
      want: { body: '{"a": 2}' }
    },
    'a form with an example, where JSON has none': {
      paths: post(
        body({
          'application/json': { schema: object({ a: integer }) },
          'application/x-www-form-urlencoded': { schema: object({ a: integer }), example: { a: 1 } }
        })
      ),
      want: { body: 'a=1' }
    },
    'a text': {
      paths: post(body({ 'text/*': { schema: { type: 'string' }, example: '@home' } })),
      want: { headers: { 'Content-Type': 'text/plain' }, body: '@home' }
    },
    bytes: {
      paths: post(body({ '*/*': { schema: {}, example: 'text' } })),
      want: { headers: { 'Content-Type': 'application/octet-stream' }, body: 'text' }
    },
    'lines that are made': {
      paths: post(body({ 'application/jsonl': { schema: { const: 7 } } })),
      want: { headers: { 'Content-Type': 'application/jsonl' }, body: '7\n7\n7\n' }
    },
    'the items of an example': {
      paths: post(body({ 'application/x-ndjson': { schema: list, example: [int64Max, 2] } })),
      want: { headers: { 'Content-Type': 'application/x-ndjson' }, body: '9223372036854775807\n2\n' }
    },
    'an example that is a text': {
      paths: post(body({ 'application/jsonl': { schema: list, example: '9223372036854775807\n\n2' } })),
      want: { headers: { 'Content-Type': 'application/jsonl' }, body: '9223372036854775807\n2\n' }
    },
    'an example of one item': {
      paths: post(body({ 'application/jsonl': { schema: object({ a: integer }), example: { a: 1 } } })),
      want: { headers: { 'Content-Type': 'application/jsonl' }, body: '{"a":1}\n' }
    },
    ...Object.fromEntries(
      ['{', [7, 8]].map((value) => [
        `items are made in place of an example that does not fit: ${value}`,
        {
          paths: post(body({ 'application/jsonl': { schema: { const: 7 }, example: value } })),
          want: { headers: { 'Content-Type': 'application/jsonl' }, body: '7\n7\n7\n' }
        }
      ])
    )
  }

for (const [what, { paths, components, want }] of Object.entries(rows))
  t.test(what, async (t) => {
    const found = await exampleOf(t, paths, components)
    const { target = '/a', headers = found?.headers, body: shown } = want
    t.match(found, { operationId: 'a', summary: 'a' })
    t.strictSame([found?.target, found?.headers, found?.body], [target, headers, shown])
  })

const unusable: readonly { what: string; paths: object }[] = [
  { what: 'no operation', paths: {} },
  { what: 'a parameter without a value', paths: get([parameter('query', { schema: false })]) },
  { what: 'a body without a value', paths: post(json({ schema: { ...integer, minimum: 3, maximum: 2 } })) },
  {
    what: 'a multipart body of another kind',
    paths: post(body({ 'multipart/mixed': { schema: {}, example: { a: 1 } } }))
  },
  {
    what: 'a form without a field',
    paths: post(body({ 'multipart/form-data': { schema: { type: 'object', maxProperties: 0 } } }))
  },
  { what: 'a very long text', paths: post(json({ schema: { type: 'string', minLength: 4000 } })) },
  { what: 'texts behind record separators', paths: post(body({ 'application/json-seq': { schema: list } })) },
  { what: 'a huge list', paths: post(json({ schema: { ...list, minItems: 1e6 } })) }
]

for (const { what, paths } of unusable)
  t.test(`${what}: no request is shown`, async (t) => {
    t.equal(await exampleOf(t, paths), undefined)
  })

t.test('the first operation with examples of all that it needs is taken, under its summary', async (t) => {
  const [required] = [json({ schema: integer })]
  const paths = {
    '/a': { post: { operationId: 'a', requestBody: required, responses } },
    '/b': { get: { operationId: 'b', summary: 'List b', responses } }
  }
  t.match(await exampleOf(t, paths), { operationId: 'b', summary: 'List b', target: '/b' })
  const { '/a': only } = paths
  t.match(await exampleOf(t, { '/a': only }), { operationId: 'a', summary: 'a' })
})

const key = { type: 'apiKey', in: 'cookie', name: 'session' }
const bearer = { type: 'http', scheme: 'Bearer' }

for (const { what, operations, schemes = {}, want } of [
  { what: 'nothing is deleted', operations: { 'delete /a': [] }, want: [] },
  { what: 'no credentials', operations: { 'get /a': [] }, want: ['get /a'] },
  {
    what: 'what a path names comes last',
    operations: { 'get /a/{id}': [], 'put /b': [], 'post /c': [] },
    want: ['put /b', 'post /c', 'get /a/{id}']
  },
  {
    what: 'the token stands for bearer tokens alone',
    operations: { 'get /a': [['key']], 'get /b': [['key', 'bearer']], 'get /c': [['key'], ['bearer']] },
    schemes: { key, bearer },
    want: ['get /c']
  },
  {
    what: 'the token of a contract without bearer tokens stands for any credential',
    operations: { 'get /a': [['key']] },
    schemes: { key },
    want: ['get /a']
  },
  {
    what: 'OAuth 2 and OpenID Connect',
    operations: { 'get /a': [['key']], 'get /b': [['login']], 'get /c': [['connect']], 'get /d': [[]] },
    schemes: { key, login: { type: 'oauth2' }, connect: { type: 'openIdConnect' } },
    want: ['get /b', 'get /c', 'get /d']
  }
] as const)
  t.test(`pasteable: ${what}`, async (t) => {
    const given = Object.entries(operations as Record<string, readonly (readonly string[])[]>).map(
      ([operationId, alternatives]) => {
        const [method = '', path = ''] = operationId.split(' ')
        const security = alternatives.map((all) => all.map((scheme) => ({ scheme, scopes: [] })))
        return { operationId, method: method.toUpperCase(), url: path.replace(/\{(\w+)\}/, ':$1'), security }
      }
    )
    const found = pasteable(given as never, schemes as never)
    t.strictSame(
      found.map(({ operationId }) => operationId),
      want
    )
  })
