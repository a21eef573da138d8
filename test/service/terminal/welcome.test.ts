import { execFileSync } from 'node:child_process'
import { test } from 'tap'
import { paintFor } from '../../../src/cli/format.ts'
import { welcome } from '../../../src/service/terminal/welcome.ts'

const plain = paintFor({}, {})
const url = 'http://127.0.0.1:3000'

/** Returns the last line of the welcome text of a document. */
const lineOf = (document: object | string): string => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return welcome({ url, token: undefined, document: text }, plain).trimEnd().split('\n').at(-1) ?? ''
}

const json = (holder: object) => ({ required: true, content: { 'application/json': holder } })
const paths = (method: string, operation: object, path = '/things') => ({
  paths: { [path]: { [method]: operation } }
})

const components = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    basic: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    session: { type: 'apiKey', in: 'cookie', name: 'session' },
    login: { type: 'oauth2' },
    query: { type: 'apiKey', in: 'query', name: 'api key' },
    digest: { type: 'http', scheme: 'Digest' },
    certificate: { type: 'mutualTLS' }
  },
  schemas: { Thing: { examples: [{ id: 1 }] } },
  parameters: { Id: { name: 'a/b', in: 'path', required: true, example: 'x y' } },
  requestBodies: { Thing: json({ schema: { $ref: '#/components/schemas/Thing' } }) }
}

const secured = (...security: readonly object[]) => ({ components, ...paths('get', { security }) })
const parameter = (rest: object) => ({ parameters: [{ name: 'p', in: 'query', required: true, ...rest }] })
const upload = {
  type: 'object',
  required: ['name', 'photo', 'scan', 'any', 'more', 'meta'],
  properties: {
    name: { type: 'string', example: 'a;b' },
    photo: { type: 'string', format: 'binary' },
    scan: { type: 'string', contentMediaType: 'application/pdf' },
    any: { description: 'bytes' },
    more: { type: 'array', items: {} },
    meta: { type: 'object', properties: { a: { type: 'integer' } } }
  }
}
const encoding = { photo: { contentType: 'image/*, application/pdf' } }
const body = `-H "Content-Type: application/json" -d`

