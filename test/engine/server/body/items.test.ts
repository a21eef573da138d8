/** Bodies of sequential media types, item by item, over real sockets. */
import { once } from 'node:events'
import t from 'tap'
import { sleep, until } from '../../../time.ts'
import { request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import {
  begin,
  bodies,
  chunk,
  chunked,
  events,
  gate,
  inChunks,
  lastChunk,
  lines,
  texts,
  trickle,
  typed
} from './streaming.ts'

t.setTimeout(900_000)

interface Request {
  readonly body: AsyncIterable<unknown> | undefined
}
const seen: { items: unknown[]; error?: unknown } = { items: [] }
const exact = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** Returns the items. */
async function read({ body }: Request): Promise<unknown> {
  Object.assign(seen, { items: [], error: undefined })
  if (body === undefined) return 'none'
  try {
    for await (const one of body) seen.items.push(JSON.parse(JSON.stringify(one, exact)))
  } catch (error) {
    seen.error = error
    throw error
  }
  return seen.items
}

const bodyLimit = 200_000
const { port, ask, log, handle } = await bodies(t, { fastify: { bodyLimit } })
handle(read)
const post = (body: string | Buffer, mediaType: string, path = '/items') =>
  request(`POST ${path}`, body, typed(mediaType))
const postChunks = (body: Buffer, mediaType: string, size: number, path = '/items') =>
  Buffer.from(chunked(path, mediaType) + inChunks(body, size), 'latin1')

const big = '9007199254740993'
const ids = (...values: readonly string[]) => values.map((id) => ({ id: `${id}n` }))

t.test('items are read in every framing, byte by byte as well as at once', async (t) => {
  type Row = [mediaType: string, body: string, items: unknown]
  const rows: Row[] = [
    [lines, `{"id":1}\n{"id":${big}}\n`, ids('1', big)],
    ['application/x-ndjson', '{"id":1}\r\n{"id":2}\r\n', ids('1', '2')],
    [lines, '\n\n{"id":1}\n \t\r\n\r\n{"id":2}\n\n', ids('1', '2')],
    [lines, '{"id":1,"name":"naïve 😀 €"}\n', [{ id: '1n', name: 'naïve 😀 €' }]],
    [lines, '{"id":1,"name":"\u2028"}\n', [{ id: '1n', name: '\u2028' }]],
    [texts, '\x1e{"a":\n1}\n\x1e\x1e[]\n\x1e5\n\x1e{}', [{ a: 1 }, [], 5, {}]],
    [texts, '\n\x1e\n{"a]":"\\"}\\\\",\n"b":[\n[1]\n]}\n \n\x1e\n5\n', [{ 'a]': '"}\\', b: [[1]] }, 5]],
    [
      events,
      `:hello\n\nevent: made\nid: a\nretry: 5\ndata: {"id":\ndata: ${big}}\n\ndata:{"id":2}\nid: \0\nretry: x\nother\n\n\n`,
      [{ data: { id: `${big}n` }, event: 'made', id: 'a', retry: 5 }, { data: { id: '2n' } }]
    ],
    [
      events,
      'data: {"id":1}\r\rdata: {"id":\rdata: 2}\r\n\r\ndata: {"id":\r\ndata: 3}\n\r',
      [{ data: { id: '1n' } }, { data: { id: '2n' } }, { data: { id: '3n' } }]
    ],
    [
      events,
      'retry: 3000\n\nid: 1\n\nevent: made\n\n:c\n\nevent: made\ndata: {"id":1}\n\nevent: gone\n\n',
      [{ data: { id: '1n' }, event: 'made' }]
    ],
    ...['data: {"id":2}\n', 'data: {"id":2}\r', 'data', 'data: {"id":2}\nid'].map(
      (cut): Row => [events, `data: {"id":1}\n\n${cut}`, [{ data: { id: '1n' } }]]
    ),
    [`${events}; of=text`, 'data: a: b\ndata\ndata:  c\n\nid: 5\n\ndata:\n\n', ['a: b\n\n c', '']],
    [`${events}; of=counts`, `data: ${big}\n\nid: a\n\n`, [{ data: `${big}n` }]],
    [
      `${events}; of=ids`,
      `id: ${big}\ndata: a\n\nid: 7\ndata: b\n\n`,
      [
        { data: 'a', id: `${big}n` },
        { data: 'b', id: '7n' }
      ]
    ],
    [`${events}; of=numbers`, `data: ${big}\n\ndata: 1.0\n\n`, [`${big}n`, '1n']],
    [`${events}; of=both`, 'data: 5\n\ndata: a\n\ndata: 50\n\n', [5, 'a', '50']]
  ]
  for (const [mediaType, body, value] of rows) {
    const name = `${mediaType} ${encodeURIComponent(body)}`
    const bytes = Buffer.from(body)
    t.strictSame((await ask(post(bytes, mediaType))).value, value, name)
    t.strictSame((await ask(postChunks(bytes, mediaType, 1))).value, value, `${name}, byte by byte`)
  }
})

t.test('an empty body is no items, also where a body is required', async (t) => {
  const missing = { status: 400, value: { code: 'missing-body' } }
  const rows: [name: string, sent: Buffer, answer: object][] = [
    ['no length', request('POST /items', undefined, typed(lines)), { status: 200, value: [] }],
    ['length 0', post('', lines), { status: 200, value: [] }],
    ['no chunks', postChunks(Buffer.alloc(0), lines, 1), { status: 200, value: [] }],
    ['no body and no media type', request('POST /items'), missing],
    ['no body and another media type', request('POST /items', undefined, typed('text/plain')), missing],
    ['an optional body that is not sent', request('POST /optional'), { status: 200, value: 'none' }]
  ]
  for (const [name, sent, answer] of rows) t.match(await ask(sent), answer, name)
})

t.test('a broken item throws a failure with its place at the iteration', async (t) => {
  const good = '{"id":1}\n'
  const noUtf8 = 'malformed-body: body/1 is not valid UTF-8'
  const noMark = 'malformed-body: the body begins with a byte order mark'
  const range = 'must be an integer from -9223372036854775808 to 9223372036854775807'
  const tooDeep = 'mismatch: body/0 is nested too deeply'
  const numbers = `${events}; of=numbers`
  const deep = `${'{"next":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
  /** Failures by body; the pointer of a mismatch is its place. */
  const rows: readonly (readonly [mediaType: string, failures: Readonly<Record<string, string>>])[] = [
    [lines, { [`${good.repeat(17)}{"id":1,"name":5}\n${good}`]: 'mismatch: body/17/name must be string' }],
    [lines, { '{"id":9223372036854775808}': `mismatch: body/0/id ${range}` }],
    [lines, { [`${good}{"id":\n`]: 'malformed-body: body/1 is not valid JSON: it ends too early' }],
    [lines, { [`${good}"\xff"`]: noUtf8, [`${good}"\xff"\n${good}`]: noUtf8 }],
    [lines, { [`\xef\xbb\xbf${good}`]: noMark }],
    [events, { 'data: {"id":1}\r\n\r\ndata: \xff\n\n': noUtf8, '\xef\xbb\xbfdata: {"id":1}\n\n': noMark }],
    [events, { 'data: {"id":1}\nevent: x\n\n': 'mismatch: body/0/event must be one of "made", "gone"' }],
    [texts, { '\x1e[]\n\x1e"\xff"\n\x1e[]\n': noUtf8 }],
    [texts, { '{}\n': 'malformed-body: body/0 does not begin with a record separator' }],
    [texts, { '\x1e1\n\x1e12': 'malformed-body: body/1 is not followed by a line feed' }],
    [numbers, { 'data: x\n\n': 'malformed-body: body/0 is not valid JSON: unexpected character x' }],
    [numbers, { [`data: ${big}.5\n\n`]: 'mismatch: body/0 must be integer' }],
    [
      `${events}; of=both`,
      { 'data: long\n\n': 'mismatch: body/0 must match at least one of the allowed schemas' }
    ],
    [`${events}; of=trees`, { [`data: ${deep}\n\n`]: tooDeep }],
    ['application/x-ndjson; of=trees', { [deep]: tooDeep }]
  ]
  for (const [mediaType, failures] of rows)
    for (const [body, failure] of Object.entries(failures)) {
      const answer = await ask(post(Buffer.from(body, 'latin1'), mediaType))
      const { code, message, problems } = Object(seen.error).failure
      const name = `${mediaType} ${encodeURIComponent(body.slice(0, 40))}`
      t.equal(`${code}: ${message}`, failure, name)
      t.match(answer, { status: 400, value: { code, message } }, name)
      const [place = '', index] = /body\/(\d+)(?:\/\w+)?/.exec(failure) ?? []
      if (/(?:string|required|integer|one of .*)$/.test(failure))
        t.match(problems, [{ place, pointer: place.slice('body'.length) }], name)
      t.equal(seen.items.length, Number(index ?? 0), name)
    }
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 40),
    [],
    'no failure is an error of the service'
  )
})

t.test('BODY_LIMIT bounds one item, x-body-limit the whole', async (t) => {
  const large = `{"id":1,"name":"${'x'.repeat(50_000)}"}\n`
  const text = `${events}; of=text`
  t.equal((await ask(post(large.repeat(30), lines))).status, 200, '1.5 MB of items')
  t.equal((await ask(post(`data: ${'x'.repeat(50_000)}\r\r`.repeat(9), text))).status, 200, 'CR')
  const tooLarge = `{"id":1,"name":"${'x'.repeat(bodyLimit)}"}\n`
  const rows: [path: string, mediaType: string, body: string, message: string][] = [
    ['/items', lines, large + tooLarge, `body/1 is larger than ${bodyLimit} bytes`],
    ['/items', texts, `\x1e${tooLarge}`, `body/0 is larger than ${bodyLimit} bytes`],
    ['/items', text, `data: ${'x'.repeat(100_000)}\n`.repeat(3), `body/0 is larger than ${bodyLimit} bytes`],
    ['/items', lines, `${'{}'.padEnd(2 * bodyLimit)}\n`, `body/0 is larger than ${bodyLimit} bytes`],
    ['/bounded', lines, '1\n'.repeat(2501), 'the body is larger than 5000 bytes']
  ]
  for (const [path, mediaType, body, message] of rows)
    for (const sent of [post(body, mediaType, path), postChunks(Buffer.from(body), mediaType, 1000, path)]) {
      const { responses } = await exchange(port, sent.toString('latin1'), { wait: 5000, enough: 1 })
      t.match(responses, [{ status: 413, body: new RegExp(message) }], message)
    }
})

t.test('an item is read when the handler asks for it, not before', async (t) => {
  const { app, port, handle } = await bodies(t)
  const { wait, open } = gate()
  handle(async ({ body }: Request) => {
    seen.items = []
    for await (const one of body ?? []) {
      seen.items.push(one)
      await wait()
    }
  })
  const connected = once(app.server, 'connection')
  const line = `{"id":1,"name":"${'x'.repeat(1000)}"}\n`
  begin(t, port, postChunks(Buffer.from(line.repeat(2000)), lines, 10_000))
  await until(() => seen.items.length === 1)
  await sleep(200)
  t.equal(seen.items.length, 1)
  const [server] = await connected
  t.ok(server.bytesRead < 1_000_000, `${server.bytesRead}`)
  open()
  await until(() => seen.items.length === 2)
})

t.test('an item reaches the handler before the next one is sent', async (t) => {
  for (const [mediaType, first, second] of [
    [lines, '{"id":1}\n', '{"id":2}\n'],
    ['application/json-seq', '\x1e{"id":"\\"[",\n"a":[]}\n', '\x1e{"id":2}\n'],
    ['application/json-seq', '\x1e12\n', '\x1e3\n'],
    ['text/event-stream', 'data: {"id":1}\n\n', 'data: {"id":2}\n\n'],
    ['text/event-stream', 'data: {"id":1}\r\r', 'data: {"id":2}\r\r']
  ] as const) {
    seen.items = []
    const { responses } = await exchange(port, '', {
      wait: 5000,
      enough: 1,
      talk: async (socket) => {
        socket.write(chunked('/items', mediaType) + chunk(first))
        await until(() => seen.items.length === 1)
        socket.write(chunk(second) + lastChunk)
      }
    })
    t.equal(JSON.parse(String(responses[0]?.body)).length, 2, mediaType)
  }
})

t.test('a text that follows a whole one without a separator is refused', async (t) => {
  const sent = postChunks(Buffer.from('\x1e{}\n\n{}\n'), texts, 1)
  const message = 'body/1 does not begin with a record separator'
  t.match(await ask(sent), { status: 400, value: { code: 'malformed-body', message } })
  t.strictSame(seen.items, [{}])
})

t.test('a failure that the handler wraps is an error of the service', async (t) => {
  const { ask, log, handle } = await bodies(t)
  handle((request: Request) =>
    read(request).catch((cause) => {
      throw new Error('the handler wraps it', { cause })
    })
  )
  t.match(await ask(post('{}', lines)), { status: 500, value: { code: 'internal' } })
  t.equal(log.filter(({ level }) => Number(level) >= 50).length, 1)
})

t.test('REQUEST_TIMEOUT bounds the time from the first byte of an item to its last', async (t) => {
  const { port, handle } = await bodies(t, { fastify: { requestTimeout: 1500 } })
  handle(read)
  const rows: [name: string, mediaType: string, begun: string, piece: string, items: number][] = [
    ['a line after another', lines, '{"id":1}\n{"id":2,"name":"', 'x', 1],
    ['a JSON text', 'application/json-seq', '\x1e["', 'x', 0],
    ['the lines of an event', 'text/event-stream; of=text', 'data: a\n', 'data: x\n', 0]
  ]
  for (const [name, mediaType, begun, piece, items] of rows) {
    const { responses, ending } = await exchange(port, '', {
      wait: 20_000,
      talk: async (socket) => {
        socket.write(chunked('/items', mediaType) + chunk(begun))
        await trickle(socket, piece, 400)
      }
    })
    const body = new RegExp(`body/${items} has not arrived whole in 1500 ms`)
    t.match([responses, ending], [[{ status: 408, body }], 'closed'], name)
    t.equal(seen.items.length, items, name)
  }
})

t.test('an item that was given before REQUEST_TIMEOUT does not count against the next one', async (t) => {
  const { port, handle } = await bodies(t, { fastify: { requestTimeout: 1500 } })
  handle(read)
  const { responses } = await exchange(port, '', {
    wait: 20_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(chunked('/items', `${events}; of=text`))
      // Each chunk ends an event and begins the next one, which is held until then.
      await trickle(socket, 'data: a\n\ndata: b', 60)
      socket.write(lastChunk)
    }
  })
  t.match(responses, [{ status: 200 }])
})
