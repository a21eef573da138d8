/** Responses of a server, which a client returns exactly; a wrong one is a ResponseMismatch with its places. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { injectFetch, ResponseMismatch } from '../../../src/engine/client.ts'
import { until } from '../../time.ts'
import { serve } from '../serve.ts'
import { type Answer, type Calls, clientOf, compiledExchange, fromSource } from './exchange.ts'

const contract = await compiledExchange(t)
const source = await fromSource(contract)
const large = 9007199254740993n
const item = { id: large, note: 'ä\n' }

let answer: unknown
const { port, app } = await serve(t, contract, {
  handlers: Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, () => answer])),
  security: Object.fromEntries(Object.keys(contract.securitySchemes).map((name) => [name, () => true]))
})
const clients = {
  socket: clientOf(contract, { baseUrl: new URL(`http://127.0.0.1:${port}`) }),
  inject: clientOf(source, { fetch: injectFetch(app) })
}
const bytes = new Uint8Array([0, 255])
const json = 'application/json'
const itemsOf = (answer: Answer | undefined) => answer?.body as AsyncIterable<unknown>
const cookies = ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'b=2']
const exact = {
  ...{ 'x-total': large, 'x-list': [1n, large], 'x-object': { a: 1, b: 'x' }, 'x-json': item },
  ...{ 'x-text': 'a, b', 'set-cookie': cookies }
}
const { 'x-object': ofObject, ...others } = exact

/** @returns the answer, or the error of the client */
const outcomeOf = async (operation = 'answers', client: Calls = broken) =>
  client[operation]?.().catch((error: ResponseMismatch) => error) as Promise<Answer | ResponseMismatch>

