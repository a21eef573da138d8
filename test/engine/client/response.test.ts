/** Responses of a server, which a client returns exactly; a wrong one is a ResponseMismatch with its places. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { createClient, injectFetch, ResponseMismatch } from '../../../src/engine/client.ts'
import { until } from '../../time.ts'
import { compiled, serve } from '../serve.ts'
import { document, fromSource } from './exchange.ts'

interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: unknown
  readonly mediaType: string | undefined
}
type Calls = Record<string, (call?: object) => Promise<Answer>>
const answersOf = async (client: Calls) => (await client['answers']?.()) as Answer
const itemsOf = (answer: Answer | undefined) => answer?.body as AsyncIterable<unknown>
const contract = await compiled(t, document)
const large = 9007199254740993n
const item = { id: large, note: 'ä\n' }

let answer: unknown
const names = contract.operations.map(({ operationId }) => operationId)
const { port, app } = await serve(t, contract, {
  handlers: Object.fromEntries(names.map((name) => [name, () => answer])),
  security: Object.fromEntries(Object.keys(contract.securitySchemes).map((name) => [name, () => true]))
})
const clients = {
  socket: createClient(contract, { baseUrl: new URL(`http://127.0.0.1:${port}`) }) as unknown as Calls,
  inject: createClient((await fromSource(contract)) as never, { fetch: injectFetch(app) }) as unknown as Calls
}
const bytes = new Uint8Array([0, 255])
const total = { 'x-total': large }
const json = 'application/json'
async function* chunks() {
  yield bytes
  yield bytes
}

const answers: readonly (readonly [given: object, wanted: Partial<Answer>])[] = [
  [
    {
      status: 200,
      headers: {
        ...total,
        'x-list': [1n, large],
        'X-Object': { a: 1, b: 'x' },
        'x-json': item,
        'x-text': 'a, b',
        'set-cookie': ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2']
      },
      body: [item]
    },
    {
      headers: {
        ...total,
        'x-list': [1n, large],
        'x-object': { a: 1, b: 'x' },
        'x-json': item,
        'x-text': 'a, b',
        'set-cookie': ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2']
      },
      body: [item],
      mediaType: json
    }
  ],
  [
    { status: 201, headers: { 'x-more': 'm' }, body: { a: 1 } },
    { headers: { 'x-more': 'm' }, body: { a: 1 } }
  ],
  [
    { status: 202, body: 'ä' },
    { body: 'ä', mediaType: 'text/plain' }
  ],
  [{ status: 203, body: bytes }, { body: bytes }],
  [{ status: 203, body: '<a/>', headers: { 'content-type': 'application/xml' } }, { body: '<a/>' }],
  [
    { status: 207, body: { a: 1 } },
    { body: { a: 1 }, mediaType: '*/*' }
  ],
  [{ status: 207, body: 'text' }, { body: 'text' }],
  [{ status: 207, body: bytes }, { body: bytes }],
  [{ status: 208 }, { body: undefined, mediaType: undefined }],
  [
    { status: 404, body: { a: 1 } },
    { status: 404, body: { a: 1 } }
  ]
]
for (const [name, client] of Object.entries(clients)) {
  t.test(`answers over ${name} are what handlers return`, async (t) => {
    for (const [given, wanted] of answers) {
      answer = given
      const { headers, ...got } = await answersOf(client)
      const { headers: wantedHeaders = {}, ...others } = wanted
      t.match(got, { ...others, status: Reflect.get(given, 'status') })
      for (const [header, value] of Object.entries(wantedHeaders))
        t.strictSame(structuredClone(headers[header]), value)
    }
    answer = { status: 206, body: chunks() }
    const streamed = (await client['answers']?.())?.body as ReadableStream<Uint8Array>
    t.strictSame(Buffer.concat(await Array.fromAsync(streamed)), Buffer.from([0, 255, 0, 255]))
    answer = { status: 200, body: 'x' }
    t.match(await client['headOf']?.(), { status: 200, body: undefined, mediaType: undefined })
  })

  t.test(`items over ${name} are what handlers return`, async (t) => {
    const items = async (operation: string, given: Iterable<unknown>) => {
      answer = { status: 200, body: given }
      return Array.fromAsync((await client[operation]?.())?.body as AsyncIterable<unknown>)
    }
    t.strictSame(structuredClone(await items('get_lines', [item])), [item])
    t.strictSame(structuredClone(await items('get_texts', new Set([item]))), [item])
    const event = { data: item, event: 'e', id: '7', retry: 5 }
    t.strictSame(structuredClone(await items('get_events', [event, { event: 'only' }, event])), [
      event,
      event
    ])
    t.strictSame(structuredClone(await items('get_data', [item])), [item])
    t.strictSame(await items('get_words', [{ data: 'a\nb' }]), [{ data: 'a\nb' }])
    t.strictSame(await items('get_either', [{ data: 5 }, { data: 'end' }]), [{ data: 5 }, { data: 'end' }])
  })
}

