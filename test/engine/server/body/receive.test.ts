/** Bodies and parameters of requests: what is declared is read exactly, everything else is refused with its place. */
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import type { FieldSpec } from '../../../../src/engine/model/parameter.ts'
import { BodyStream } from '../../../../src/engine/server/body/body-stream.ts'
import { urlencodedForm } from '../../../../src/engine/server/body/form.ts'
import { malformedBody } from '../../../../src/engine/server/body/parse.ts'
import { readBytes } from '../../../../src/engine/server/body/payload.ts'
import { bodyExpectation } from '../../../../src/engine/server/body/receive.ts'
import type { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { cpuGrowth } from '../../../cpu-time.ts'
import { sleep, until } from '../../../time.ts'
import * as served from '../../serve.ts'

t.setTimeout(900_000)

const { request, serve } = served
type Json = served.Json
type Answer = served.Answer

const octets = 'application/octet-stream'
const urlencoded = 'application/x-www-form-urlencoded'
const vendor = 'application/vnd.test+json'

/** Contents of bodies by operation; those in capitals are optional. */
const contents: Readonly<Record<string, Readonly<Record<string, Json>> | null>> = parse(`
json: &json
  application/json:
    schema: &strict { type: object, required: [a], properties: { a: &int64 { type: integer, format: int64 } }, additionalProperties: false }
OPTIONAL: *json
none:
schemaless: { application/json: {} }
several:
  application/json: { schema: *strict }
  ${vendor}: { schema: { type: array, items: { type: string } } }
  text/plain: { schema: { type: string, maxLength: 5 } }
  text/*: {}
  ${octets}: { schema: &binary { type: string, format: binary } }
range: { application/*: { schema: *strict }, image/*: {} }
anything: { '*/*': {} }
bounded:
  ${octets}: { schema: { $ref: '#/components/schemas/Bytes' } }
  image/*: { schema: { maxLength: 2 } }
  application/pdf: { schema: { type: object, maxLength: 2 } }
form:
  ${urlencoded}:
    schema:
      type: object
      required: [id]
      properties: { id: *int64, tags: { type: array, items: { type: string } }, sure: { type: boolean } }
upload:
  multipart/form-data:
    schema:
      type: object
      required: [file]
      properties: { file: *binary, count: { type: integer }, meta: { type: object, properties: { x: { type: number } } } }
free: { multipart/form-data: {} }
files:
  multipart/form-data: { schema: { type: object, properties: { file: *binary, files: { type: array, items: *binary } } } }
fields:
  application/json:
    schema:
      type: object
      required: [made, secret]
      properties: { made: { type: string, readOnly: true }, secret: { type: string, writeOnly: true } }
`)
const { paths, ...others } = parse(`
paths:
  /both/{thing-id}:
    parameters:
      - { name: thing-id, in: path, required: true, schema: &int64 { type: integer, format: int64 } }
      - { name: limit, in: query, required: true, schema: { type: integer, maximum: 5 } }
    post:
      operationId: both
      parameters:
        - { name: filter, in: query, content: { application/json: { schema: { type: object, required: [id], properties: { id: *int64 } } } } }
        - { name: list, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: deep, in: query, style: deepObject, schema: { type: object, properties: { n: { type: integer } } } }
        - { name: X-Big, in: header, schema: *int64 }
        - { name: c, in: cookie, schema: *int64 }
      requestBody: { required: true, content: &json { application/json: { schema: { type: object, required: [a], properties: { a: *int64 } } } } }
      responses: &responses { 200: { description: ok, content: { application/json: {} } } }
  /read: { get: { operationId: read, requestBody: { content: *json }, responses: *responses } }
  /inherited: { get: { operationId: toString, security: [{ valueOf: [] }], responses: *responses } }
components:
  schemas: { Bytes: { type: string, format: binary, minLength: 2, maxLength: 3 } }
  securitySchemes: { valueOf: { type: apiKey, in: header, name: X-Key } }
`)
const { responses } = paths['/read'].get
for (const [path, content] of Object.entries(contents)) {
  const requestBody = content === null ? undefined : { required: path !== 'OPTIONAL', content }
  paths[`/${path}`] = { post: { operationId: path, requestBody, responses } }
}
const contract = await served.compiled(t, { paths, ...others })

function shown(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString('hex')}`
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
}

interface File {
  readonly filename: string | undefined
  readonly mediaType: string | undefined
}
type Files = Readonly<Record<string, (Buffer & File) | readonly (Buffer & File)[]>>
let received: Files = {}
const described = ({ body, mediaType }: { readonly body: Files; readonly mediaType: string | undefined }) => {
  received = body
  return { status: 200, body: { body: shown(body) ?? 'absent', mediaType: mediaType ?? 'none' } }
}
const handlers: Readonly<Record<string, (given: never) => unknown>> = {
  ...Object.fromEntries([...Object.keys(contents), 'read', 'toString'].map((name) => [name, described])),
  both: ({ params, query, headers, cookies, body }: Record<string, unknown>) => ({
    status: 200,
    body: shown({ params, query, headers, cookies, body })
  })
}
const security = { valueOf: (key: string) => key === 'good' }
const { ask } = await serve(t, contract, { handlers, security, fastify: { bodyLimit: 2000 } })

type Headers = Readonly<Record<string, string | undefined>>
const as = (type: string) => ({ 'Content-Type': type })
const empty = { 'Content-Type': undefined, 'Content-Length': undefined }
const chunked = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
const noChunks = '0\r\n\r\n'

const tooLarge = '413 body-too-large: the body is larger than 2000 bytes'
const malformedForm = '400 malformed-body: the body is not well-formed multipart/form-data'

/** Returns what the handler received, or the refusal. */
const outcome = ({ status, value }: Answer): unknown =>
  status === 200 ? Object(value).body : `${status} ${Object(value).code}: ${Object(value).message}`

/** Sends `name media/type`; without a media type JSON. */
function post(to: string, body: string | Buffer | undefined, headers: Headers = {}) {
  const [name = '', ...type] = to.split(' ')
  return ask(request(`POST /${name}`, body, { ...(type.length > 0 && as(type.join(' '))), ...headers }))
}

t.test('a body is read as the media type it is declared to be', async (t) => {
  type Row = [to: string, body: string | Buffer | undefined, value: unknown, declared?: string]
  const rows: Row[] = [
    ['json', '{"a":1}', { a: '1n' }, 'application/json'],
    ['json', '\ufeff{"a":1}', { a: '1n' }],
    ['OPTIONAL', '{"a":1}', { a: '1n' }],
    ['OPTIONAL', undefined, 'absent', 'none'],
    ['OPTIONAL', '', 'absent', 'none'],
    ['none', undefined, 'absent', 'none'],
    ['none application/json', undefined, 'absent', 'none'],
    ['none', '', 'absent'],
    ['schemaless', '[1,"x",null]', [1, 'x', null]],
    ['several Application/JSON; charset=UTF-8', '{"a":1}', { a: '1n' }, 'application/json'],
    [`several ${vendor}; v=1`, '["x"]', ['x'], vendor],
    ['several Text/Plain', 'h\u00e9llo', 'h\u00e9llo', 'text/plain'],
    ['several text/csv', '"longer"', '"longer"', 'text/*'],
    [`several ${octets}`, Buffer.of(0, 255, 128), 'bytes 00ff80', octets],
    ['range', '{"a":2}', { a: '2n' }, 'application/*'],
    ['range application/merge-patch+json', '{"a":2}', { a: '2n' }, 'application/*'],
    ['range image/png', Buffer.of(137, 80), 'bytes 8950', 'image/*'],
    [`bounded ${octets}`, '\u20ac', 'bytes e282ac'],
    ['bounded image/png', 'ab', 'bytes 6162', 'image/*'],
    ['bounded application/pdf', 'abc', 'bytes 616263'],
    ['anything', '{"a":1}', { a: 1 }, '*/*'],
    ['anything text/x', 'a', 'a', '*/*'],
    [`anything ${urlencoded}`, 'a=1&b=2', { a: '1', b: '2' }, '*/*'],
    [
      `form ${urlencoded}`,
      'id=9007199254740993&tags=a&tags=b%20c&sure=true&x=+y',
      { id: '9007199254740993n', tags: ['a', 'b c'], sure: true, x: ' y' }
    ],
    [`form ${urlencoded};charset=utf-8`, 'id=1&__proto__=x', JSON.parse('{"id":"1n","__proto__":"x"}')]
  ]
  for (const [to, body, value, declared] of rows) {
    const answer = await post(to, body)
    const mediaType = declared ?? Object(answer.value).mediaType
    t.strictSame([answer.status, answer.value], [200, { body: value, mediaType }], to)
  }
  const headers: [to: string, body: string, headers: Headers, mediaType: string][] = [
    ['OPTIONAL', noChunks, chunked, 'none'],
    ['several text/plain', 'text', { 'Content-Encoding': 'Identity' }, 'text/plain'],
    ['several text/plain', `4\r\ntext\r\n${noChunks}`, chunked, 'text/plain'],
    ['anything text/plain', 'x'.repeat(2000), {}, '*/*']
  ]
  for (const [to, body, more, mediaType] of headers)
    t.match(await post(to, body, more), { status: 200, value: { mediaType } }, `${to} ${Object.keys(more)}`)
  const read = { body: { a: '1n' }, mediaType: 'application/json' }
  t.same((await ask(request('GET /read', '{"a":1}'))).value, read, 'a GET may declare a body')
  t.match((await ask(request('GET /read', undefined, empty))).value, { body: 'absent' })
})

t.test('a body that is not as declared is refused with all of its problems', async (t) => {
  const types = `application/json, ${vendor}, text/plain, text/*, ${octets}`
  const unsupported = (problem: string, send = types) =>
    `415 unsupported-media-type: ${problem}; send ${send}`
  const noRange = (type: string) =>
    unsupported(`media type ${type} is not supported`, 'application/*, image/*')
  const mismatch = (problems: string) => `400 mismatch: ${problems}`
  const missing = '400 missing-body: a body is required: application/json'
  const undeclared = mismatch('body is not expected: this operation declares none')
  const noUtf8 = '400 malformed-body: the body is not valid UTF-8'
  const coding = '415 unsupported-media-type: no content coding is supported; send the body as it is'
  const long = 'x'.repeat(78)
  type Row = [to: string, body: string | Buffer | undefined, refusal: string, headers?: Headers]
  const rows: Row[] = [
    ['json', undefined, missing],
    ['json', noChunks, '400 missing-body: a body is required', chunked],
    ['json', '{"a":1,"b":2,"c":3}', mismatch('body/b is not allowed; body/c is not allowed')],
    ['json', '{"a":"1"}', mismatch('body/a must be integer')],
    ['json', 'null', mismatch('body must be object')],
    ['json', `{"a":1}${' '.repeat(2000)}`, tooLarge],
    ['json', `7d1\r\n${' '.repeat(2001)}`, tooLarge, chunked],
    [
      'json',
      '{}',
      unsupported('there is more than one media type', 'application/json'),
      { 'content-type': 'application/json' }
    ],
    ['OPTIONAL', '{}', mismatch('body/a is required')],
    ['OPTIONAL', 'null', mismatch('body must be object')],
    ['none', '{}', undeclared],
    ['none text/plain', 'x', undeclared],
    ['several text/plain', 'longer', mismatch('body must have at most 5 characters')],
    [`several ${vendor}`, '{"a":1}', mismatch('body must be array')],
    [`several ${vendor}`, '[5]', mismatch('body/0 must be string')],
    ...['\xff', '\xc0\x80', '\xed\xa0\x80', '\xe2\x82', '\xf4\x90\x80\x80'].map(
      (bytes): Row => ['several text/plain', Buffer.from(bytes, 'latin1'), noUtf8]
    ),
    ['several application/xml', '<a/>', unsupported('media type application/xml is not supported')],
    [`several a/${long}xxx`, 'x', unsupported(`media type a/${long}… is not supported`)],
    ['several nonsense', 'x', unsupported('the media type of the body is not well-formed')],
    ['several text/plain; charset=latin1', 'x', unsupported('the only supported charset is UTF-8')],
    ['several', 'x', unsupported('the body has no media type'), { 'Content-Type': undefined }],
    ['several text/plain', 'x', coding, { 'Content-Encoding': 'gzip' }],
    ['range application/xml', '<a/>', noRange('application/xml')],
    ['range text/plain', 'x', noRange('text/plain')],
    [`bounded ${octets}`, 'a', mismatch('body must have at least 2 bytes')],
    [`bounded ${octets}`, 'abcd', mismatch('body must have at most 3 bytes')],
    ['bounded image/png', 'abc', mismatch('body must have at most 2 bytes')],
    [`form ${urlencoded}`, 'id=x&sure=1', mismatch('body/id must be integer; body/sure must be boolean')],
    [`form ${urlencoded}`, 'id=1&id=2', mismatch('body/id is given more than once')],
    [`form ${urlencoded}`, 'id=%zz', mismatch('body/id has malformed percent-encoding')],
    [`form ${urlencoded}`, Buffer.from('id=\xff', 'latin1'), noUtf8],
    ['fields', '{"secret":"s","made":"m"}', mismatch('body/made is read-only and must not be sent')],
    ['fields', '{"secret":null}', mismatch('body/secret must be string')],
    ['fields', '{}', mismatch('body/secret is required')]
  ]
  for (const [to, body, refusal, headers] of rows) {
    const answer = await post(to, body, headers)
    t.equal(outcome(answer), refusal, `${to} ${body?.slice(0, 30)}`)
    const declared = Object.keys(contents[String(to.split(' ')[0])] ?? {})
    if (answer.status === 415) t.equal(answer.headers.get('accept'), declared.join(', '), to)
  }
  const bug = new TypeError('internal')
  t.equal(malformedBody(bug), bug, 'an error that is not of the JSON parser stays as it is')
})

t.test('without declared media types, a refusal names none', async (t) => {
  const parsed = {
    operationId: 'o',
    method: 'POST',
    path: '/',
    url: '/',
    security: [],
    parameters: []
  } as const
  const expect = bodyExpectation(
    { ...parsed, responses: {}, requestBody: { required: true, content: [] } },
    10
  )
  const refusal = (headers: Headers) => Object(t.throws(() => expect(incoming(headers)))).failure
  t.match(refusal({}), { status: 400, message: 'a body is required' })
  const refused = refusal({ 'content-type': 'text/csv', 'content-length': '5' })
  t.match(refused, { status: 415, message: /^media type text\/csv is not supported$/ })
  t.same(refused.headers, {})
})

const multipartType = 'multipart/form-data; boundary=b'
const multipart = (...parts: readonly string[]) =>
  Buffer.from(`${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`, 'latin1')
/** Returns a part of a form; `name` may have further parameters. */
const part = (name: string, bytes: string) => `Content-Disposition: form-data; name=${name}\r\n\r\n${bytes}`

t.test('the parts of multipart/form-data are read as declared', async (t) => {
  const file = part('file; filename="x.bin"', '\0\xff')
  const large = 'x'.repeat(1500)
  const upload: [Buffer, unknown][] = [
    [multipart(file, part('count', '5')), { file: 'bytes 00ff', count: 5 }],
    [
      multipart(file, part('meta', '{"x":1.5}'), part('other', 'y')),
      { file: 'bytes 00ff', meta: { x: 1.5 }, other: 'y' }
    ],
    [multipart(part('file', 'text')), { file: 'bytes 74657874' }],
    [multipart(part('file', '\0\xff')), { file: 'bytes 00ff' }],
    [multipart(file, part('other', '\xff')), '400 malformed-body: the body is not valid UTF-8'],
    [multipart(part('count', '5')), '400 mismatch: body/file is required'],
    [multipart(file, part('count', 'x')), '400 mismatch: body/count must be integer'],
    [multipart(file, file), '400 mismatch: body/file is given more than once'],
    [multipart(file, part('meta', '{')), '400 mismatch: body/meta is not valid JSON'],
    [multipart(part('file; filename="x"', large), part('b; filename="x"', large)), tooLarge],
    ...[
      multipart(file).subarray(0, -20),
      Buffer.from('garbage'),
      multipart('Content-Type: text/plain\r\n\r\nbytes'),
      multipart('Content-Disposition: form-data; filename="a"\r\n\r\nbytes'),
      multipart('Content-Disposition: attachment; name="a"\r\n\r\nbytes')
    ].map((body): [Buffer, unknown] => [body, malformedForm])
  ]
  for (const [body, want] of upload)
    t.same(outcome(await post(`upload ${multipartType}`, body)), want, String(body).slice(0, 120))
  t.equal(outcome(await post('upload multipart/form-data', multipart(file))), malformedForm, 'no boundary')
  const chunks = Array.from({ length: 500 }, () => `3e8\r\n${'x'.repeat(1000)}\r\n`).join('')
  t.equal(outcome(await post(`upload ${multipartType}`, chunks, chunked)), tooLarge, 'in chunks')
})

t.test('without a schema, parts with a filename are bytes and the others are text', async (t) => {
  const parts = [part('a', '1'), part('b; filename="b"', 'xyz')]
  const send = async (...parts: string[]) => outcome(await post(`free ${multipartType}`, multipart(...parts)))
  t.same(await send(...parts), { a: '1', b: 'bytes 78797a' })
  t.equal(await send(...parts, ...parts), '400 mismatch: body/a is given more than once')
  for (const [length, want] of [
    [252, { a: '1' }],
    [253, malformedForm],
    [900, malformedForm]
  ] as const) {
    const boundary = 'b'.repeat(length)
    const body = `--${boundary}\r\n${part('a', '1')}\r\n--${boundary}--\r\n`
    t.same(outcome(await post(`free multipart/form-data; boundary=${boundary}`, body)), want, String(length))
  }
})

const shownFile = (file: unknown) => {
  const { filename, mediaType } = file as File
  return [String(file), filename, mediaType]
}
const disposition = 'Content-Disposition: form-data; name="file"'

t.test('a handler gets the bytes of a part with its file name and media type', async (t) => {
  const rows: [headers: string, filename: string | undefined, mediaType?: string][] = [
    ['Content-Disposition: form-data; name=file', undefined],
    [`${disposition}; filename="a b.png"\r\nContent-Type: image/png`, 'a b.png', 'image/png'],
    [`${disposition}; filename=""\r\nContent-Type: Image/PNG; a=1`, '', 'image/png'],
    [`${disposition}; filename="C:\\\\docs\\\\a.txt"`, 'a.txt'],
    [`${disposition}; filename="../../etc/passwd"`, 'passwd'],
    [`${disposition}; filename="na\xc3\xafve \\"x\\".txt"`, 'naïve "x".txt'],
    [`${disposition}; filename="x"; filename*=UTF-8''na%C3%AFve.txt`, 'naïve.txt'],
    [`${disposition}; filename="x"; filename*=UTF-8''%zz`, 'x'],
    [`${disposition}; filename*=UTF-8''..%2F..%5Ca.txt`, 'a.txt'],
    [`${disposition}; filename="...a"`, '...a'],
    [`${disposition}; filename="x"; filename*=latin1''a`, 'x'],
    [`content-type: nonsense\r\ncontent-disposition:Form-Data;name="file"`, undefined]
  ]
  for (const [headers, filename, mediaType] of rows) {
    await post(`files ${multipartType}`, multipart(`${headers}\r\n\r\nbytes`))
    t.same(shownFile(received['file']), ['bytes', filename, mediaType], headers)
  }
  t.ok(isDeepStrictEqual({ ...received }, { file: Buffer.from('bytes') }), 'it is a Buffer like any other')
  const each = (name: string, bytes: string) =>
    `Content-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/${name}\r\n\r\n${bytes}`
  await post(`files ${multipartType}`, multipart(each('a', '1'), each('b', '22'), each('c', '')))
  t.same([received['files']].flat().map(shownFile), [
    ['1', 'a', 'text/a'],
    ['22', 'b', 'text/b'],
    ['', 'c', 'text/c']
  ])
})

t.test('a name that is a folder, or that holds a control character or a line break, is none', async (t) => {
  const encoded = 'a%00.txt a%0D%0AX%3A%20y %0a a%7F a%C2%85 a%E2%80%A8b a%E2%80%A9 b%2F.. %2E%2E .'.split(
    ' '
  )
  const plain = ['..', '.', 'a/..', 'a\\\\..', '../.', 'a\tb', 'a\xe2\x80\xa8b', 'a\xc2\x85b']
  const names = [
    ...encoded.map((name) => `filename="x"; filename*=UTF-8''${name}`),
    ...plain.map((name) => `filename="${name}"`)
  ]
  for (const name of names) {
    t.equal(
      (await post(`files ${multipartType}`, multipart(`${disposition}; ${name}\r\n\r\nbytes`))).status,
      200
    )
    t.same(shownFile(received['file']), ['bytes', undefined, undefined], encodeURIComponent(name))
    await post(`files ${multipartType}`, multipart(part(`other; ${name}`, 'bytes')))
    t.ok(Buffer.isBuffer(received['other']), 'a part with any name is a file, also where it is not declared')
  }
  for (const raw of ['a\0b', '\x1b[2J', '\x7f'])
    t.equal(
      outcome(
        await post(`files ${multipartType}`, multipart(`${disposition}; filename="${raw}"\r\n\r\nbytes`))
      ),
      malformedForm
    )
})

t.test('problems of parameters and body are reported together, each with its place', async (t) => {
  const big = 2n ** 63n - 1n
  const json = encodeURIComponent(`{"id":${big}}`)
  const target = `POST /both/${big}?limit=5&filter=${json}&list=1,2&deep[n]=3&unknown=1`
  const good = request(target, `{"a":${big}}`, {
    'X-Big': `${-big}`,
    'X-Other': '1',
    Cookie: `c=${big}; d=1`
  })
  t.same((await ask(good)).value, {
    params: { 'thing-id': `${big}n` },
    query: { limit: 5, filter: { id: `${big}n` }, list: [1, 2], deep: { n: 3 } },
    headers: { 'x-big': `${-big}n` },
    cookies: { c: `${big}n` },
    body: { a: `${big}n` }
  })
  const range = 'must be an integer from -9223372036854775808 to 9223372036854775807'
  const rows: [target: string, body: string, headers: Record<string, string>, problems: string][] = [
    ['x', '{}', {}, 'params/thing-id must be integer; query/limit is required; body/a is required'],
    [
      `${big + 1n}?limit=9007199254740993`,
      '{"a":1}',
      {},
      `params/thing-id ${range}; query/limit must be integer; query/limit must be <= 5`
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
    ],
    ['1?limit=1&filter=x', '{"a":1}', {}, 'query/filter is not valid JSON'],
    ['1?limit=1&filter=5', '{"a":1}', {}, 'query/filter must be object'],
    [
      '1?limit=1&filter=%7B%7D&list=1,x&deep[n]=x',
      '{"a":1}',
      {},
      'query/filter/id is required; query/list/1 must be integer; query/deep/n must be integer'
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

t.test('a path that only the options of the router match has its parameters', async (t) => {
  const fastify = { routerOptions: { caseSensitive: false } }
  const { ask } = await serve(t, contract, { handlers, security, fastify })
  for (const path of ['both', 'BOTH']) {
    t.equal((await ask(request(`POST /${path}/1?limit=1`, '{"a":1}'))).status, 200, path)
    const { value } = await ask(request(`POST /${path}/x?limit=1`, '{"a":1}'))
    t.match(value, { message: 'params/thing-id must be integer' }, path)
  }
})

t.test('an operation and a scheme with names of Object have handlers of their own', async (t) => {
  const { toString: _own, ...others } = handlers
  const refused = (service: object, message: string) => t.rejects(serve(t, contract, service), { message })
  await refused({ handlers: others, security }, 'operation toString has no handler')
  await refused({ handlers }, 'security scheme valueOf has no handler')
  t.equal((await ask(request('GET /inherited'))).status, 401)
  t.equal((await ask(request('GET /inherited', undefined, { 'X-Key': 'good' }))).status, 200)
})

t.test('a form has at most a thousand fields, which are counted before they are parsed', async (t) => {
  const content = { mediaType: urlencoded, kind: 'form' } as const
  const form = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')
  const read = (text: string, more: object = {}) => {
    const { read, specs } = urlencodedForm(text, { ...content, ...more })
    return read(specs)
  }
  t.equal(Object.keys(read(form(1000))).length, 1000)
  const refused = (count: number) => {
    const text = form(count)
    return () => {
      try {
        return read(text)
      } catch (error) {
        return (error as Error).message
      }
    }
  }
  const [short, long, runs] = [refused(1_001), refused(20_000), 2_000]
  for (const refuse of [short, long]) t.equal(refuse(), 'the body has more than 1000 fields')
  const longRuns = () => {
    for (let run = 0; run < runs; run++) long()
  }
  t.ok(cpuGrowth(runs, short, longRuns) < 5, 'the rest costs nothing: parsed, it would be about 20')
  const sparse = `&&${form(2)}&&&a2=1${'&'.repeat(100_000)}`
  t.same(read(sparse), { a0: '1', a1: '1', a2: '1' }, 'what is empty is no field')
  const field = {
    name: 'meta',
    key: 'meta',
    in: 'query',
    required: false,
    style: 'form',
    explode: true
  } as const
  const shape = { types: [], properties: { a: { types: ['string'] } } } as const
  const open: FieldSpec = { ...field, shape: { ...shape, additional: { types: ['string'] } } }
  const additional: FieldSpec = { ...field, shape: { types: ['integer'] } }
  t.same(read('b=2', { fields: [open], additional }), { b: 2 }, 'where a form and an object allow any name')
  const members = { meta: { a: 'x' }, b: '2', 'meta[a]': 'y' }
  t.same(read('a=x&b=2&meta[a]=y', { fields: [{ ...field, shape }] }), members)
})

function incoming(headers: Headers): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers })
}
const codeOf = (reading: Promise<unknown>) =>
  reading.then(String, ({ failure }: FailureError) => failure.code)

t.test('the bytes of a body are read to its declared end, in no more memory than they need', async (t) => {
  for (const [chunks, limit, want] of [
    [['he', 'l', 'lo'], 5, 'hello'],
    [['he', 'llo!'], 5, 'body-too-large']
  ] as const) {
    const request = incoming({})
    const reading = codeOf(readBytes(request, limit))
    for (const chunk of chunks) request.push(Buffer.from(chunk))
    request.push(null)
    t.equal(await reading, want)
  }
  const short = incoming({ 'content-length': '6' })
  short.push(null)
  t.equal(await codeOf(readBytes(short, 10)), 'malformed-http', 'other than declared')
  const request = incoming({})
  const reading = readBytes(request, 200_000)
  for (let i = 0; i < 200_000; i++) request.push(Buffer.of(i % 256))
  request.push(null)
  const body = await reading
  t.ok(body.length === 200_000 && body.every((byte, index) => byte === index % 256))
  t.ok(body.buffer.byteLength <= 400_000)
  const endless = incoming({})
  const refused = codeOf(readBytes(endless, 10))
  for (let i = 0; i < 100; i++) endless.push(Buffer.alloc(10_000))
  t.equal(await refused, 'body-too-large')
  await sleep(10)
  t.equal(endless.readableLength, 0, 'the rest is discarded')
  endless.destroy(new Error('lost'))
  await sleep(10)
  t.ok(endless.destroyed, 'and its loss is nothing to anyone')
})

/** Sends one body, and returns what `read` makes of its request, such as while the code of the contract is loaded. */
async function before(t: Test, read: (reply: FastifyReply) => Promise<unknown>): Promise<unknown> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  let found: unknown
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (_request, reply) => {
    found = await read(reply).catch((error: unknown) => error)
    return reply.send('')
  })
  app.post('/', async () => '')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  await served.ask(Number(port), request('POST /', 'abc', as(octets))).catch(() => undefined)
  await until(() => found !== undefined)
  return found
}

t.test('a body that has ended, or is lost, before anybody reads it', async (t) => {
  const readers = {
    bytes: ({ request }: FastifyReply) => readBytes(request.raw, 10),
    stream: (reply: FastifyReply) => buffer(new BodyStream(reply, 10))
  }
  for (const [name, read] of Object.entries(readers)) {
    const lost = await before(t, async (reply) => {
      const { raw } = reply.request
      raw.on('error', () => undefined).destroy()
      await once(raw, 'close')
      return read(reply)
    })
    t.match(lost, { failure: { status: 400 } }, name)
    const ended = await before(t, async (reply) => {
      await buffer(reply.request.raw)
      return (await read(reply)).length
    })
    t.equal(ended, 0, name)
  }
  const longer = await before(t, async (reply) => {
    await buffer(reply.request.raw)
    reply.request.raw.headers['content-length'] = '4'
    return readers.stream(reply)
  })
  t.match(longer, { failure: { status: 400 } }, 'a declared length that is not that of the bytes')
})