/** Answers of a handler, with the media type and the headers that the client returns beside them. */
const answers: readonly (readonly [given: object, mediaType?: string | undefined, headers?: object])[] = [
  [{ status: 200, headers: { ...others, 'X-Object': ofObject }, body: [item] }, json, exact],
  [{ status: 201, headers: { 'x-more': 'm' }, body: { a: 1 } }, json, { 'x-more': 'm' }],
  [{ status: 202, body: 'ä' }, 'text/plain'],
  [{ status: 203, body: bytes }, 'application/octet-stream'],
  [{ status: 203, body: '<a/>', headers: { 'content-type': 'application/xml' } }, 'application/xml'],
  [{ status: 207, body: { a: 1 } }, '*/*'],
  [{ status: 207, body: 'text' }, '*/*'],
  [{ status: 207, body: bytes }, '*/*'],
  [{ status: 208 }],
  [{ status: 404, body: { a: 1 } }, json]
]
/** Items by operation; no reader gets an event without data. */
const lists: readonly (readonly [operation: string, given: Iterable<unknown>])[] = [
  ['get_lines', [item]],
  ['get_texts', new Set([item])],
  ['get_events', [{ data: item, event: 'e', id: '7', retry: 5 }, { event: 'only' }, { data: item }]],
  ['get_data', [item]],
  ['get_words', [{ data: 'a\nb' }]],
  ['get_either', [{ data: 5 }, { data: 'end' }]]
]
for (const [name, client] of Object.entries(clients)) {
  t.test(`answers over ${name} are what handlers return`, async (t) => {
    for (const [given, mediaType, wanted = {}] of answers) {
      answer = given
      const { headers, ...got } = (await outcomeOf('answers', client)) as Answer
      t.match(got, { body: undefined, ...given, headers: undefined, mediaType })
      for (const [header, value] of Object.entries(wanted))
        t.strictSame(structuredClone(headers[header]), value)
    }
    answer = { status: 206, body: Readable.from([bytes, bytes]) }
    const streamed = (await client['answers']?.())?.body as ReadableStream<Uint8Array>
    t.strictSame(Buffer.concat(await Array.fromAsync(streamed)), Buffer.from([0, 255, 0, 255]))
    answer = { status: 200, body: 'x' }
    t.match(await client['headOf']?.(), { status: 200, body: undefined, mediaType: undefined })
  })

  t.test(`items over ${name} are what handlers return`, async (t) => {
    for (const [operation, given] of lists) {
      answer = { status: 200, body: given }
      const got = await Array.fromAsync(itemsOf(await client[operation]?.()))
      const wanted = [...given].filter(
        (each) => operation !== 'get_events' || Object.hasOwn(Object(each), 'data')
      )
      t.strictSame(structuredClone(got), wanted, operation)
    }
  })

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
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const broken = clientOf(source, { baseUrl })
type Raw = readonly [status: number, headers: Record<string, string>, body: string | Buffer]
const answerWith = ([status, headers, body]: Raw) => {
  respond = (_request, response) => response.writeHead(status, headers).end(body)
}
const ofJson = { 'content-type': json }
const mismatches: readonly (readonly [raw: Raw, places: readonly string[]])[] = [
  [[210, {}, ''], ['status']],
  [[200, ofJson, '[]'], ['headers/x-total']],
  [[200, { ...ofJson, 'x-total': '1', 'x-object': 'a' }, '[]'], ['headers/x-object']],
  [[200, { ...ofJson, 'x-total': '1', 'x-json': '{' }, '[]'], ['headers/x-json']],
  [[200, { ...ofJson, 'x-total': '1', 'x-text': 'too long' }, '[]'], ['headers/x-text']],
  [[200, { ...ofJson, 'x-total': '1' }, '[{"id":1},{"id":9223372036854775808}]'], ['body/1/id']],
  [[200, { 'x-total': '1' }, ''], ['headers/content-type']],
  [[201, ofJson, '{"~/":1}'], ['body/~/']],
  [[201, ofJson, '{'], ['body']],
  [[202, { 'content-type': 'text/plain' }, 'too long'], ['body']],
  [[208, {}, 'x'], ['body']]
]
t.test('an answer that breaks the contract names its places', async (t) => {
  for (const [raw, places] of mismatches) {
    answerWith(raw)
    const error = await outcomeOf()
    t.match(error, { name: 'ResponseMismatch', operation: 'answers', status: raw[0] })
    t.ok(error instanceof ResponseMismatch)
    t.strictSame((error as ResponseMismatch).places, places, String(raw[2]))
  }
  answerWith([499, {}, 'x'])
  t.match(await outcomeOf(), { status: 499, body: undefined })
})

t.test('a mismatch has the headers and the start of the text of its answer', async (t) => {
  const page = '<html><title>502 Bad Gateway</title>ä</html>'
  const html = { 'content-type': 'text/html' }
  const rows: readonly (readonly [...Raw, text: string])[] = [
    [200, { ...html, 'x-total': '1' }, page, page],
    [210, { 'content-type': 'text/html; charset=iso-8859-1' }, Buffer.from(page, 'latin1'), page],
    [210, { 'content-type': 'text/html; charset=none' }, page, page],
    [210, html, 'ä'.repeat(100_000), 'ä'.repeat(10_000)],
    [210, { ...html, 'content-encoding': 'gzip' }, gzipSync(page), page],
    [201, ofJson, `{"a":"${'x'.repeat(20_000)}"}`, `{"a":"${'x'.repeat(9_994)}`],
    [208, {}, 'surplus', 'surplus']
  ]
  for (const [status, headers, body, text] of rows) {
    respond = (_request, response) =>
      response.writeHead(status, { ...headers, 'x-via': 'proxy', 'set-cookie': ['s=1'] }).end(body)
    const error = await outcomeOf()
    t.match(error, { name: 'ResponseMismatch', status, text }, text.slice(0, 40))
    t.equal((error as ResponseMismatch).headers.get('x-via'), 'proxy')
    const logged = JSON.stringify(error) + inspect(error)
    t.notMatch(logged, /s=1|Gateway|proxy/, 'a log of the error does not have them')
  }
  respond = (_request, response) => response.writeHead(502, html).write('an endless page')
  t.match(await outcomeOf(), { status: 502, text: 'an endless page' })
  respond = (_request, response) => response.writeHead(502, html).write('cut', () => response.destroy())
  t.match(await outcomeOf(), { status: 502 })
})

t.test('a text is decoded by its charset', async (t) => {
  const rows: readonly (readonly [status: number, type: string, body: Buffer, wanted: unknown])[] = [
    [202, 'text/plain;Charset="ISO-8859-1"', Buffer.from('äöü', 'latin1'), 'äöü'],
    [202, 'text/plain; charset=utf-16le', Buffer.from('äöü', 'utf16le'), 'äöü'],
    [202, 'text/plain', Buffer.from('äöü'), 'äöü'],
    [207, 'application/json; charset=iso-8859-1', Buffer.from('{"ä":1}'), { ä: 1 }],
    [202, 'text/plain; charset=x-none', Buffer.from('a'), ['headers/content-type']]
  ]
  for (const [status, type, body, wanted] of rows) {
    answerWith([status, { 'content-type': type }, body])
    const got = await outcomeOf()
    t.strictSame(structuredClone('places' in got ? got.places : got.body), wanted, type)
  }
})

t.test('cookies are not joined, whatever their header declares', async (t) => {
  const rows: readonly (readonly [lines: readonly string[], wanted: unknown])[] = [
    [cookies.slice(0, 1), cookies[0]],
    [cookies, cookies],
    [['a=1', 'b'], ['headers/set-cookie']]
  ]
  for (const [lines, wanted] of rows) {
    respond = (_request, response) => response.writeHead(209, { 'set-cookie': [...lines] }).end()
    const got = await outcomeOf()
    t.strictSame('places' in got ? got.places : got.headers['set-cookie'], wanted, lines.join())
  }
})

const [one, two] = [{ id: 1n }, { id: 2n }]
const mediaTypes = { get_lines: 'application/jsonl', get_texts: 'application/json-seq' }
const typeOf = (operation: string) => Reflect.get(mediaTypes, operation) ?? 'text/event-stream'
const retried = 'retry: 3000\n\nid: 1\n\nevent: ping\n\ndata: {"id":1}\n\n'
const mixed =
  ':c\nretry: x\nid: a\0\nfoo\ndata:{"id":\rdata: 1}\r\r\nid:7\r\rdata:{"id":2}\r\nid: 8\r\n\r\nid:9'
const cuts = ['data: {"id":2}\n', 'data: {"id":2}\r', 'data', 'data: \xc3']
type Row = readonly [operation: string, body: string, wanted: readonly unknown[]]
/** Bodies of sequences, and their items or the place that is broken. */
const sequences: readonly Row[] = [
  ['get_lines', '\n{"id":1}\r\n\n{"id":2}', [one, two]],
  ['get_lines', '{"id":1}\n{"id":"x"}\n', ['body/1/id']],
  ['get_lines', '{"id":1}\n{', ['body/1']],
  ['get_texts', '\x1e{"id":1}\n', [one]],
  ['get_texts', '\x1e12', ['body']],
  ['get_events', mixed, [{ data: one }, { data: two, id: '8' }]],
  ['get_events', retried, [{ data: one }]],
  ...cuts.map((cut): Row => ['get_events', `data: {"id":1}\n\n${cut}`, [{ data: one }]]),
  ...cuts.map((cut): Row => ['get_data', `data: {"id":1}\r\r${cut}`, [one]]),
  ['get_events', 'data: {"id": 9007199254740993}\n\n', [{ data: { id: large } }]],
  ['get_data', 'event: x\n\ndata: {"id":1}\n\n', [one]],
  ['get_words', 'event: x\n\ndata\n\ndata: y\n\n', [{ data: '' }, { data: 'y' }]],
  ['get_either', 'data: 9007199254740993\n\n', ['body/0/data']],
  ['get_either', 'data: other\n\n', ['body/0']],
  ['get_either', 'id: 9007199254740993\ndata: end\n\n', [{ data: 'end', id: large }]]
]
t.test('a broken item ends its sequence, and names its place', async (t) => {
  for (const [operation, body, wanted] of sequences) {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': typeOf(operation) })
      for (const character of body.match(/.{1,7}/gs) ?? []) response.write(character, 'latin1')
      response.end()
    }
    const items = Array.fromAsync(itemsOf(await broken[operation]?.()))
    const got = await items.catch((error: ResponseMismatch) => error.places)
    t.strictSame(structuredClone(got), wanted, `${operation} ${JSON.stringify(body)}`)
  }
})