for (const [name, client] of Object.entries(clients)) {
  t.test(`a reader over ${name} that stops early ends the stream of the handler`, async (t) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    async function* endless() {
      try {
        for (let id = 0n; ; id++) {
          yield { id }
          await new Promise(setImmediate)
        }
      } finally {
        resolve('returned')
      }
    }
    answer = { status: 200, body: endless() }
    for await (const _item of itemsOf(await client['get_lines']?.())) break
    t.equal(await promise, 'returned', 'the iterator of the handler')
  })
}

let respond: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer((request, response) => respond(request, response))
t.teardown(() => server.close())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const broken = createClient((await fromSource(contract)) as never, {
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}) as unknown as Calls

type Raw = readonly [status: number, headers: Record<string, string>, body: string]
const ofJson = { 'content-type': json }
const mismatches: readonly (readonly [raw: Raw, places: readonly string[]])[] = [
  [[210, {}, ''], ['status']],
  [[302, { location: '/' }, ''], ['status']],
  [[200, ofJson, '[]'], ['headers/x-total']],
  [[200, { ...ofJson, 'x-total': 'many' }, '[]'], ['headers/x-total']],
  [[200, { ...ofJson, 'x-total': '1', 'x-object': 'a' }, '[]'], ['headers/x-object']],
  [[200, { ...ofJson, 'x-total': '1', 'x-json': '{' }, '[]'], ['headers/x-json']],
  [[200, { ...ofJson, 'x-total': '1', 'x-text': 'too long' }, '[]'], ['headers/x-text']],
  [[200, { ...ofJson, 'x-total': '1' }, '[{"id":1},{"id":9223372036854775808}]'], ['body/1/id']],
  [[200, { ...ofJson, 'x-total': '1' }, '['], ['body']],
  [[200, { 'content-type': 'text/html', 'x-total': '1' }, ''], ['headers/content-type']],
  [[200, { 'x-total': '1' }, ''], ['headers/content-type']],
  [[201, ofJson, '{"a":"x"}'], ['body/a']],
  [[201, ofJson, '{"~/":1}'], ['body/~/']],
  [[201, ofJson, '{'], ['body']],
  [[202, { 'content-type': 'text/plain' }, 'too long'], ['body']],
  [[208, {}, 'x'], ['body']]
]
t.test('an answer that breaks the contract names its places', async (t) => {
  for (const [[status, headers, body], places] of mismatches) {
    respond = (_request, response) => response.writeHead(status, headers).end(body)
    const error = await broken['answers']?.().then(
      () => undefined,
      (error: unknown) => error
    )
    t.ok(error instanceof ResponseMismatch, body)
    t.match(error, { name: 'ResponseMismatch', operation: 'answers', status })
    t.strictSame((error as ResponseMismatch).places, places, body)
  }
  respond = (_request, response) => response.writeHead(499).end('x')
  t.match(await broken['answers']?.(), { status: 499, body: undefined })
})

t.test('a mismatch has the headers and the start of the text of its answer', async (t) => {
  const page = '<html><title>502 Bad Gateway</title>ä</html>'
  const html = { 'content-type': 'text/html' }
  const rows: readonly (readonly [
    status: number,
    headers: Record<string, string>,
    body: string | Buffer,
    text: string
  ])[] = [
    [502, html, page, page],
    [200, { ...html, 'x-total': '1' }, page, page],
    [210, { 'content-type': 'text/html; charset=iso-8859-1' }, Buffer.from(page, 'latin1'), page],
    [210, { 'content-type': 'text/html; charset=none' }, page, page],
    [210, html, '', ''],
    [210, html, 'ä'.repeat(100_000), 'ä'.repeat(10_000)],
    [210, { ...html, 'content-encoding': 'gzip' }, gzipSync(page), page],
    [201, ofJson, '{"a":"x"}', '{"a":"x"}'],
    [201, ofJson, `{"a":"${'x'.repeat(20_000)}"}`, `{"a":"${'x'.repeat(9_994)}`],
    [201, ofJson, '{', '{'],
    [208, {}, 'surplus', 'surplus']
  ]
  for (const [status, headers, body, text] of rows) {
    respond = (_request, response) =>
      response.writeHead(status, { ...headers, 'x-via': 'proxy', 'set-cookie': ['s=1'] }).end(body)
    const error = await broken['answers']?.().catch((error: ResponseMismatch) => error)
    t.match(error, { name: 'ResponseMismatch', status, text }, text.slice(0, 40))
    t.equal((error as ResponseMismatch).headers.get('x-via'), 'proxy')
    t.notMatch(
      JSON.stringify(error) + inspect(error),
      /s=1|Gateway|proxy/,
      'a log of the error does not have them'
    )
  }
  respond = (_request, response) => response.writeHead(502, html).write('an endless page')
  t.match(await broken['answers']?.().catch((error: unknown) => error), {
    status: 502,
    text: 'an endless page'
  })
  respond = (_request, response) => response.writeHead(502, html).write('cut', () => response.destroy())
  t.match(await broken['answers']?.().catch((error: unknown) => error), { status: 502 })
})

