/** Bodies other than JSON: texts, bytes and streams, with their lengths, items in their framing, large ones in slices. */
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import t from 'tap'
import { paced } from '../../../../src/engine/server/responses/paced.ts'
import { sleep, until } from '../../../time.ts'
import { headOf, request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import { answers, sized } from './answers.ts'
import { streams } from './streams.ts'

t.setTimeout(900_000)

const large = 'ä'.repeat(1_000_000)
const { log, port, answer, get } = await answers(t, {
  errorBody: ({ code }) => ({ code }),
  extend: (app) => {
    app.get('/beside', async () => Buffer.from(large))
    app.get('/changed', { onSend: async () => large }, async () => 'small')
  }
})
const fetched = (name: string) => fetch(`http://127.0.0.1:${port}/${name}`)
const mismatch = { status: 500, value: { code: 'response-mismatch' } }

async function* pieces(): AsyncGenerator<string> {
  yield 'data: 1\n\n'
  yield 'data: 2\n\n'
}

t.test('a body can be a text, bytes or a stream of bytes', async (t) => {
  const events = 'data: 1\n\ndata: 2\n\n'
  const rows: [name: string, body: unknown, want: string, type: string][] = [
    ['texts', '', '', 'text/plain; charset=utf-8'],
    ['bytes', new Uint8Array([97, 98, 99]).subarray(1), 'bc', 'application/octet-stream'],
    ['bytes', Readable.from([Buffer.from('a'), Buffer.from('b')]), 'ab', 'application/octet-stream'],
    ['bytes', pieces(), events, 'application/octet-stream'],
    ['bytes', new Blob(['web']).stream(), 'web', 'application/octet-stream'],
    ['events', pieces(), events, 'text/event-stream; charset=utf-8'],
    ['any', Buffer.from('a'), 'a', 'application/octet-stream'],
    ['any', { a: 1n }, '{"a":1}', 'application/json']
  ]
  for (const [name, body, want, type] of rows) {
    answer(() => ({ status: 200, body }))
    const response = await fetched(name)
    const got = [response.status, await response.text(), response.headers.get('content-type')]
    t.same(got, [200, want, type], `${name} ${typeof body}`)
  }
  answer(() => ({ status: 200, body: Buffer.of(1), headers: { 'content-type': 'image/png' } }))
  const { status, headers } = await get('images')
  t.same([status, headers.get('content-type')], [200, 'image/png'], 'a range is what the handler says')
  answer(() => ({ status: 200, body: Buffer.of(1), headers: { 'content-type': 'text/plain' } }))
  t.match(await get('images'), mismatch)
})

t.test('a stream that fails before its first byte is a 500, later it ends the connection', async (t) => {
  const destroyed = new Readable({
    read() {
      this.destroy(new Error('secret'))
    }
  })
  answer(() => ({ status: 200, body: destroyed }))
  const early = await get('bytes')
  t.match([early.status, early.value], [500, { code: 'internal' }])
  const failing = async function* () {
    yield 'begun'
    await sleep(20)
    throw new Error('secret')
  }
  for (const body of [failing(), Readable.from(failing())]) {
    answer(() => ({ status: 200, body }))
    const { text, ending } = await exchange(port, String(request('GET /bytes')), { wait: 3000 }).catch(
      (error: Error) => ({ text: error.message, ending: 'cut' })
    )
    t.match(text, /begun/)
    t.notMatch(text, /secret|\r\n0\r\n\r\n$/, 'it does not look whole')
    t.ok(['cut', 'closed', 'reset'].includes(ending))
  }
})

t.test('a stream of objects is a 500, and its chunks stay inside', async (t) => {
  for (const body of [Readable.from([{ not: 'bytes' }]), Readable.from([1])]) {
    answer(() => ({ status: 200, body }))
    t.strictSame((await get('bytes')).value, { code: 'response-mismatch' })
  }
})

t.test('a stream that is not sent, or whose client leaves, is destroyed', async (t) => {
  const made: Readable[] = []
  const waiting = (first?: string) => {
    const stream = new Readable({ read() {} })
    if (first !== undefined) stream.push(first)
    made.push(stream)
    return { status: 200, body: stream }
  }
  answer(() => waiting())
  t.match(await get('strict'), mismatch)
  t.match(await headOf(port, 'bytes'), /^HTTP\/1.1 200/)
  answer(() => waiting('begun'))
  const client = connect(port, '127.0.0.1', () => client.write(request('GET /bytes')))
  client.once('data', () => client.resetAndDestroy())
  await until(() => made.length === 3 && made.every(({ destroyed }) => destroyed))
  let ended = false
  answer(({ signal }) => ({
    status: 200,
    body: (async function* () {
      yield 'begun'
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended = true
    })()
  }))
  await t.rejects(exchange(port, String(request('GET /bytes')), { wait: 300 }), /no whole body/)
  await until(() => ended)
  let destroyed = 0
  const destroy = (_error: unknown, done: (error: Error) => void) => {
    destroyed++
    done(new Error('it does not close'))
  }
  answer(() => ({ status: 200, body: new Readable({ destroy }) }))
  t.match(await get('strict'), mismatch)
  t.match(await headOf(port, 'bytes'), /^HTTP\/1.1 200/)
  answer(() => ({ status: 200, body: { id: 1, name: 'x' } }))
  t.same([(await get('strict')).status, destroyed], [200, 2], 'a stream that fails meanwhile ends nothing')
})

t.test('a body has the length that is given or known (RFC 9110, section 8.6), also for HEAD', async (t) => {
  const lengths: readonly [name: string, made: () => object, length: number][] = [
    ['sized', () => sized(Readable.from([Buffer.from('ab'), 'ä']), 4), 4],
    ['bytes', () => sized(pieces(), '18'), 18],
    ['sized', () => sized(Buffer.from('abc'), 3), 3],
    ['sized', () => ({ status: 201, body: { a: 1 } }), 7],
    ['sized', () => ({ status: 201, body: 'ä', headers: { 'content-length': '4' } }), 4]
  ]
  for (const [name, made, length] of lengths) {
    answer(made)
    const got = await fetched(name)
    t.equal(got.headers.get('content-length'), String(length), String(made))
    t.notOk(got.headers.has('transfer-encoding'))
    t.equal((await got.arrayBuffer()).byteLength, length)
    t.match(await headOf(port, name), `content-length: ${length}\r\n`, 'of HEAD')
  }
  answer(() => sized(undefined, 5))
  t.match(await headOf(port, 'sized'), 'content-length: 5\r\n', 'HEAD has a length without a body')
  for (const made of [{ status: 200 }, { status: 201, body: [1, 2] }, { status: 202 }]) {
    answer(() => made)
    t.equal((await fetched('connected')).status, made.status, 'no headers of the connection are asked for')
    t.match(await headOf(port, 'connected'), `HTTP/1.1 ${made.status}`)
  }
  answer(() => ({ status: 201, body: [1, 2], headers: { 'Content-Length': 4 } }))
  t.match(await headOf(port, 'connected'), 'content-length: 4\r\n', 'a length of what HEAD leaves out')
  for (const [length, sent] of [
    [3, 'ab'],
    [5, 'abcd']
  ] as const) {
    answer(() => sized(Readable.from(['ab', 'cd']), length))
    const answered = exchange(port, `${request('GET /sized')}${request('GET /sized')}`, { wait: 10_000 })
    await t.rejects(answered, { message: `no whole body: ${sent}` }, 'nothing surplus is sent')
  }
})

t.test('HEAD has the headers of GET and no body', async (t) => {
  answer(() => ({ status: 200, body: { id: 1, name: 'x' } }))
  t.match(
    await headOf(port, 'strict'),
    /^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*content-length: 19\r\n(?:.+\r\n)*\r\n$/
  )
  answer(() => ({ status: 200, body: { id: 'wrong' } }))
  t.match(await headOf(port, 'strict'), /^HTTP\/1\.1 500/)
  answer(() => ({ status: 204 }))
  t.notMatch(await headOf(port, 'nothing'), /content-length|content-type/, 'RFC 9110, 8.6')
})

const items = await streams(t)

t.test('each format writes its items', async (t) => {
  const exact = { event: 'a', id: 7n, retry: 0, data: { id: 1 } }
  const rows: readonly (readonly [path: string, items: readonly unknown[], body: string])[] = [
    ['texts', [{ id: 1 }, { id: 2 }], '\x1e{"id":1}\n\x1e{"id":2}\n'],
    ['events', [exact], 'event: a\nid: 7\nretry: 0\ndata: {"id":1}\n\n'],
    ['events', [{ event: '', id: null, retry: 10n }], 'event: \nretry: 10\n\n'],
    ['words', [{ data: 'a\nb\r\nc\rd' }, { data: '' }], 'data: a\ndata: b\ndata: c\ndata: d\n\ndata: \n\n'],
    ['words', [{ data: '\n' }, { data: ' x' }], 'data: \ndata: \n\ndata:  x\n\n'],
    ['words', [{ event: 'a', data: null }, {}], 'event: a\n\n\n'],
    ['free', [1n, null, 'a', [{ b: 2n }]], '1\nnull\n"a"\n[{"b":2}]\n']
  ]
  for (const [path, list, body] of rows) {
    items.answer(() => list)
    const client = await items.open(path)
    await until(client.isWhole)
    t.equal(client.body(), body, `${path} ${body}`)
  }
})

t.test('an item that is not as declared is a 500, and its place is logged', async (t) => {
  const rows: readonly (readonly [path: string, item: unknown, reason: string])[] = [
    ['lines', undefined, 'body/0 is undefined'],
    ['free', () => 1, 'body/0 is function'],
    ['free', { toJSON: () => Object(undefined).none.some }, 'Cannot read properties'],
    ['free', Promise.resolve(1), 'body/0 is a promise: await is missing'],
    ['events', { data: { id: 'one' } }, 'body/0/data/id must be integer'],
    ['events', { event: 'a\rb' }, 'body/0/event must be one line of text'],
    ['events', { event: {} }, 'body/0/event must be one line of text'],
    ['events', { id: 'a\n' }, 'body/0/id must be one line of text without NUL'],
    ['events', { id: 'a\0' }, 'body/0/id must be one line of text without NUL'],
    ['events', { retry: -1 }, 'body/0/retry must be a whole number of milliseconds'],
    ['events', { retry: 1.5 }, 'body/0/retry must be a whole number of milliseconds'],
    ['events', { retry: '' }, 'body/0/retry must be a whole number of milliseconds'],
    ['words', { data: 1 }, 'body/0/data must be string or null'],
    ['data', 1, 'body/0 must be string']
  ]
  const refused = async (path: string, body: unknown, reason: string) => {
    items.answer(() => body)
    t.match(await items.ask(request(`GET /${path}`)), mismatch, reason)
    const { level, msg } = Object(items.log.at(-1))
    t.equal(level, 50)
    t.match(msg, `${path} answered 200: ${reason}`)
    t.match(msg, `handlers/${path}.ts`)
  }
  for (const [path, item, reason] of rows) await refused(path, [item], reason)
  for (const body of ['text', new Uint8Array(2), { id: 1 }, null])
    await refused('lines', body, 'the body must be an iterable of items')
})

t.test('of a list and a sequence the client chooses', async (t) => {
  items.answer(() => [{ id: 1 }])
  const rows = [
    ['application/json', '[{"id":1}]'],
    ['application/x-jsonlines', '{"id":1}\n']
  ] as const
  for (const [type, body] of rows) {
    const client = await items.open('either', { headers: `Accept: ${type}\r\n` })
    await until(() => client.text().includes(body))
    t.match(client.text().toLowerCase(), `content-type: ${type}`)
  }
  const headers = 'Accept: application/json;q=1, */*;q=0.1\r\n'
  items.answer(() => new Set([{ id: 1 }]).values())
  const client = await items.open('either', { headers })
  await until(client.isWhole)
  t.equal(client.body(), '{"id":1}\n', 'an iterable that is no list')
})

const slice = 65_536
const replyTo = (method: string) =>
  ({ request: { method, raw: {} }, header: () => undefined }) as unknown as FastifyReply

t.test('16 slices of all large responses are sent in one event-loop turn', async (t) => {
  let sent = 0
  const sending = Array.from({ length: 40 }, async () => {
    for await (const chunk of paced(Buffer.alloc(2 * slice), replyTo('GET'))) {
      t.equal(Object(chunk).length, slice)
      sent++
    }
  })
  let most = 0
  while (sent < 80) {
    const before = sent
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, sent - before)
  }
  await Promise.all(sending)
  t.ok(most <= 16, String(most))
  for (const payload of ['x'.repeat(slice), Buffer.alloc(slice)])
    t.equal(paced(payload, replyTo('GET')), payload, 'a small payload is unchanged')
  const unsent = Buffer.alloc(slice + 1)
  t.equal(paced(unsent, replyTo('HEAD')), unsent)
})

t.test('a large response of an operation, or of a route beside it, is whole and has a length', async (t) => {
  answer(() => ({ status: 200, body: large }))
  for (const name of ['any', 'beside', 'changed']) {
    const { headers, body } = await get(name)
    t.equal(headers.get('content-length'), '2000000', name)
    t.ok(Buffer.from(body, 'latin1').toString() === large, name)
  }
  t.match(await headOf(port, 'any'), /content-length: 2000000\r\n/, 'and HEAD has the same length')
})

t.test('a large response whose connection ends before it is no defect', async (t) => {
  const before = log.length
  answer(async () => ({ status: 200, body: large }))
  // Node detaches the connection of a CONNECT: the response ends without a client that has left.
  const both = `${request('GET /any')}CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`
  t.strictSame((await exchange(port, both)).responses, [])
  t.equal((await get('any')).status, 200)
  t.strictSame(
    log.slice(before).filter(({ level }) => Number(level) >= 50),
    []
  )
})