const bounds = { maxAnswerBytes: 10, maxItemLength: 10 }
const bounded = clientOf(contract, { baseUrl, ...bounds })
const ofText = { 'content-type': 'text/plain' }
const gzip = { ...ofText, 'content-encoding': 'gzip' }
const sized: readonly (readonly [...Raw, fits: boolean])[] = [
  [201, ofJson, '{"a":   1}', true],
  [201, ofJson, '{"a":    1}', false],
  [201, { ...ofJson, 'content-encoding': 'gzip' }, gzipSync('{"a":    1}'), false],
  [206, { 'content-type': 'application/octet-stream' }, 'x'.repeat(11), true],
  [499, ofText, 'x'.repeat(10), true],
  [499, gzip, gzipSync('x'.repeat(10_000_000)), false]
]
t.test('an answer is read up to its bound, decoded; a stream of bytes has no bound', async (t) => {
  const problems = [{ place: 'body', message: 'is larger than 10 bytes' }]
  for (const [status, headers, body, fits] of sized) {
    answerWith([status, headers, body])
    const outcome = await outcomeOf('answers', bounded)
    t.equal(outcome.status, status)
    if (fits) t.notOk(outcome instanceof Error)
    else t.match(outcome, { name: 'ResponseMismatch', problems })
  }
  answerWith([499, {}, 'x'.repeat(20_000)])
  t.notOk((await outcomeOf()) instanceof Error, 'the default is larger')
})