t.test('a text is decoded by its charset', async (t) => {
  const rows: readonly (readonly [status: number, type: string, body: Buffer, wanted: unknown])[] = [
    [202, 'text/plain; charset=iso-8859-1', Buffer.from('äöü', 'latin1'), 'äöü'],
    [202, 'text/plain;Charset="ISO-8859-1"', Buffer.from('äöü', 'latin1'), 'äöü'],
    [202, 'text/plain; charset=utf-16le', Buffer.from('äöü', 'utf16le'), 'äöü'],
    [202, 'text/plain; charset=utf-8', Buffer.from('äöü'), 'äöü'],
    [202, 'text/plain', Buffer.from('äöü'), 'äöü'],
    [203, 'application/xml; charset=windows-1252', Buffer.from([0x80]), '€'],
    [207, 'application/json; charset=iso-8859-1', Buffer.from('{"ä":1}'), { ä: 1 }],
    [202, 'text/plain; charset=x-none', Buffer.from('a'), ['headers/content-type']]
  ]
  for (const [status, type, body, wanted] of rows) {
    respond = (_request, response) => response.writeHead(status, { 'content-type': type }).end(body)
    const got = await broken['answers']?.().then(
      ({ body }) => body,
      (error: ResponseMismatch) => error.places
    )
    t.strictSame(structuredClone(got), wanted, type)
  }
})

t.test('cookies are not joined, whatever their header declares', async (t) => {
  const rows: readonly (readonly [lines: string[], wanted: unknown])[] = [
    [['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    [
      ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2'],
      ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2']
    ],
    [['a=1', 'b'], ['headers/set-cookie']]
  ]
  for (const [lines, wanted] of rows) {
    respond = (_request, response) => response.writeHead(209, { 'set-cookie': lines }).end()
    const got = await broken['answers']?.().then(
      ({ headers }) => headers['set-cookie'],
      (error: ResponseMismatch) => error.places
    )
    t.strictSame(got, wanted, lines.join())
  }
})

type Row = readonly [operation: string, type: string, body: string, wanted: unknown]
const sequences: readonly Row[] = [
  ['get_lines', 'application/jsonl', '\n{"id":1}\r\n\n{"id":2}', [{ id: 1n }, { id: 2n }]],
  ['get_lines', 'application/jsonl', '{"id":1}\n{"id":"x"}\n', ['body/1/id']],
  ['get_lines', 'application/jsonl', '{"id":1}\n{', ['body/1']],
  ['get_lines', 'application/jsonl', '', []],
  ['get_texts', 'application/json-seq', '\x1e{"id":1}\n', [{ id: 1n }]],
  ['get_texts', 'application/json-seq', '\x1e12', ['body']],
  [
    'get_events',
    'text/event-stream',
    ':c\nretry: x\nid: a\0\nfoo\ndata:{"id":\rdata: 1}\r\r\nid:7\r\rdata:{"id":2}\r\nid: 8\r\n\r\nid:9',
    [{ data: { id: 1n } }, { data: { id: 2n }, id: '8' }]
  ],
  [
    'get_events',
    'text/event-stream',
    'retry: 3000\n\nid: 1\n\nevent: ping\n\ndata: {"id":1}\n\n',
    [{ data: { id: 1n } }]
  ],
  ...[
    'data: {"id":2}',
    'data: {"id":2}\n',
    'data: {"id":2}\r',
    'data: {"id',
    'data',
    'id: 1\n',
    ':',
    'data: \xc3'
  ].flatMap((cut): Row[] => [
    ['get_events', 'text/event-stream', `data: {"id":1}\n\n${cut}`, [{ data: { id: 1n } }]],
    ['get_data', 'text/event-stream', `data: {"id":1}\r\r${cut}`, [{ id: 1n }]]
  ]),
  ['get_events', 'text/event-stream', 'data: {"id": 9007199254740993}\n\n', [{ data: { id: large } }]],
  ['get_events', 'text/event-stream', '\n\n', []],
  ['get_data', 'text/event-stream', 'event: x\n\ndata: {"id":1}\n\n', [{ id: 1n }]],
  ['get_words', 'text/event-stream', 'event: x\n\ndata\n\ndata: y\n\n', [{ data: '' }, { data: 'y' }]],
  ['get_either', 'text/event-stream', 'data: 9007199254740993\n\n', ['body/0/data']],
  ['get_either', 'text/event-stream', 'data: other\n\n', ['body/0']],
  [
    'get_either',
    'text/event-stream',
    'id: 9007199254740993\ndata: end\n\nid: 7\ndata: 5\n\n',
    [
      { data: 'end', id: large },
      { data: 5, id: 7n }
    ]
  ]
]
t.test('a broken item ends its sequence, and names its place', async (t) => {
  for (const [operation, type, body, wanted] of sequences) {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': type })
      for (const character of body.match(/.{1,7}/gs) ?? []) response.write(character, 'latin1')
      response.end()
    }
    const items = (await broken[operation]?.())?.body as AsyncIterable<unknown>
    const got = await Array.fromAsync(items).catch((error: ResponseMismatch) => error.places)
    t.strictSame(structuredClone(got), wanted, `${operation} ${JSON.stringify(body)}`)
  }
})

