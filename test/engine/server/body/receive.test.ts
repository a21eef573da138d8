/** Bodies of requests by media type: declared ones are read strictly, all others are refused. */
import t from 'tap'
import { type Json, request, serve } from '../../serve.ts'

const object: Json = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'integer', format: 'int64' } },
  additionalProperties: false
}
const form: Json = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    tags: { type: 'array', items: { type: 'string' } },
    sure: { type: 'boolean' }
  }
}
const upload: Json = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary' },
    count: { type: 'integer' },
    meta: { type: 'object', properties: { x: { type: 'number' } } }
  }
}

function operation(operationId: string, content: Json | undefined, required = true): Json {
  return {
    post: {
      operationId,
      ...(content === undefined ? {} : { requestBody: { required, content } }),
      responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
    }
  }
}

const document: Json = {
  components: { schemas: { Bytes: { type: 'string', format: 'binary', minLength: 2, maxLength: 3 } } },
  paths: {
    '/json': operation('json', { 'application/json': { schema: object } }),
    '/optional': operation('optional', { 'application/json': { schema: object } }, false),
    '/none': operation('none', undefined),
    '/schemaless': operation('schemaless', { 'application/json': {} }),
    '/several': operation('several', {
      'application/json': { schema: object },
      'application/vnd.test+json': { schema: { type: 'array', items: { type: 'string' } } },
      'text/plain': { schema: { type: 'string', maxLength: 5 } },
      'text/*': {},
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } }
    }),
    '/range': operation('range', { 'application/*': { schema: object }, 'image/*': {} }),
    '/anything': operation('anything', { '*/*': {} }),
    '/bounded': operation('bounded', {
      'application/octet-stream': { schema: { $ref: '#/components/schemas/Bytes' } },
      'image/*': { schema: { maxLength: 2 } },
      'application/pdf': { schema: { type: 'object', maxLength: 2 } }
    }),
    '/form': operation('form', { 'application/x-www-form-urlencoded': { schema: form } }),
    '/upload': operation('upload', { 'multipart/form-data': { schema: upload } }),
    '/both/{id}': {
      post: {
        operationId: 'both',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 5 } },
          { name: 'X-Big', in: 'header', schema: { type: 'integer', format: 'int64' } },
          { name: 'c', in: 'cookie', schema: { type: 'integer', format: 'int64' } }
        ],
        requestBody: { required: true, content: { 'application/json': { schema: object } } },
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
      }
    },
    '/read': {
      get: {
        operationId: 'read',
        requestBody: { content: { 'application/json': { schema: object } } },
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
      }
    },
    '/fields': operation('fields', {
      'application/json': {
        schema: {
          type: 'object',
          required: ['made', 'secret'],
          properties: {
            made: { type: 'string', readOnly: true },
            secret: { type: 'string', writeOnly: true }
          }
        }
      }
    })
  }
}

