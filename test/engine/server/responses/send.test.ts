/** Answers of handlers: only declared parts leave the process. */
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { sleep, until } from '../../../time.ts'
import { headOf, type Json, request, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const int64 = { type: 'integer', format: 'int64' }
const plant: Json = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: int64,
    name: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
    weight: { type: 'number' },
    count: { type: 'integer' },
    secret: { type: 'string', writeOnly: true },
    made: { type: 'string', readOnly: true },
    parts: { type: 'array', items: { type: 'object', properties: { n: int64 } } }
  }
}
const json = (schema?: Json): Json => ({ 'application/json': schema === undefined ? {} : { schema } })
const error: Json = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }

const responses: Record<string, Json> = {
  plain: {
    200: { description: '', content: json(plant) },
    '4XX': { description: '', content: json(error) },
    default: {
      description: '',
      content: json({ type: 'object', required: ['other'], properties: { other: { type: 'boolean' } } })
    }
  },
  strict: { 200: { description: '', content: json(plant) } },
  range: { '2XX': { description: '', content: json(plant) } },
  lists: { 200: { description: '', content: json({ type: 'array', items: int64 }) } },
  maps: {
    200: {
      description: '',
      content: json({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: int64 })
    }
  },
  free: { 200: { description: '', content: json() } },
  union: {
    200: {
      description: '',
      content: json({
        type: 'object',
        required: ['kind', 'stray'],
        properties: { kind: { type: 'string' } },
        anyOf: [
          { properties: { kind: { const: 'cat' }, lives: int64 }, required: ['lives'] },
          {
            properties: {
              kind: { const: 'dog' },
              tricks: { type: 'array', items: { oneOf: [int64, { type: 'string' }] } }
            },
            required: ['tricks']
          }
        ]
      })
    }
  },
  one: {
    200: {
      description: '',
      content: json({
        oneOf: [
          { type: 'object', required: ['a'], properties: { a: int64 }, additionalProperties: false },
          { type: 'object', required: ['b'], properties: { b: { type: 'string' } } }
        ]
      })
    }
  },
  headers: {
    200: {
      description: '',
      headers: {
        'X-Count': { required: true, schema: { type: 'integer', minimum: 1 } },
        'X-Note': { schema: { type: 'string' } }
      },
      content: json()
    },
    303: { description: '', headers: { Location: { required: true, schema: { type: 'string' } } } }
  },
  nothing: { 204: { description: '' }, 200: { description: '' }, 304: { description: '' } },
  emptied: { 205: { description: '', content: json(plant) } },
  texts: {
    200: { description: '', content: { 'text/plain': { schema: { type: 'string', maxLength: 20 } } } }
  },
  events: { 200: { description: '', content: { 'text/event-stream': {} } } },
  bytes: {
    200: {
      description: '',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    }
  },
  images: { 200: { description: '', content: { 'image/*': {} } } },
  sized: {
    200: {
      description: '',
      headers: { 'Content-Length': { required: true, schema: { type: 'integer' } } },
      content: { 'application/octet-stream': {} }
    },
    201: { description: '', headers: { 'Content-Length': { required: true, schema: {} } }, content: json() },
    204: { description: '', headers: { 'Content-Length': { schema: { type: 'integer' } } } }
  },
  lines: { 200: { description: '', content: { 'application/jsonl': { schema: { type: 'integer' } } } } },
  connected: {
    200: {
      description: '',
      headers: Object.fromEntries(
        ['Connection', 'keep-alive', 'Transfer-Encoding', 'Upgrade', 'Trailer'].map((name) => [
          name,
          { required: true, schema: { const: 'x' } }
        ])
      )
    },
    201: {
      description: '',
      headers: { 'Content-Length': { required: true, schema: {} } },
      content: { 'application/jsonl': { schema: { type: 'integer' } } }
    },
    202: { description: '', headers: { 'Content-Length': { required: true, schema: {} } } }
  },
  several: {
    200: {
      description: '',
      content: {
        ...Object(json(plant)),
        'application/vnd.test+json': { schema: { type: 'array' } },
        'text/csv': { schema: { type: 'string' } }
      }
    },
    '4XX': { description: '', content: { ...Object(json(error)), 'text/plain': {} } }
  },
  any: { 200: { description: '', content: { '*/*': {} } } },
  either: { 200: { description: '', content: { ...Object(json(plant)), 'image/*': {} } } }
}