const rows: readonly { what: string; document: object; want: string }[] = [
  { what: 'an open GET', document: paths('get', {}), want: `curl ${url}/things` },
  { what: 'another method', document: paths('delete', {}), want: `curl ${url}/things -X DELETE` },
  {
    what: 'a bearer token',
    document: secured({ bearer: [] }),
    want: `curl ${url}/things -H "Authorization: Bearer $TOKEN"`
  },
  {
    what: 'OAuth 2',
    document: secured({ login: [] }),
    want: `curl ${url}/things -H "Authorization: Bearer $TOKEN"`
  },
  {
    what: 'a user name and a password',
    document: secured({ basic: [] }),
    want: `curl ${url}/things -u "$USER:$PASSWORD"`
  },
  {
    what: 'an API key in a header',
    document: secured({ key: [] }),
    want: `curl ${url}/things -H "X-Key: $TOKEN"`
  },
  {
    what: 'an API key in a cookie',
    document: secured({ session: [] }),
    want: `curl ${url}/things -b "session=$TOKEN"`
  },
  {
    what: 'an API key in the query',
    document: secured({ query: [] }),
    want: `curl "${url}/things?api%20key=$TOKEN"`
  },
  {
    what: 'an API key beside a query parameter, in a path that a shell would read',
    document: {
      components,
      ...paths('get', { security: [{ query: [] }], ...parameter({ example: 'x' }) }, '/$all')
    },
    want: `curl '${url}/$all?p=x&api%20key='"$TOKEN"`
  },
  {
    what: 'a digest of a user name and a password',
    document: secured({ digest: [] }),
    want: `curl ${url}/things --digest -u "$USER:$PASSWORD"`
  },
  {
    what: 'a client certificate and a token',
    document: secured({ certificate: [], bearer: [] }),
    want: `curl ${url}/things --cert client.pem --key client.key -H "Authorization: Bearer $TOKEN"`
  },
  {
    what: 'the first of several alternatives',
    document: secured({ key: [] }, { bearer: [] }),
    want: `curl ${url}/things -H "X-Key: $TOKEN"`
  },
  {
    what: 'security of the document',
    document: { ...paths('get', {}), components, security: [{ bearer: [] }] },
    want: `curl ${url}/things -H "Authorization: Bearer $TOKEN"`
  },
  {
    what: 'a body with an example',
    document: paths('post', { requestBody: json({ example: { a: [1, "it's"], b: {} } }) }),
    want: `curl ${url}/things ${body} '{"a": [1, "it'\\''s"], "b": {}}'`
  },
  {
    what: 'a referenced body with an example in its schema',
    document: { ...paths('put', { requestBody: { $ref: '#/components/requestBodies/Thing' } }), components },
    want: `curl ${url}/things -X PUT ${body} '{"id": 1}'`
  },
  {
    what: 'a referenced path parameter',
    document: {
      ...paths('get', { parameters: [{ $ref: '#/components/parameters/Id' }] }, '/things/{a/b}'),
      components
    },
    want: `curl ${url}/things/x%20y`
  },
  {
    what: 'a query parameter',
    document: paths('get', parameter({ schema: { default: 5 } })),
    want: `curl '${url}/things?p=5'`
  },
  {
    what: 'a header parameter',
    document: paths('get', parameter({ in: 'header', schema: { example: 'v' } })),
    want: `curl ${url}/things -H 'p: v'`
  },
  {
    what: 'an optional body without an example',
    document: paths('post', { requestBody: { content: { 'application/json': {} } } }),
    want: `curl ${url}/things -X POST`
  },
  {
    what: 'a parameter that refers to nothing',
    document: paths('get', { parameters: [{ $ref: '#/paths/none/at/all' }] }),
    want: `curl ${url}/things`
  },
  { what: 'HEAD', document: paths('head', {}), want: `curl ${url}/things --head` },
  {
    what: 'a required cookie',
    document: paths('get', parameter({ in: 'cookie', example: 'x y' })),
    want: `curl ${url}/things -b 'p=x%20y'`
  },
  {
    what: 'a list in the query',
    document: paths('get', parameter({ example: [1, 2] })),
    want: `curl '${url}/things?p=1&p=2'`
  },
  {
    what: 'a list in one parameter',
    document: paths('get', parameter({ example: [1, 2], explode: false })),
    want: `curl '${url}/things?p=1%2C2'`
  },
  {
    what: 'parameters whose values the schemas give',
    document: paths(
      'get',
      {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'at', in: 'header', required: true, schema: { type: 'integer', minimum: 7 } }
        ]
      },
      '/things/{id}'
    ),
    want: `curl ${url}/things/3f2504e0-4f89-41d3-9a0c-0305e82c3301 -H 'at: 7'`
  },
  {
    what: 'a parameter of the operation in place of that of its path',
    document: {
      paths: {
        '/things': {
          parameters: [
            { name: 'p', in: 'query', required: true, example: 'shared' },
            { name: 'q', in: 'query', required: true, example: 'both' }
          ],
          get: parameter({ example: 'own' })
        }
      }
    },
    want: `curl '${url}/things?q=both&p=own'`
  },
  {
    what: 'a body whose schema gives it',
    document: paths('post', {
      requestBody: json({ schema: { required: ['a'], properties: { a: { type: 'integer' } } } })
    }),
    want: `curl ${url}/things ${body} '{"a": 1}'`
  },
  {
    what: 'JSON of a media type of its own',
    document: paths('patch', {
      requestBody: { content: { 'application/merge-patch+json': { example: {} } } }
    }),
    want: `curl ${url}/things -X PATCH -H "Content-Type: application/merge-patch+json" -d '{}'`
  },
  {
    what: 'a form',
    document: paths('post', {
      requestBody: { content: { 'application/x-www-form-urlencoded': { example: { a: 'x&y', b: 2 } } } }
    }),
    want: `curl ${url}/things --data-urlencode 'a=x&y' --data-urlencode 'b=2'`
  },
  {
    what: 'a multipart form',
    document: paths('post', {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: upload, encoding } } }
    }),
    want: [
      `curl ${url}/things -F 'name="a;b"'`,
      `-F 'photo=text;filename=photo;type=image/png' -F 'scan=text;filename=scan;type=application/pdf'`,
      `-F 'any=text;filename=any' -F 'more=text;filename=more' -F 'meta={"a": 1};type=application/json'`
    ].join(' ')
  },
  {
    what: 'JSON, where forms are taken as well',
    document: paths('post', {
      requestBody: {
        content: {
          'image/png': { example: 'x' },
          'application/x-www-form-urlencoded': { example: { a: 1 } },
          'application/json': { example: { a: 2 } }
        }
      }
    }),
    want: `curl ${url}/things ${body} '{"a": 2}'`
  },
  {
    what: 'a text',
    document: paths('post', { requestBody: { content: { 'text/*': { example: '@home' } } } }),
    want: `curl ${url}/things -H "Content-Type: text/plain" --data-raw '@home'`
  },
  {
    what: 'bytes',
    document: paths('put', { requestBody: { required: true, content: { '*/*': { schema: {} } } } }),
    want: `curl ${url}/things -X PUT -H "Content-Type: application/octet-stream" -d 'text'`
  },
  {
    what: 'an optional parameter',
    document: paths('get', parameter({ required: false })),
    want: `curl ${url}/things`
  }
]