const bounds = { maxAnswerBytes: 10, maxItemLength: 10 }
const bounded = (options: object) =>
  createClient(contract, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...options
  }) as unknown as Calls
const ofText = { 'content-type': 'text/plain' }
const gzip = { ...ofText, 'content-encoding': 'gzip' }
type Sized = readonly [status: number, headers: Record<string, string>, body: string | Buffer, fits: boolean]
const sized: readonly Sized[] = [
  [201, ofJson, '{"a":   1}', true],
  [201, ofJson, '{"a":    1}', false],
  [201, { ...ofJson, 'content-length': '11' }, '{"a":    1}', false],
  [201, { ...ofJson, 'content-encoding': 'gzip' }, gzipSync('{"a":    1}'), false],
  [206, { 'content-type': 'application/octet-stream' }, 'x'.repeat(11), true],
  [499, ofText, 'x'.repeat(10), true],
  [499, ofText, 'x'.repeat(11), false],
  [499, gzip, gzipSync('x'.repeat(10_000_000)), false]
]
t.test('an answer is read up to its bound, decoded; a stream of bytes has no bound', async (t) => {
  for (const [status, headers, body, fits] of sized) {
    respond = (_request, response) => response.writeHead(status, headers).end(body)
    const outcome = await bounded(bounds)
      ['answers']?.()
      .catch((error: ResponseMismatch) => error)
    if (fits) t.equal(outcome?.status, status)
    else
      t.match(outcome, {
        name: 'ResponseMismatch',
        status,
        problems: [{ place: 'body', message: 'is larger than 10 bytes' }]
      })
  }
  respond = (_request, response) => response.writeHead(499).end('x'.repeat(20_000))
  t.equal((await bounded({})['answers']?.())?.status, 499, 'the default is larger')
})

/** Text that is sent for ever, and the items before its item is too long. */
const endless: readonly (readonly [
  operation: string,
  type: string,
  start: string,
  text: string,
  items: number
])[] = [
  ['get_lines', 'application/jsonl', '{"id":1}\n{"id":2}\n', ' ', 2],
  ['get_lines', 'application/jsonl', '{"id":1}\n{"id":   2}\n', '{}\n', 1],
  ['get_texts', 'application/json-seq', '\x1e{"id":1}\n', ' ', 0],
  ['get_words', 'text/event-stream', 'data: 1\n\ndata: 2\n\n', 'x', 2],
  ['get_words', 'text/event-stream', 'data: 1\n\n:2\n\n', 'data: 3\n', 1]
]
t.test('an item that has no end is left, and with it the connection', async (t) => {
  for (const [operation, type, start, text, items] of endless) {
    let isClosed = false
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': type }).write(start)
      const more = () => response.write(text.repeat(1000), () => isClosed || setImmediate(more))
      more()
      response.on('close', () => {
        isClosed = true
      })
    }
    let read = 0
    const reading = async () => {
      for await (const _item of itemsOf(await bounded(bounds)[operation]?.())) read++
    }
    const problems = [{ place: `body/${items}`, message: 'is longer than 10 characters' }]
    await t.rejects(reading(), { name: 'ResponseMismatch', problems }, operation)
    t.equal(read, items)
    await until(() => isClosed)
  }
})