const document: Json = {
  paths: Object.fromEntries(
    Object.entries(responses).map(([name, declared]) => [
      `/${name}`,
      { get: { operationId: name, responses: declared } }
    ])
  )
}

let answer: (request: {
  accepts: readonly string[]
  signal: AbortSignal
  log: FastifyBaseLogger
}) => unknown = () => undefined
const handlers = Object.fromEntries(
  Object.keys(responses).map((name) => [name, (given: never) => answer(given)])
)
const { app, ask, log, port } = await serve(t, document, {
  handlers,
  errorBody: ({ code, operationId }) =>
    operationId === 'plain' && code === 'internal' ? { other: true } : { code }
})

const whole = { id: 1n, name: 'x' }
const max = 2n ** 63n - 1n

t.test('declared properties are sent, and no others', async (t) => {
  const rows: [string, unknown, string][] = [
    ['plain', { ...whole, extra: 1, secret: 's', made: 'm' }, '{"id":1,"name":"x","made":"m"}'],
    [
      'plain',
      { id: max, name: '\ud800\u0000', weight: 0.1, parts: [{ n: -max, m: 1 }] },
      `{"id":${max},"name":"\\ud800\\u0000","weight":0.1,"parts":[{"n":${-max}}]}`
    ],
    ['plain', { id: 5, name: 'a number is an int64 too' }, '{"id":5,"name":"a number is an int64 too"}'],
    ['range', { id: 1n, name: 'x', at: undefined }, '{"id":1,"name":"x"}'],
    ['lists', [1n, max, 5], `[1,${max},5]`],
    ['maps', { a: 'x', b: max, toString: 1n }, `{"a":"x","b":${max},"toString":1}`],
    ['free', { a: [1n, { b: max }], c: null }, `{"a":[1,{"b":${max}}],"c":null}`],
    ['free', 'text', '"text"'],
    ['free', null, 'null'],
    ['union', { kind: 'cat', lives: 9n, stray: true, extra: 1 }, '{"kind":"cat","lives":9,"stray":true}'],
    [
      'union',
      { kind: 'dog', tricks: [1n, 'sit'], stray: { a: 1 } },
      '{"kind":"dog","tricks":[1,"sit"],"stray":{"a":1}}'
    ],
    ['several', { ...whole, extra: 1 }, '{"id":1,"name":"x"}'],
    ['one', { a: max }, `{"a":${max}}`],
    ['one', { b: 'x' }, '{"b":"x"}']
  ]
  for (const [name, body, want] of rows) {
    answer = async () => ({ status: 200, body })
    const { status, headers, body: text } = await ask(request(`GET /${name}`))
    t.equal(status, 200, name)
    t.same(sorted(Buffer.from(text, 'latin1').toString()), sorted(want), name)
    t.equal(headers.get('content-type'), 'application/json', name)
  }
})

/** Returns the members of the outermost object in the order of their names; numbers keep their spelling. */
function sorted(text: string): unknown {
  return JSON.parse(text, (_key, value, context: { source?: string } = {}) =>
    typeof value === 'number' ? `#${context.source}` : value
  )
}

t.test(
  'an exact status wins over a class, a class over default; an undeclared status is a 500',
  async (t) => {
    const good: [string, unknown, number][] = [
      ['plain', { status: 404, body: { code: 'x' } }, 404],
      ['plain', { status: 302, body: { other: true } }, 302],
      ['plain', { status: 511, body: { other: false } }, 511],
      ['range', { status: 201, body: whole }, 201],
      ['nothing', { status: 204 }, 204],
      ['nothing', { status: 204, body: null }, 204],
      ['nothing', { status: 200 }, 200],
      ['nothing', { status: 304 }, 304],
      ['emptied', { status: 205 }, 205],
      ['headers', { status: 303, headers: { Location: '/x' } }, 303]
    ]
    for (const [name, made, status] of good) {
      answer = () => made
      t.equal((await ask(request(`GET /${name}`))).status, status, `${name} ${status}`)
    }
    const bad: [string, unknown][] = [
      ['strict', { status: 201, body: whole }],
      ['strict', { status: 404, body: { code: 'secret' } }],
      ['strict', { status: 500, body: { secret: 1 } }],
      ['plain', { status: 100, body: { other: true } }],
      ['plain', { status: 199, body: { other: true } }],
      ['plain', { status: 600, body: { other: true } }],
      ['plain', { status: '200', body: whole }],
      ['plain', { status: 200.5, body: whole }],
      ['plain', { status: Number.NaN, body: whole }],
      ['plain', { body: whole }],
      ['plain', undefined],
      ['plain', null],
      ['plain', 'secret'],
      ['plain', whole],
      ['range', { status: 302, body: whole }],
      ['nothing', { status: 200, body: 'secret' }],
      ['nothing', { status: 204, body: {} }],
      ['emptied', { status: 205, body: whole }]
    ]
    for (const [name, made] of bad) await breach(t, name, made)
  }
)