function shown(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString('hex')}`
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
}

interface Given {
  readonly body: unknown
  readonly mediaType: string | undefined
}
const describeBody = ({ body, mediaType }: Given) => ({
  status: 200,
  body: { body: shown(body) ?? 'absent', mediaType: mediaType ?? 'none' }
})
const names = [
  'json',
  'optional',
  'none',
  'schemaless',
  'several',
  'range',
  'bounded',
  'anything',
  'form',
  'upload',
  'read',
  'fields'
]
const { ask } = await serve(t, document, {
  handlers: {
    ...Object.fromEntries(names.map((name) => [name, describeBody])),
    both: ({ params, query, headers, cookies, body }: Record<string, unknown>) => ({
      status: 200,
      body: shown({ params, query, headers, cookies, body })
    })
  },
  fastify: { bodyLimit: 2000 }
})

const as = (type: string) => ({ 'Content-Type': type })
const noChunks = '0\r\n\r\n'
const empty = { 'Content-Type': undefined, 'Content-Length': undefined }

t.test('a body is read as the media type it is declared to be', async (t) => {
  const rows: [string, string | Buffer | undefined, Record<string, string | undefined>, unknown, string][] = [
    ['/json', '{"a":1}', {}, { a: '1n' }, 'application/json'],
    ['/optional', '{"a":1}', {}, { a: '1n' }, 'application/json'],
    ['/optional', undefined, {}, 'absent', 'none'],
    ['/optional', '', {}, 'absent', 'none'],
    [
      '/optional',
      noChunks,
      { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
      'absent',
      'none'
    ],
    ['/none', undefined, {}, 'absent', 'none'],
    ['/none', undefined, as('application/json'), 'absent', 'none'],
    ['/none', '', {}, 'absent', 'none'],
    ['/schemaless', '[1,"x",null]', {}, [1, 'x', null], 'application/json'],
    ['/several', '{"a":1}', {}, { a: '1n' }, 'application/json'],
    ['/several', '["x"]', as('application/vnd.test+json; v=1'), ['x'], 'application/vnd.test+json'],
    ['/several', 'h\u00e9llo', as('Text/Plain'), 'h\u00e9llo', 'text/plain'],
    ['/several', '"longer"', as('text/csv'), '"longer"', 'text/*'],
    [
      '/several',
      Buffer.of(0, 255, 128),
      as('application/octet-stream'),
      'bytes 00ff80',
      'application/octet-stream'
    ],
    ['/range', '{"a":2}', {}, { a: '2n' }, 'application/*'],
    ['/range', '{"a":2}', as('application/merge-patch+json'), { a: '2n' }, 'application/*'],
    ['/range', Buffer.of(137, 80), as('image/png'), 'bytes 8950', 'image/*'],
    ['/bounded', '\u20ac', as('application/octet-stream'), 'bytes e282ac', 'application/octet-stream'],
    ['/bounded', 'ab', as('image/png'), 'bytes 6162', 'image/*'],
    ['/bounded', 'abc', as('application/pdf'), 'bytes 616263', 'application/pdf'],
    ['/anything', '{"a":1}', {}, { a: 1 }, '*/*'],
    ['/anything', 'a', as('text/x'), 'a', '*/*'],
    ['/anything', 'a=1&b=2', as('application/x-www-form-urlencoded'), { a: '1', b: '2' }, '*/*'],
    [
      '/form',
      'id=9007199254740993&tags=a&tags=b%20c&sure=true&x=+y',
      as('application/x-www-form-urlencoded'),
      { id: '9007199254740993n', tags: ['a', 'b c'], sure: true, x: ' y' },
      'application/x-www-form-urlencoded'
    ],
    [
      '/form',
      'id=1&__proto__=x',
      as('application/x-www-form-urlencoded;charset=utf-8'),
      JSON.parse('{"id":"1n","__proto__":"x"}'),
      'application/x-www-form-urlencoded'
    ]
  ]
  for (const [path, body, headers, value, mediaType] of rows) {
    const answer = await ask(request(`POST ${path}`, body, headers))
    t.strictSame(
      [answer.status, answer.value],
      [200, { body: value, mediaType }],
      `${path} ${headers['Content-Type'] ?? ''}`
    )
  }
  const read = await ask(request('GET /read', '{"a":1}'))
  t.same(read.value, { body: { a: '1n' }, mediaType: 'application/json' }, 'a GET may declare a body')
  t.same((await ask(request('GET /read', undefined, empty))).value, { body: 'absent', mediaType: 'none' })
})

t.test('a body that is not as declared is refused with all of its problems', async (t) => {
  const types = 'application/json, application/vnd.test+json, text/plain, text/*, application/octet-stream'
  const rows: [
    string,
    string | Buffer | undefined,
    Record<string, string | undefined>,
    number,
    string,
    RegExp
  ][] = [
    ['/json', undefined, {}, 400, 'missing-body', /a body is required: application\/json/],
    [
      '/json',
      noChunks,
      { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
      400,
      'missing-body',
      /./
    ],
    ['/json', '{"a":1,"b":2,"c":3}', {}, 400, 'mismatch', /^body\/b is not allowed; body\/c is not allowed$/],
    ['/json', '{"a":"1"}', {}, 400, 'mismatch', /^body\/a must be integer$/],
    ['/json', 'null', {}, 400, 'mismatch', /^body must be object$/],
    ['/json', `{"a":1}${' '.repeat(2000)}`, {}, 413, 'body-too-large', /larger than 2000 bytes/],
    ['/optional', '{}', {}, 400, 'mismatch', /^body\/a is required$/],
    ['/optional', 'null', {}, 400, 'mismatch', /^body must be object$/],
    ['/none', '{}', {}, 400, 'mismatch', /^body is not expected: this operation declares none$/],
    ['/none', 'x', as('text/plain'), 400, 'mismatch', /^body is not expected/],
    ['/several', 'longer', as('text/plain'), 400, 'mismatch', /^body must have at most 5 characters$/],
    ['/several', '{"a":1}', as('application/vnd.test+json'), 400, 'mismatch', /^body must be array$/],
    [
      '/several',
      '<a/>',
      as('application/xml'),
      415,
      'unsupported-media-type',
      /^media type application\/xml is not supported; send /
    ],
    [
      '/several',
      'x',
      as('text/plain; charset=latin1'),
      415,
      'unsupported-media-type',
      /^the only supported charset is UTF-8/
    ],
    ['/several', Buffer.of(0xff), as('text/plain'), 400, 'malformed-body', /UTF-8/],
    ['/several', 'x', { 'Content-Type': undefined }, 415, 'unsupported-media-type', /has no media type/],
    [
      '/several',
      'x',
      { ...as('text/plain'), 'Content-Encoding': 'gzip' },
      415,
      'unsupported-media-type',
      /coding/
    ],
    ['/bounded', 'a', as('application/octet-stream'), 400, 'mismatch', /^body must have at least 2 bytes$/],
    ['/bounded', 'abcd', as('application/octet-stream'), 400, 'mismatch', /^body must have at most 3 bytes$/],
    ['/bounded', 'abc', as('image/png'), 400, 'mismatch', /^body must have at most 2 bytes$/],
    ['/range', '<a/>', as('application/xml'), 415, 'unsupported-media-type', /./],
    ['/range', 'x', as('text/plain'), 415, 'unsupported-media-type', /./],
    [
      '/form',
      'id=x&sure=1',
      as('application/x-www-form-urlencoded'),
      400,
      'mismatch',
      /^body\/id must be integer; body\/sure must be boolean$/
    ],
    [
      '/form',
      'id=1&id=2',
      as('application/x-www-form-urlencoded'),
      400,
      'mismatch',
      /^body\/id is given more than once$/
    ],
    [
      '/form',
      'id=%zz',
      as('application/x-www-form-urlencoded'),
      400,
      'mismatch',
      /^body\/id has malformed percent-encoding/
    ],
    [
      '/form',
      Buffer.from([0x69, 0x64, 0x3d, 0xff]),
      as('application/x-www-form-urlencoded'),
      400,
      'malformed-body',
      /UTF-8/
    ],
    [
      '/fields',
      '{"secret":"s","made":"m"}',
      {},
      400,
      'mismatch',
      /^body\/made is read-only and must not be sent$/
    ],
    ['/fields', '{"secret":5}', {}, 400, 'mismatch', /^body\/secret must be string$/],
    ['/fields', '{}', {}, 400, 'mismatch', /^body\/secret is required$/]
  ]
  for (const [path, body, headers, status, code, message] of rows) {
    const answer = await ask(request(`POST ${path}`, body, headers))
    const name = `${path} ${headers['Content-Type'] ?? ''} ${String(body).slice(0, 30)}`
    t.match([answer.status, answer.value], [status, { code, message }], name)
    if (status === 415)
      t.ok(types.includes(answer.headers.get('accept') ?? '-') || path === '/range', `${name}: Accept`)
  }
  t.equal((await ask(request('POST /several', '<a/>', as('application/xml')))).headers.get('accept'), types)
})

function multipart(...parts: readonly (readonly [head: string, body: string])[]): Buffer {
  const text = parts.map(
    ([head, body]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  )
  return Buffer.from(`${text.join('')}--b--\r\n`, 'latin1')
}

t.test('two Content-Type headers are refused, also when they are equal', async (t) => {
  const twice = { 'Content-Type': 'application/json', 'content-type': 'application/json' }
  t.match(await ask(request('POST /json', '{}', twice)), {
    status: 415,
    value: { message: 'there is more than one media type; send application/json' }
  })
})

t.test('the parts of multipart/form-data are read as declared', async (t) => {
  const type = as('multipart/form-data; boundary=b')
  const file = ['name="file"; filename="x.bin"', '\u0000\u00ff'] as const
  const rows: [Buffer, number, unknown][] = [
    [multipart(file, ['name="count"', '5']), 200, { body: { file: 'bytes 00ff', count: 5 } }],
    [
      multipart(file, ['name="meta"', '{"x":1.5}'], ['name="other"', 'y']),
      200,
      { body: { file: 'bytes 00ff', meta: { x: 1.5 }, other: 'y' } }
    ],
    [multipart(['name="file"', 'text']), 200, { body: { file: 'bytes 74657874' } }],
    [multipart(['name="file"', '\u0000\u00ff']), 200, { body: { file: 'bytes 00ff' } }],
    [
      multipart(file, ['name="other"', '\u00ff']),
      400,
      { code: 'malformed-body', message: 'the body is not valid UTF-8' }
    ],
    [multipart(['name="count"', '5']), 400, { code: 'mismatch', message: 'body/file is required' }],
    [
      multipart(file, ['name="count"', 'x']),
      400,
      { code: 'mismatch', message: 'body/count must be integer' }
    ],
    [multipart(file, file), 400, { code: 'mismatch', message: 'body/file is given more than once' }],
    [
      multipart(file, ['name="meta"', '{']),
      400,
      { code: 'mismatch', message: /^body\/meta is not valid JSON/ }
    ],
    [multipart(['name="file"; filename="x"', 'x'.repeat(3000)]), 413, { code: 'body-too-large' }],
    [
      multipart(['name="a"; filename="x"', 'x'.repeat(1500)], ['name="b"; filename="x"', 'x'.repeat(1500)]),
      413,
      { code: 'body-too-large' }
    ],
    [multipart(file).subarray(0, -20), 400, { code: 'malformed-body' }],
    [Buffer.from('garbage'), 400, { code: 'malformed-body' }]
  ]
  for (const [body, status, want] of rows) {
    const answer = await ask(request('POST /upload', body, type))
    t.match([answer.status, answer.value], [status, want], body.toString('latin1').slice(0, 120))
  }
  const unbounded = await ask(request('POST /upload', multipart(file), as('multipart/form-data')))
  t.match([unbounded.status, unbounded.value], [400, { code: 'malformed-body' }], 'no boundary')
  const chunks = Buffer.concat([
    request('POST /upload', undefined, { ...type, 'Transfer-Encoding': 'chunked' }),
    ...Array.from({ length: 500 }, () => Buffer.from(`3e8\r\n${'x'.repeat(1000)}\r\n`))
  ])
  t.equal((await ask(chunks)).status, 413, 'the same for a body in chunks')
})

t.test('problems of parameters and body are reported together, each with its place', async (t) => {
  const big = 2n ** 63n - 1n
  const good = request(`POST /both/${big}?limit=5`, `{"a":${big}}`, {
    'X-Big': `${-big}`,
    Cookie: `c=${big}`
  })
  t.same((await ask(good)).value, {
    params: { id: `${big}n` },
    query: { limit: 5 },
    headers: { 'x-big': `${-big}n` },
    cookies: { c: `${big}n` },
    body: { a: `${big}n` }
  })
  const rows: [string, string, Record<string, string>, string][] = [
    ['x', '{}', {}, 'params/id must be integer; query/limit is required; body/a is required'],
    [
      `${big + 1n}?limit=9007199254740993`,
      '{"a":1}',
      {},
      'params/id must be an integer from -9223372036854775808 to 9223372036854775807; query/limit must be integer; query/limit must be <= 5'
    ],
    [
      '1?limit=6&limit=7',
      '{"a":"x"}',
      { 'X-Big': '1.5' },
      'query/limit is given more than once; headers/x-big must be integer; body/a must be integer'
    ],
    [
      '1?limit=%zz',
      '{"a":1}',
      { Cookie: 'c=' },
      'query/limit has malformed percent-encoding; cookies/c must be integer'
    ]
  ]
  for (const [target, body, headers, want] of rows) {
    const { status, value } = await ask(request(`POST /both/${target}`, body, headers))
    t.equal(status, 400)
    t.same(Object(value).message.split('; ').toSorted(), want.split('; ').toSorted(), target)
  }
  const broken = await ask(request('POST /both/x', '{'))
  t.match(broken.value, { code: 'malformed-body' }, 'a body that cannot be parsed has no further problems')
})