/** Text that is sent for ever, and the items before its item is too long. */
const endless: readonly (readonly [operation: string, start: string, text: string, items: number])[] = [
  ['get_lines', '{"id":1}\n{"id":2}\n', ' ', 2],
  ['get_lines', '{"id":1}\n{"id":   2}\n', '{}\n', 1],
  ['get_texts', '\x1e{"id":1}\n', ' ', 0],
  ['get_words', 'data: 1\n\ndata: 2\n\n', 'x', 2],
  ['get_words', 'data: 1\n\n:2\n\n', 'data: 3\n', 1]
]
t.test('an item that has no end is left, and with it the connection', async (t) => {
  for (const [operation, start, text, items] of endless) {
    let isClosed = false
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': typeOf(operation) }).write(start)
      const more = () => response.write(text.repeat(1000), () => isClosed || setImmediate(more))
      more()
      response.on('close', () => {
        isClosed = true
      })
    }
    let read = 0
    const reading = async () => {
      for await (const _item of itemsOf(await bounded[operation]?.())) read++
    }
    const problems = [{ place: `body/${items}`, message: 'is longer than 10 characters' }]
    await t.rejects(reading(), { name: 'ResponseMismatch', problems }, operation)
    t.equal(read, items)
    await until(() => isClosed)
  }
})

t.test('an error of the connection is thrown as it is', async (t) => {
  const cut = (status: number, headers: Record<string, string>, start: string) => {
    respond = (_request, response) =>
      response.writeHead(status, headers).write(start, () => response.destroy())
  }
  cut(202, { ...ofText, 'content-length': '9' }, 'x')
  t.match(await outcomeOf(), { name: 'TypeError' })
  cut(200, { 'content-type': 'application/jsonl' }, '{"id":1}\n{')
  await t.rejects(Array.fromAsync(itemsOf(await broken['get_lines']?.())), { name: 'TypeError' })
  async function* failing() {
    yield bytes
    throw new Error('of a handler')
  }
  answer = { status: 206, body: failing() }
  await t.rejects(Array.fromAsync(itemsOf(await clients.inject['answers']?.())))
  const failed = new ReadableStream({ start: (controller) => controller.error(new Error('lost')) })
  const own = clientOf(contract, { fetch: async () => new Response(failed, { status: 299 }) })
  t.match(await outcomeOf('answers', own), { message: 'answers answered 299: status is not declared' })
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
  const lines = new Blob(['{"id":1}\n']).stream()
  const rows: readonly (readonly [path: string, body: NonNullable<RequestInit['body']>, type?: string])[] = [
    ['/json', '{"id":1}', json],
    ['/form', new URLSearchParams({ more: 'x' })],
    ['/bytes', bytes, 'application/octet-stream'],
    ['/lines', lines, 'application/jsonl']
  ]
  for (const [path, body, type] of rows) {
    const headers = type === undefined ? {} : { 'content-type': type }
    t.equal((await send(`http://localhost${path}`, { method: 'POST', body, headers })).status, 204, path)
  }
  answer = { status: 202, body: 'x' }
  t.equal(await (await send('/answers', {})).text(), 'x')
})

t.test('a fetch of an application decodes as the fetch of Node, and keeps the headers', async (t) => {
  const text = 'ä'.repeat(100_000)
  const encoded: Record<string, Buffer> = {
    '': Buffer.from(text),
    'X-Gzip': gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
    zstd: zstdCompressSync(text),
    'gzip, br': brotliCompressSync(gzipSync(text)),
    'other, gzip': gzipSync(text),
    gzip: Buffer.from(text)
  }
  const encoding = Fastify()
  t.teardown(() => encoding.close())
  encoding.get('/', (request, reply) => {
    const coding = String(request.headers['x-coding'])
    if (coding !== '') reply.header('content-encoding', coding)
    return encoded[coding]
  })
  const origin = await encoding.listen({ host: '127.0.0.1', port: 0 })
  const inject = injectFetch(encoding)
  const fetched = async (send: typeof inject, coding: string, method: string) => {
    const response = await send(origin, { method, headers: { 'x-coding': coding } })
    const { headers } = response
    return [headers.get('content-encoding'), headers.get('content-length'), await response.text()]
  }
  await t.rejects(fetched(inject, 'gzip', 'GET'), /incorrect header check/)
  delete encoded['gzip']
  for (const coding of Object.keys(encoded))
    for (const method of ['GET', 'HEAD'])
      t.strictSame(await fetched(inject, coding, method), await fetched(fetch, coding, method), coding)
  t.equal((await fetched(inject, 'gzip, br', 'GET')).at(-1), text)
})