t.test('any error of a getter of a body is only logged', async (t) => {
  for (const thrown of [new Error('secret'), 'secret'])
    await breach(t, 'plain', {
      status: 200,
      body: Object.defineProperty({ ...whole }, 'at', {
        enumerable: true,
        get: () => {
          throw thrown
        }
      })
    })
  t.equal(log.filter(({ msg }) => /: secret \(/.test(String(msg))).length, 2)
})

const unreadable = new Proxy(new Error('secret'), {
  getPrototypeOf: () => {
    throw new Error('secret')
  }
})

t.test('any error of a getter of a response is only logged', async (t) => {
  for (const name of ['status', 'headers', 'body'])
    for (const thrown of [new Error('secret'), 'secret', undefined, unreadable]) {
      answer = async () => ({
        status: 200,
        body: whole,
        get [name]() {
          throw thrown
        }
      })
      const got = await ask(request('GET /plain'))
      t.match([got.status, got.value], [500, { code: 'response-mismatch' }])
      t.notMatch(got.body, /secret/)
    }
})

t.test('a promise in place of a body is a 500, and its rejection is ignored', async (t) => {
  for (const name of ['plain', 'any']) {
    const late = Promise.withResolvers<unknown>()
    await breach(t, name, { status: 200, body: late.promise })
    late.reject(new Error('secret'))
    await new Promise(setImmediate)
  }
})

t.test('a promise anywhere in a wrong response is a 500, and its rejection is ignored', async (t) => {
  const wrong: ((late: Promise<unknown>) => object)[] = [
    (late) => ({ status: late, body: whole }),
    (late) => ({ status: 200, body: whole, headers: late }),
    (late) => ({ status: 200, body: whole, headers: { 'x-a': late } }),
    (late) => ({ status: 200, body: { ...whole, name: late } }),
    (late) => ({ status: 200, body: [[{ late }]] })
  ]
  for (const make of wrong) {
    const late = Promise.withResolvers<unknown>()
    answer = async () => make(late.promise)
    t.equal((await ask(request('GET /plain'))).status, 500, String(make))
    late.reject(new Error('secret'))
    await new Promise(setImmediate)
  }
})

t.test('a response with headers that would be lost is a 500', async (t) => {
  const round: { self?: unknown } = {}
  round.self = round
  for (const headers of [
    new Headers({ 'x-a': '1' }),
    new Map([['x-a', '1']]),
    ['x-a: 1'],
    'x-a: 1',
    round,
    null
  ]) {
    answer = async () => ({ status: 200, body: whole, headers })
    const got = await ask(request('GET /plain'))
    t.equal(got.status, headers === null ? 200 : 500, String(headers))
  }
})

/** Asserts a 500 without a reason, and a log line with the reason. */
async function breach(t: Tap, name: string, made: unknown): Promise<void> {
  const before = log.length
  answer = async () => made
  const got = await ask(request(`GET /${name}`))
  const what = `${name} ${inspect(made)}`
  t.equal(got.status, 500, what)
  t.notMatch(got.body, /secret|name|id/, what)
  t.ok(name === 'plain' || Object(got.value).code === 'response-mismatch', what)
  const errors = log.slice(before).filter(({ level }) => level === 50)
  t.ok(
    errors.some(
      ({ failure, err, msg }) =>
        failure === 'response-mismatch' &&
        err !== undefined &&
        String(msg).startsWith(`${name} answered ${String(Object(made).status)}: `) &&
        String(msg).endsWith(` (handlers/${name}.ts)`)
    ),
    `${what}: logged with operation, status and file`
  )
}

type Tap = { equal: typeof t.equal; ok: typeof t.ok; notMatch: typeof t.notMatch }
const inspect = (value: unknown): string =>
  Object.keys(Object(value)).join() + String(Object(Object(value).body).name ?? '')

class Model {
  readonly id = 1n
  get name(): string {
    return 'a getter of the prototype is no property'
  }
}
const cyclic: Record<string, unknown> = { ...whole }
cyclic['parts'] = [cyclic]
const endless: Record<string, unknown> = {}
endless['endless'] = endless

t.test('a body that breaks its schema is a 500 and is not sent', async (t) => {
  const bodies: [string, unknown][] = [
    ['strict', { id: 'secret', name: 'x' }],
    ['strict', { id: 1n }],
    ['strict', { id: 1n, name: undefined }],
    ['strict', { id: 1n, name: 1n }],
    ['strict', { id: max + 1n, name: 'x' }],
    ['strict', { id: 1.5, name: 'x' }],
    ['strict', { id: Number.NaN, name: 'x' }],
    ['strict', { ...whole, weight: Number.NaN }],
    ['strict', { ...whole, weight: Number.POSITIVE_INFINITY }],
    ['strict', { ...whole, weight: 2n ** 53n + 1n }],
    ['strict', { ...whole, count: 2n ** 53n + 1n }],
    ['strict', { ...whole, at: new Date() }],
    ['strict', { ...whole, at: 'yesterday' }],
    ['strict', { id: 1n, name: { toJSON: () => 'secret' } }],
    ['strict', { toJSON: () => whole }],
    ['strict', new Model()],
    ['strict', new Map(Object.entries(whole))],
    ['strict', { ...whole, parts: new Set([1]) }],
    ['strict', { ...whole, parts: [undefined] }],
    ['strict', [whole]],
    ['strict', '{"id":1,"name":"x"}'],
    ['strict', Buffer.from('{}')],
    ['strict', Readable.from(['{}'])],
    ['strict', undefined],
    ['strict', null],
    ['strict', () => whole],
    ['strict', Symbol('x')],
    [
      'strict',
      Object.defineProperty({ ...whole }, 'weight', {
        enumerable: true,
        get: () => {
          throw new Error('secret')
        }
      })
    ],
    ['lists', [1n, '2']],
    ['lists', Object.assign([1n], { length: 3 })],
    ['maps', { b: 'secret' }],
    ['union', { kind: 'cat', lives: 9n }],
    ['union', { kind: 'cat', tricks: [], stray: 1 }],
    ['one', { a: 1n, b: 2 }],
    ['free', undefined],
    ['free', () => 1],
    ['free', endless],
    ['texts', 5],
    ['texts', 'longer than twenty characters'],
    ['texts', undefined],
    ['bytes', { a: 1 }],
    ['bytes', 5],
    ['bytes', undefined]
  ]
  for (const [name, body] of bodies) await breach(t, name, { status: 200, body })
  answer = () => ({ status: 200, body: cyclic })
  t.match((await ask(request('GET /strict'))).status, 200, 'a cycle in what is not declared is not sent')
})

t.test('error responses that handlers return are reported when they are sent, and no others', async (t) => {
  const reported: unknown[] = []
  let answers: unknown
  const { ask } = await serve(t, document, {
    handlers: Object.fromEntries(Object.keys(responses).map((name) => [name, () => answers])),
    onErrorResponse: ({ status, body }, { method }) => reported.push([method, status, body])
  })
  const body = { code: 'taken' }
  for (const answer of [
    { status: 409, body },
    { status: 200, body: whole },
    { status: 409, body: {} },
    undefined
  ])
    for (answers of [answer, Promise.resolve(answer)]) await ask(request('GET /plain'))
  t.strictSame(reported, Array(2).fill(['GET', 409, body]))
})

t.test('declared headers are checked, and no header can hold a line break', async (t) => {
  answer = () => ({
    status: 200,
    body: 1,
    headers: {
      'x-count': 5,
      'X-Note': 'a\tb',
      'X-More': ['a', 'b'],
      'X-Not': undefined,
      'Set-Cookie': ['a=1', 'b=2']
    }
  })
  const { responses, text } = await exchange(port, request('GET /headers').toString(), {
    wait: 5000,
    enough: 1
  })
  const [got] = responses
  t.match(Object.fromEntries(got?.headers ?? []), { 'x-count': '5', 'x-note': 'a\tb', 'x-more': 'a, b' })
  t.same(text.match(/^set-cookie: .*$/gim)?.length, 2)
  const bad: Record<string, unknown>[] = [
    {},
    { 'X-Count': 0 },
    { 'X-Count': 'five' },
    { 'X-Count': undefined },
    { 'X-Count': 5, 'X-Note': 5 },
    { 'X-Count': 5, 'X-More': 'a\r\nSet-Cookie: secret' },
    { 'X-Count': 5, 'X-More': 'a\nb' },
    { 'X-Count': 5, 'X-More': 'a\0' },
    { 'X-Count': 5, 'X-More': '\u{1f331}' },
    { 'X-Count': 5, 'X-More': 'caf\u00e9' },
    { 'X-Count': 5, 'X-More': null },
    { 'X-Count': 5, 'X-More': {} },
    { 'X-Count': 5, 'X More': 'a' },
    { 'X-Count': 5, 'X:': 'a' },
    { 'X-Count': 5, '': 'a' },
    { 'X-Count': 5, 'a\r\nb': 'c' },
    { 'X-Count': 5, 'Content-Length': 2 },
    { 'X-Count': 5, 'transfer-encoding': 'chunked' },
    { 'X-Count': 5, Connection: 'close' },
    { 'X-Count': 5, 'Content-Type': 'text/html' },
    { 'X-Count': 5, 'Content-Type': 'nonsense' }
  ]
  for (const headers of bad) await breach(t, 'headers', { status: 200, body: 1, headers })
  await breach(t, 'headers', { status: 303 })
  await breach(t, 'nothing', { status: 200, headers: { 'Content-Type': 'text/plain' } })
})

async function* pieces(): AsyncGenerator<string> {
  yield 'data: 1\n\n'
  yield 'data: 2\n\n'
}

t.test('a body can be a text, bytes or a stream of bytes', async (t) => {
  const rows: [string, unknown, string, string][] = [
    ['texts', 'h\u00e9', 'h\u00e9', 'text/plain; charset=utf-8'],
    ['texts', '', '', 'text/plain; charset=utf-8'],
    ['bytes', Buffer.from('ab'), 'ab', 'application/octet-stream'],
    ['bytes', new Uint8Array([97, 98, 99]).subarray(1), 'bc', 'application/octet-stream'],
    ['bytes', 'text', 'text', 'application/octet-stream'],
    ['bytes', Readable.from([Buffer.from('a'), Buffer.from('b')]), 'ab', 'application/octet-stream'],
    ['bytes', pieces(), 'data: 1\n\ndata: 2\n\n', 'application/octet-stream'],
    ['bytes', new Blob(['web']).stream(), 'web', 'application/octet-stream'],
    ['events', pieces(), 'data: 1\n\ndata: 2\n\n', 'text/event-stream; charset=utf-8'],
    ['any', 'text', 'text', 'text/plain; charset=utf-8'],
    ['any', Buffer.from('a'), 'a', 'application/octet-stream'],
    ['any', { a: 1n }, '{"a":1}', 'application/json']
  ]
  for (const [name, body, want, type] of rows) {
    answer = () => ({ status: 200, body })
    const response = await fetch(`http://127.0.0.1:${port}/${name}`)
    t.same(
      [response.status, await response.text(), response.headers.get('content-type')],
      [200, want, type],
      `${name} ${typeof body}`
    )
  }
  answer = () => ({ status: 200, body: Buffer.of(1), headers: { 'content-type': 'image/png' } })
  const image = await ask(request('GET /images'))
  t.same(
    [image.status, image.headers.get('content-type')],
    [200, 'image/png'],
    'a range is what the handler says'
  )
  await breach(t, 'images', { status: 200, body: Buffer.of(1), headers: { 'content-type': 'text/plain' } })
})

t.test('a stream that fails before its first byte is a 500, later it ends the connection', async (t) => {
  answer = () => ({
    status: 200,
    body: new Readable({
      read() {
        this.destroy(new Error('secret'))
      }
    })
  })
  const early = await ask(request('GET /bytes'))
  t.match([early.status, early.value], [500, { code: 'internal' }])
  const failing = async function* () {
    yield 'begun'
    await sleep(20)
    throw new Error('secret')
  }
  for (const body of [failing(), Readable.from(failing())]) {
    answer = () => ({ status: 200, body })
    const { text, ending } = await exchange(port, request('GET /bytes').toString(), { wait: 3000 }).catch(
      (error: Error) => ({ text: error.message, ending: 'cut' })
    )
    t.match(text, /begun/)
    t.notMatch(text, /secret|\r\n0\r\n\r\n$/, 'it does not look whole')
    t.ok(['cut', 'closed', 'reset'].includes(ending))
  }
})

t.test('a stream of objects is a 500, and its chunks stay inside', async (t) => {
  const objects = async function* () {
    yield { not: 'bytes' }
  }
  const bodies = {
    'a stream': Readable.from([{ not: 'bytes' }]),
    'an iterable': objects(),
    numbers: Readable.from([1])
  }
  for (const [name, body] of Object.entries(bodies)) {
    answer = () => ({ status: 200, body })
    const refused = await ask(request('GET /bytes'))
    t.match([refused.status, refused.value], [500, { code: 'response-mismatch' }], name)
    t.notMatch(refused.body, /object|not/, name)
  }
  answer = () => ({ status: 200, body: Readable.from(['a', Buffer.from('b')]) })
  t.match(
    await exchange(port, request('GET /bytes').toString(), { wait: 200 }).catch(({ message }) => message),
    /ab/
  )
})

t.test('a stream that is not sent, or whose client leaves, is destroyed', async (t) => {
  const waiting = () => new Readable({ read() {} })
  const refused = waiting()
  await breach(t, 'strict', { status: 200, body: refused })
  t.ok(refused.destroyed)
  const left = waiting()
  left.push('begun')
  answer = () => ({ status: 200, body: left })
  const reset = exchange(port, '', {
    talk: async (socket) => {
      socket.write(request('GET /bytes'))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.resetAndDestroy()
    }
  })
  await t.rejects(reset, /no whole body/)
  await until(() => left.destroyed)
  t.ok(left.destroyed)
  let ended = false
  answer = ({ signal }) => ({
    status: 200,
    body: (async function* () {
      yield 'begun'
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended = true
    })()
  })
  await t.rejects(exchange(port, request('GET /bytes').toString(), { wait: 300 }), /no whole body/)
  await until(() => ended)
  t.ok(ended, 'a generator that waits for the signal ends')
  const head = waiting()
  answer = () => ({ status: 200, body: head })
  t.equal((await headOf(port, 'bytes')).slice(0, 12), 'HTTP/1.1 200')
  t.ok(head.destroyed)
})

t.test('a stream that fails as it is destroyed does not end the process', async (t) => {
  let destroyed = 0
  const failing = () =>
    new Readable({
      destroy: (_error, done) => {
        destroyed++
        done(new Error('it does not close'))
      }
    })
  await breach(t, 'strict', { status: 200, body: failing() })
  answer = () => ({ status: 200, body: failing() })
  t.equal((await headOf(port, 'bytes')).slice(0, 12), 'HTTP/1.1 200')
  answer = () => ({ status: 200, body: whole })
  t.same([(await ask(request('GET /strict'))).status, destroyed], [200, 2])
})

const sized = (body: unknown, length: unknown) => ({
  status: 200,
  body,
  headers: { 'Content-Length': length }
})
/** Content-Length of a handler (RFC 9110, section 8.6): answers, and the length that is sent. */
const lengths: readonly (readonly [what: string, name: string, answer: () => object, length: number])[] = [
  ['a stream', 'sized', () => sized(Readable.from([Buffer.from('ab'), 'ä']), 4), 4],
  ['an iterable', 'bytes', () => sized(pieces(), '18'), 18],
  ['an empty stream', 'sized', () => sized(Readable.from([]), 0), 0],
  ['bytes without a length', 'sized', () => ({ status: 200, body: Buffer.from('abc') }), 3],
  ['bytes', 'sized', () => sized(Buffer.from('abc'), 3), 3],
  ['JSON without a required length', 'sized', () => ({ status: 201, body: { a: 1 } }), 7],
  ['JSON', 'sized', () => ({ status: 201, body: 'ä', headers: { 'content-length': '4' } }), 4]
]
for (const [what, name, made, length] of lengths)
  t.test(`the length of ${what}`, async (t) => {
    answer = made
    const got = await fetch(`http://127.0.0.1:${port}/${name}`)
    t.equal(got.headers.get('content-length'), String(length))
    t.notOk(got.headers.has('transfer-encoding'))
    t.equal((await got.arrayBuffer()).byteLength, length)
    t.match(await headOf(port, name), `content-length: ${length}\r\n`, 'of HEAD')
  })

t.test('HEAD has a length without a body', async (t) => {
  answer = () => sized(undefined, 5)
  t.match(await headOf(port, 'sized'), 'content-length: 5\r\n')
})

t.test(
  'no handler is asked for the headers of the connection, nor for a length that nobody knows',
  async (t) => {
    const rows = [{ status: 200 }, { status: 201, body: [1, 2] }, { status: 202 }]
    for (const made of rows) {
      answer = () => made
      t.equal((await fetch(`http://127.0.0.1:${port}/connected`)).status, made.status)
      t.match(await headOf(port, 'connected'), `HTTP/1.1 ${made.status}`)
    }
    answer = () => ({ status: 201, body: [1, 2], headers: { 'Content-Length': 4 } })
    t.match(await headOf(port, 'connected'), 'content-length: 4\r\n', 'a length of what HEAD leaves out')
  }
)

t.test('a wrong or missing length is a 500', async (t) => {
  await breach(t, 'sized', { status: 200, body: Readable.from(['a']) })
  for (const length of ['x', -1, 1.5, '1, 1']) await breach(t, 'bytes', sized(Buffer.from('a'), length))
  await breach(t, 'sized', sized(Buffer.from('abc'), 4))
  await breach(t, 'sized', { status: 201, body: 'a', headers: { 'Content-Length': 1 } })
  await breach(t, 'sized', { status: 204, headers: { 'Content-Length': 0 } })
  await breach(t, 'nothing', { status: 200, headers: { 'Content-Length': 1 } })
  await breach(t, 'lines', { status: 200, body: [1], headers: { 'Content-Length': 2 } })
})

t.test('a stream of another length ends the connection, and nothing surplus is sent', async (t) => {
  for (const [length, sent] of [
    [3, 'ab'],
    [5, 'abcd']
  ] as const) {
    answer = () => sized(Readable.from(['ab', 'cd']), length)
    const answered = exchange(port, `${request('GET /sized')}${request('GET /sized')}`, { wait: 10_000 })
    await t.rejects(answered, { message: `no whole body: ${sent}` })
  }
})

t.test('HEAD has the headers of GET and no body', async (t) => {
  answer = () => ({ status: 200, body: whole })
  const raw = await headOf(port, 'plain')
  t.match(raw, /^HTTP\/1.1 200 OK\r\n/)
  t.match(raw, /content-length: 19\r\n/)
  t.match(raw, /\r\n\r\n$/)
  answer = () => ({ status: 200, body: { id: 'wrong' } })
  t.match(await headOf(port, 'strict'), /^HTTP\/1.1 500/)
  answer = () => ({ status: 204 })
  t.notMatch(await headOf(port, 'nothing'), /content-length|content-type/, 'RFC 9110, 8.6')
})

t.test(
  'of several media types the response has the one that fits the body and that the client prefers',
  async (t) => {
    const rows: [string | undefined, unknown, number, string | undefined][] = [
      [undefined, whole, 200, 'application/json'],
      ['*/*', 'a,b', 200, 'text/csv; charset=utf-8'],
      ['text/csv', 'a,b', 200, 'text/csv; charset=utf-8'],
      ['text/*;q=0.5, application/json', whole, 200, 'application/json'],
      ['application/vnd.test+json', [1], 200, 'application/vnd.test+json'],
      ['*/*', [1], 200, 'application/vnd.test+json'],
      ['text/csv', whole, 406, undefined],
      ['image/png', whole, 406, undefined],
      ['application/json;q=0, */*', whole, 406, undefined]
    ]
    for (const [accept, body, status, type] of rows) {
      answer = () => ({ status: 200, body })
      const got = await ask(request('GET /several', undefined, { Accept: accept }))
      t.equal(got.status, status, `${accept}`)
      if (type === undefined) t.match(got.value, { code: 'not-acceptable' }, `${accept}`)
      else t.equal(got.headers.get('content-type'), type, `${accept}`)
    }
    answer = () => ({ status: 200, body: Buffer.from('a,b') })
    t.equal(
      (await ask(request('GET /several'))).headers.get('content-type'),
      'text/csv; charset=utf-8',
      'bytes are no JSON'
    )
    await breach(t, 'several', { status: 200, body: { id: 'neither' } })
    answer = () => ({ status: 200, body: Buffer.from('a,b') })
    t.equal((await ask(request('GET /either'))).body, 'a,b', 'under a range anything may be sent')
    answer = () => ({ status: 404, body: { code: 'x' } })
    t.equal(
      (await ask(request('GET /several', undefined, { Accept: 'text/csv' }))).status,
      404,
      'an error has any declared media type'
    )
    answer = ({ accepts }) => ({ status: 200, body: accepts.join(), headers: { 'content-type': 'text/csv' } })
    const accepted = await ask(
      request('GET /several', undefined, { Accept: 'text/csv, application/json;q=0.5' })
    )
    t.equal(accepted.body, 'text/csv,application/json', 'a handler gets the accepted media types')
  }
)

t.test('an exception of a handler is a 500, unless it is a FailureError', async (t) => {
  const rows: [() => unknown, number, object][] = [
    [
      () => {
        throw new Error('secret')
      },
      500,
      { code: 'internal' }
    ],
    [
      async () => {
        throw new Error('secret')
      },
      500,
      { code: 'internal' }
    ],
    [
      () => {
        throw undefined
      },
      500,
      { code: 'internal' }
    ],
    [() => Promise.reject(null), 500, { code: 'internal' }],
    [() => Promise.reject(unreadable), 500, { code: 'internal' }],
    [
      () => {
        throw Object.assign(new Error('secret'), { statusCode: 404 })
      },
      500,
      { code: 'internal' }
    ],
    [
      () => {
        throw Object.assign(new Error('secret'), { statusCode: 400 })
      },
      500,
      { code: 'internal' }
    ],
    [
      () => {
        throw new FailureError('forbidden')
      },
      403,
      { code: 'forbidden' }
    ],
    [
      async () => {
        throw new FailureError('overloaded', { headers: { 'retry-after': '1' } })
      },
      503,
      { code: 'overloaded' }
    ]
  ]
  for (const [made, status, want] of rows) {
    answer = made
    const got = await ask(request('GET /strict'))
    t.match([got.status, got.value], [status, want], String(made))
    t.notMatch(got.body, /secret/)
  }
  t.equal(
    log.filter(({ failure, err }) => failure === 'internal' && Object(err).message === 'secret').length >= 4,
    true,
    'and logged'
  )
})

t.test('request.signal is aborted when the client disconnects, and never otherwise', async (t) => {
  const signals: AbortSignal[] = []
  answer = async ({ signal }) => {
    signals.push(signal)
    await sleep(200)
    return { status: 200, body: whole }
  }
  await exchange(port, request('GET /strict').toString(), { wait: 50 })
  await until(() => signals[0]?.aborted === true)
  t.equal(signals[0]?.aborted, true)
  t.equal((await ask(request('GET /strict'))).status, 200)
  await sleep(50)
  t.equal(signals[1]?.aborted, false)
  const reset = connect(port, '127.0.0.1')
  answer = async ({ signal }) => {
    signals.push(signal)
    reset.resetAndDestroy()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { status: 200, body: whole }
  }
  reset.write(request('GET /strict'))
  await until(() => signals[2]?.aborted === true)
  t.equal(signals[2]?.aborted, true, 'also by a reset')
  for (const [leave, event] of [
    ['end', 'end'],
    ['resetAndDestroy', 'close']
  ] as const) {
    const gone = new Promise((resolve) =>
      app.server.once('connection', (socket) => socket.once(event, resolve))
    )
    let late: AbortSignal | undefined
    answer = async (given) => {
      left[leave]()
      await gone
      late = given.signal
      return { status: 200, body: whole }
    }
    const left = connect(port, '127.0.0.1').resume()
    left.write(request('GET /strict'))
    await until(() => late !== undefined)
    t.equal(late?.aborted, true, `also where it is asked for after ${leave}`)
  }
})

t.test('request.log is the log of the request', async (t) => {
  answer = ({ log }) => {
    log.info({ of: 'the handler' }, 'of the handler')
    return { status: 200, body: whole }
  }
  t.equal((await ask(request('GET /strict'))).status, 200)
  t.match(log.at(-1), { msg: 'of the handler', of: 'the handler', reqId: /./ })
})