for (const { what, document, want } of rows) {
  test(`the curl line of ${what}`, async (t) => {
    t.equal(lineOf({ info: { title: 'Things' }, ...document }), want)
  })
}

const unusable: readonly { what: string; document: object }[] = [
  { what: 'no operation', document: {} },
  { what: 'a required parameter without an example', document: paths('get', parameter({})) },
  { what: 'a parameter that is an object', document: paths('get', parameter({ example: {} })) },
  { what: 'an empty list', document: paths('get', parameter({ example: [] })) },
  { what: 'a style of its own', document: paths('get', parameter({ example: 'x', style: 'label' })) },
  {
    what: 'a multipart body of another kind',
    document: paths('post', {
      requestBody: { required: true, content: { 'multipart/mixed': { example: { a: 1 } } } }
    })
  },
  {
    what: 'a form that holds an object',
    document: paths('post', {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { example: { a: {} } } }
      }
    })
  },
  {
    what: 'a form without a field',
    document: paths('post', {
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { example: {} } } }
    })
  },
  { what: 'a required body without an example', document: paths('post', { requestBody: json({}) }) }
]

for (const { what, document } of unusable) {
  test(`${what}: there is no curl line`, async (t) => {
    t.equal(lineOf({ info: { title: 'Things' }, ...document }), `  docs     ${url}/docs`)
  })
}

test('the first operation with all examples is taken, under its summary or its name', async (t) => {
  const without = { requestBody: json({}) }
  const document = (operation: object) =>
    JSON.stringify({
      info: { title: 'Things' },
      paths: { '/a': { post: without }, '/b': { get: operation } }
    })
  const text = (operation: object) => welcome({ url, token: undefined, document: document(operation) }, plain)
  t.match(text({ summary: 'List b' }), /^List b:$/m)
  t.match(text({ operationId: 'listB' }), /^listB:$/m)
  t.match(text({}), /^GET \/b:$/m)
  t.match(text({}), `curl ${url}/b`)
})

test('an integer beyond 2^53 keeps its digits, and the shell passes the body on unchanged', async (t) => {
  const example = `{"id": 9223372036854775807, "text": "it's \\"$HOME\\""}`
  const line = lineOf(
    `{"paths":{"/x":{"post":{"requestBody":{"content":{"application/json":{"example":${example}}}}}}}}`
  )
  const printed = execFileSync('sh', ['-c', line.replace(/^curl/, 'printf "%s\\n"')], { encoding: 'utf8' })
  t.equal(printed.split('\n').at(-2), example)
})

test('a token that was made for this run is shown', async (t) => {
  const text = welcome({ url, token: 'made', document: '{"info":{"title":"Things"}}' }, plain)
  t.match(text, /^Things$/m)
  t.match(text, /^ {2}token {4}made {2}\(for this run/m)
})