t.test('an error of the connection is thrown as it is', async (t) => {
  respond = (_request, response) => {
    response
      .writeHead(202, { 'content-type': 'text/plain', 'content-length': 9 })
      .write('x', () => response.destroy())
  }
  await t.rejects(async () => broken['answers']?.(), { name: 'TypeError' })
  respond = (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/jsonl' })
      .write('{"id":1}\n{', () => response.destroy())
  }
  await t.rejects(async () => Array.fromAsync(itemsOf(await broken['get_lines']?.())), { name: 'TypeError' })
  async function* failing() {
    yield bytes
    throw new Error('of a handler')
  }
  answer = { status: 206, body: failing() }
  const { body } = await answersOf(clients.inject)
  await t.rejects(Array.fromAsync(body as ReadableStream))
  const failed = new ReadableStream({ start: (controller) => controller.error(new Error('lost')) })
  const fetch = async () => new Response(failed, { status: 299 })
  const own = createClient(contract, { fetch }) as unknown as Calls
  await t.rejects(async () => own['answers']?.(), { message: 'answers answered 299: status is not declared' })
})

t.test('a request can be aborted, before and after it is sent', async (t) => {
  respond = () => undefined
  const signal = AbortSignal.abort(new Error('mine'))
  for (const client of [broken, clients.inject])
    await t.rejects(async () => client['answers']?.({ signal }), { message: 'mine' })
  const later = new AbortController()
  answer = new Promise(() => undefined)
  const pending = clients.inject['answers']?.({ signal: later.signal })
  setImmediate(() => later.abort(new Error('later')))
  await t.rejects(async () => pending, { message: 'later' })
})

t.test('a fetch of an application takes every body and several values of a header', async (t) => {
  const send = injectFetch(app)
  answer = { status: 204 }
  const post = async (
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {}
  ) => (await send(`http://localhost${path}`, { method: 'POST', body, headers })).status
  t.equal(await post('/json', '{"id":1}', ofJson), 204)
  t.equal(await post('/form', new URLSearchParams({ more: 'x' })), 204)
  t.equal(await post('/bytes', bytes, { 'content-type': 'application/octet-stream' }), 204)
  t.equal(
    await post('/send_lines'.replace('send_', ''), new Blob(['{"id":1}\n']).stream(), {
      'content-type': 'application/jsonl'
    }),
    204
  )
  answer = { status: 202, body: 'x' }
  t.equal(await (await send('/answers', {})).text(), 'x')
})

t.test(
  'a fetch of an application decodes what the fetch of Node decodes, and keeps the headers',
  async (t) => {
    const text = 'ä'.repeat(100_000)
    const encoded = new Map<string, Buffer>([
      ['', Buffer.from(text)],
      ['gzip', gzipSync(text)],
      ['X-Gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['br', brotliCompressSync(text)],
      ['zstd', zstdCompressSync(text)],
      ['gzip, br', brotliCompressSync(gzipSync(text))],
      ['other, gzip', gzipSync(text)]
    ])
    const encoding = Fastify()
    t.teardown(() => encoding.close())
    encoding.get('/', (request, reply) => {
      const coding = String(request.headers['x-coding'])
      if (coding !== '') reply.header('content-encoding', coding)
      return encoded.get(coding)
    })
    const origin = await encoding.listen({ host: '127.0.0.1', port: 0 })
    const inject = injectFetch(encoding)
    const fetched = async (send: typeof inject, coding: string, method: string) => {
      const response = await send(origin, { method, headers: { 'x-coding': coding } })
      const { headers } = response
      return [headers.get('content-encoding'), headers.get('content-length'), await response.text()]
    }
    for (const coding of encoded.keys())
      for (const method of ['GET', 'HEAD'])
        t.strictSame(await fetched(inject, coding, method), await fetched(fetch, coding, method), coding)
    t.equal((await fetched(inject, 'gzip, br', 'GET')).at(-1), text)
    encoded.set('gzip', Buffer.from(text))
    await t.rejects(fetched(inject, 'gzip', 'GET'), /incorrect header check/)
  }
)
