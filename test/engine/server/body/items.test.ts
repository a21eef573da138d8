/** Bodies of sequential media types, item by item, over real sockets. */
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { parse } from 'yaml'
import { sleep, until } from '../../../time.ts'
import { type Json, request, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const lines = 'application/jsonl'
const ok = 'responses: { 200: { description: ok, content: { application/json: {} } } }'
const reads = ['first', 'throw', 'ignore', 'slow', 'mapped'].map(
  (name) =>
    `  /${name}: { post: { operationId: ${name}, requestBody: { content: { ${lines}: { itemSchema: *item } } }, ${ok} } }`
)
const document: Json = parse(`
paths:
  /read:
    post:
      operationId: read
      requestBody:
        required: true
        content:
          ${lines}:
            itemSchema: &item
              type: object
              required: [id]
              properties: { id: &int64 { type: integer, format: int64 }, name: { type: string, maxLength: 100000 } }
          application/x-ndjson: { schema: { type: array, items: *item } }
          application/x-jsonlines: { schema: *item }
          application/json-seq: { itemSchema: { type: [object, number, array] } }
          text/event-stream:
            itemSchema:
              type: object
              required: [data]
              properties:
                data: { type: object, required: [id], properties: { id: *int64 } }
                event: { enum: [made, gone] }
                id: { type: string }
                retry: { type: integer }
          text/event-stream; of=text: { itemSchema: { type: string } }
          text/event-stream; of=numbers: { itemSchema: *int64 }
          text/event-stream; of=both: { itemSchema: { anyOf: [{ type: string, maxLength: 3 }, { type: integer, maximum: 9 }] } }
          text/event-stream; of=counts: { itemSchema: { type: object, properties: { data: *int64, id: { type: string } } } }
          text/event-stream; of=ids: { itemSchema: { type: object, properties: { data: { type: string }, id: *int64 } } }
          application/x-ndjson; of=trees: { itemSchema: &tree { $ref: '#/components/schemas/Tree' } }
          text/event-stream; of=trees: { itemSchema: { type: object, properties: { data: *tree } } }
          text/plain: {}
      ${ok}
  /optional: { post: { operationId: optional, requestBody: { content: { ${lines}: { itemSchema: *item } } }, ${ok} } }
  /bounded: { post: { operationId: bounded, requestBody: { content: { ${lines}: { itemSchema: {}, x-body-limit: 5000 } } }, ${ok} } }
${reads.join('\n')}
components: { schemas: { Tree: { type: object, properties: { next: *tree } } } }
`)

interface Request {
  readonly body: AsyncIterable<unknown> | undefined
  readonly signal: AbortSignal
}
const seen: { items: unknown[]; error?: unknown; signal?: AbortSignal; go: () => void } = {
  items: [],
  go: () => undefined
}
const exact = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

async function read({ body, signal }: Request) {
  Object.assign(seen, { items: [], error: undefined, signal })
  if (body === undefined) return { status: 200, body: 'none' }
  try {
    for await (const one of body) seen.items.push(JSON.parse(JSON.stringify(one, exact)))
  } catch (error) {
    seen.error = error
    throw error
  }
  return { status: 200, body: seen.items }
}
const handlers = {
  read,
  optional: read,
  bounded: read,
  mapped: async ({ body }: Request) => {
    try {
      for await (const _ of body ?? []);
    } catch (error) {
      throw new Error('the handler wraps it', { cause: error })
    }
    return { status: 200, body: 'read' }
  },
  first: async ({ body }: Request) => {
    for await (const one of body ?? []) return { status: 200, body: JSON.stringify(one, exact) }
    return { status: 200, body: 'none' }
  },
  throw: async ({ body }: Request) => {
    for await (const _ of body ?? []) throw new Error('the handler fails')
    return { status: 200, body: 'none' }
  },
  ignore: () => ({ status: 200, body: 'ignored' }),
  slow: async ({ body, signal }: Request) => {
    Object.assign(seen, { items: [], signal })
    for await (const one of body ?? []) {
      seen.items.push(one)
      await new Promise<void>((resolve) => {
        seen.go = resolve
      })
    }
    return { status: 200, body: seen.items.length }
  }
}
const type = (mediaType: string) => ({ 'Content-Type': mediaType })
const inChunks = (mediaType: string) => ({
  ...type(mediaType),
  'Content-Length': undefined,
  'Transfer-Encoding': 'chunked'
})
const chunksOf = (bytes: Buffer, size: number) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
      const part = bytes.subarray(index * size, (index + 1) * size)
      return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
    }).concat(Buffer.from('0\r\n\r\n'))
  )
const bodyLimit = 200_000
const start = (t: Parameters<typeof serve>[0], requestTimeout = 60_000) =>
  serve(t, document, { handlers, fastify: { requestTimeout, bodyLimit } })
const { port, ask, log } = await start(t)

const big = '9007199254740993'
const ids = (...values: readonly string[]) => values.map((id) => ({ id: `${id}n` }))

t.test('items are read in every framing, byte by byte as well as at once', async (t) => {
  const ndjson = 'application/x-ndjson'
  const texts = 'application/json-seq'
  const events = 'text/event-stream'
  type Row = [mediaType: string, body: string, items: unknown]
  const rows: Row[] = [
    [lines, `{"id":1}\n{"id":${big}}\n`, ids('1', big)],
    [ndjson, '{"id":1}\r\n{"id":2}\r\n', ids('1', '2')],
    ['application/x-jsonlines', '{"id":1}\n{"id":2}', ids('1', '2')],
    [lines, '\n\n{"id":1}\n \t\r\n\r\n{"id":2}\n\n', ids('1', '2')],
    [lines, '\n', []],
    [`${lines}; charset=utf-8`, '{"id":1}', ids('1')],
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
    ...[
      'data: {"id":2}',
      'data: {"id":2}\n',
      'data: {"id":2}\r',
      'data: {"id',
      'data',
      'id: 1\n',
      ':',
      'data: {"id":2}\nid'
    ].map((cut): Row => [events, `data: {"id":1}\n\n${cut}`, [{ data: { id: '1n' } }]]),
    [events, 'data: {"id":2}\n', []],
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
    t.strictSame((await ask(request('POST /read', bytes, type(mediaType)))).value, value, name)
    const whole = Buffer.concat([request('POST /read', '', inChunks(mediaType)), chunksOf(bytes, 1)])
    t.strictSame((await ask(whole)).value, value, `${name}, byte by byte`)
  }
})

t.test('an empty body is no items, also where a body is required', async (t) => {
  const rows: [name: string, sent: Buffer, status: number, value: unknown][] = [
    ['no length', request('POST /read', undefined, type(lines)), 200, []],
    ['length 0', request('POST /read', '', type(lines)), 200, []],
    [
      'no chunks',
      Buffer.concat([request('POST /read', '', inChunks(lines)), Buffer.from('0\r\n\r\n')]),
      200,
      []
    ],
    ['optional', request('POST /optional', '', type(lines)), 200, []],
    ['no body and no media type', request('POST /read'), 400, { code: 'missing-body' }],
    [
      'no body and another media type',
      request('POST /read', undefined, type('text/plain')),
      400,
      { code: 'missing-body' }
    ],
    ['an optional body that is not sent', request('POST /optional'), 200, 'none']
  ]
  for (const [name, sent, status, value] of rows) t.match(await ask(sent), { status, value }, name)
})

t.test('a broken item throws a failure with its place at the iteration', async (t) => {
  const good = '{"id":1}\n'
  const events = 'text/event-stream'
  const texts = 'application/json-seq'
  const noUtf8 = 'malformed-body: body/1 is not valid UTF-8'
  const noMark = 'malformed-body: the body begins with a byte order mark'
  const range = 'must be an integer from -9223372036854775808 to 9223372036854775807'
  const tooDeep = 'mismatch: body/0 is nested too deeply'
  const deep = `${'{"next":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
  type Row = [mediaType: string, body: string, failure: string, read: number, pointer?: string]
  const rows: Row[] = [
    [
      lines,
      `${good.repeat(17)}{"id":1,"name":5}\n${good}`,
      'mismatch: body/17/name must be string',
      17,
      '/17/name'
    ],
    [lines, `${good}\n\n{}`, 'mismatch: body/1/id is required', 1, '/1/id'],
    [lines, '{"id":9223372036854775808}', `mismatch: body/0/id ${range}`, 0, '/0/id'],
    [lines, `${good}{"id":\n`, 'malformed-body: body/1 is not valid JSON: it ends too early', 1, '/1'],
    [lines, `${good}"\xff"`, noUtf8, 1],
    [lines, `${good}"\xff"\n${good}`, noUtf8, 1],
    [events, 'data: {"id":1}\r\n\r\ndata: \xff\n\n', noUtf8, 1],
    [texts, '\x1e[]\n\x1e"\xff"\n\x1e[]\n', noUtf8, 1],
    [lines, `\xef\xbb\xbf${good}`, noMark, 0],
    [events, '\xef\xbb\xbfdata: {"id":1}\n\n', noMark, 0],
    [texts, '{}\n', 'malformed-body: body/0 does not begin with a record separator', 0],
    [texts, '\x1e1\n\x1e12', 'malformed-body: body/1 is not followed by a line feed', 1],
    [
      events,
      'data: {"id":1}\nevent: other\n\n',
      'mismatch: body/0/event must be one of "made", "gone"',
      0,
      '/0/event'
    ],
    [
      `${events}; of=numbers`,
      'data: x\n\n',
      'malformed-body: body/0 is not valid JSON: unexpected character x',
      0
    ],
    [
      `${events}; of=both`,
      'data: long\n\n',
      'mismatch: body/0 must match at least one of the allowed schemas',
      0
    ],
    [`${events}; of=counts`, `data: ${big}.5\n\n`, 'mismatch: body/0/data must be integer', 0, '/0/data'],
    [`${events}; of=numbers`, `data: ${big}.5\n\n`, 'mismatch: body/0 must be integer', 0],
    [`${events}; of=trees`, `data: ${deep}\n\n`, tooDeep, 0],
    ['application/x-ndjson; of=trees', deep, tooDeep, 0]
  ]
  for (const [mediaType, body, failure, read, pointer] of rows) {
    const answer = await ask(request('POST /read', Buffer.from(body, 'latin1'), type(mediaType)))
    const { code, message, problems } = Object(seen.error).failure
    const name = `${mediaType} ${encodeURIComponent(body.slice(0, 40))}`
    t.equal(`${code}: ${message}`, failure, name)
    t.match(answer, { status: 400, value: { code, message } }, name)
    if (pointer !== undefined) t.match(problems, [{ place: `body${pointer}`, pointer }], name)
    t.equal(seen.items.length, read, name)
  }
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 40),
    [],
    'no failure is an error of the service'
  )
})

t.test('BODY_LIMIT bounds one item, x-body-limit the whole', async (t) => {
  const large = `{"id":1,"name":"${'x'.repeat(50_000)}"}\n`
  t.match((await ask(request('POST /read', large.repeat(30), type(lines)))).status, 200, '1.5 MB of items')
  const events = `data: ${'x'.repeat(50_000)}\r\r`.repeat(9)
  t.match((await ask(request('POST /read', events, type('text/event-stream; of=text')))).status, 200, 'CR')
  const tooLarge = `{"id":1,"name":"${'x'.repeat(bodyLimit)}"}\n`
  const rows: [path: string, mediaType: string, body: string, message: string][] = [
    ['/read', lines, large + tooLarge, `body/1 is larger than ${bodyLimit} bytes`],
    ['/read', 'application/json-seq', `\x1e${tooLarge}`, `body/0 is larger than ${bodyLimit} bytes`],
    [
      '/read',
      'text/event-stream; of=text',
      `data: ${'x'.repeat(100_000)}\n`.repeat(3),
      `body/0 is larger than ${bodyLimit} bytes`
    ],
    ['/read', lines, `${'{}'.padEnd(2 * bodyLimit)}\n`, `body/0 is larger than ${bodyLimit} bytes`],
    [
      '/read',
      'text/event-stream; of=text',
      `data: a\n\nid: ${'€'.repeat(bodyLimit / 3)}\n\n`,
      `body/1 is larger than ${bodyLimit} bytes`
    ],
    ['/bounded', lines, '1\n'.repeat(2501), 'the body is larger than 5000 bytes']
  ]
  for (const [path, mediaType, body, message] of rows)
    for (const sent of [
      request(`POST ${path}`, body, type(mediaType)),
      Buffer.concat([request(`POST ${path}`, '', inChunks(mediaType)), chunksOf(Buffer.from(body), 1000)])
    ]) {
      const { responses } = await exchange(port, sent.toString('latin1'), { wait: 5000, enough: 1 })
      t.match(responses, [{ status: 413, body: new RegExp(message) }], message)
    }
})

t.test('a handler that stops early leaves a sound connection or a closed one', async (t) => {
  const smuggled =
    'POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Type: application/jsonl\r\nContent-Length: 3\r\n\r\n{}\n'
  const next = String(request('POST /read', '{"id":7}', type(lines)))
  for (const path of ['/first', '/throw', '/ignore'])
    for (const content of [`{"id":1}\n${smuggled}`, `{"id":1}\n${smuggled.repeat(3000)}`]) {
      const bytes = Buffer.from(content)
      for (const sent of [
        request(`POST ${path}`, bytes, type(lines)),
        Buffer.concat([request(`POST ${path}`, '', inChunks(lines)), chunksOf(bytes, 40_000)])
      ]) {
        const { responses, ending } = await exchange(port, `${sent}${next}`, { wait: 5000, enough: 2 })
        const [first, ...others] = responses
        t.equal(first?.status, path === '/throw' ? 500 : 200)
        const isClosed = first?.headers.get('connection') === 'close'
        t.equal(ending, isClosed ? 'closed' : 'open')
        t.strictSame(
          others.map(({ body }) => body),
          isClosed ? [] : ['[{"id":"7n"}]']
        )
      }
    }
})

t.test('the next request of the connection is served after all items', async (t) => {
  const sent = Buffer.concat([
    request('POST /read', '', inChunks(lines)),
    chunksOf(Buffer.from('{"id":1}\n'.repeat(9)), 7)
  ])
  const { responses, ending } = await exchange(port, `${sent}${sent}`, { wait: 5000, enough: 2 })
  t.strictSame([responses.map(({ status }) => status), ending], [[200, 200], 'open'])
})

t.test('an item is read when the handler asks for it, not before', async (t) => {
  const { app, port } = await start(t)
  let server = { bytesRead: 0 }
  app.server.once('connection', (socket) => {
    server = socket
  })
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  const line = `{"id":1,"name":"${'x'.repeat(1000)}"}\n`
  client.write(`${request('POST /slow', '', inChunks(lines))}`)
  client.write(chunksOf(Buffer.from(line.repeat(2000)), 10_000))
  await until(() => seen.items.length === 1)
  await sleep(200)
  t.equal(seen.items.length, 1)
  t.ok(server.bytesRead < 1_000_000, `${server.bytesRead}`)
  seen.go()
  await until(() => seen.items.length === 2)
})

t.test('an item reaches the handler before the next one is sent', async (t) => {
  for (const [mediaType, first, second] of [
    [lines, '{"id":1}\n', '{"id":2}\n'],
    ['application/x-ndjson', '{"id":1}\r\n', '{"id":2}\r\n'],
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
        socket.write(request('POST /read', '', inChunks(mediaType)))
        socket.write(chunksOf(Buffer.from(first), 100).subarray(0, -5))
        await until(() => seen.items.length === 1)
        socket.write(chunksOf(Buffer.from(second), 100))
      }
    })
    t.equal(JSON.parse(String(responses[0]?.body)).length, 2, mediaType)
  }
})

t.test('a text that follows a whole one without a separator is refused', async (t) => {
  const pieces = chunksOf(Buffer.from('\x1e{}\n\n{}\n'), 1)
  const sent = Buffer.concat([request('POST /read', '', inChunks('application/json-seq')), pieces])
  const message = 'body/1 does not begin with a record separator'
  t.match(await ask(sent), { status: 400, value: { code: 'malformed-body', message } })
  t.strictSame(seen.items, [{}])
})

t.test('a client that leaves ends the iteration with a failure', async (t) => {
  Object.assign(seen, { items: [], error: undefined })
  const client = connect(port, '127.0.0.1')
  client.write(request('POST /read', '', inChunks(lines)))
  client.write(chunksOf(Buffer.from('{"id":1}\n{"id'), 100).subarray(0, -5))
  await until(() => seen.items.length === 1)
  client.destroy()
  await until(() => seen.error !== undefined)
  t.match(seen.error, { failure: { code: 'malformed-http' } })
})

t.test('a client that ends its body too early is refused', async (t) => {
  const head = request('POST /read', '', { ...type(lines), 'Content-Length': '100' })
  const { responses } = await exchange(port, '', {
    wait: 5000,
    talk: async (socket) => void socket.end(`${head}{"id":1}\n{"id":2}\n`)
  })
  t.match(responses, [{ status: 400, body: /malformed-http/ }])
  t.equal(seen.items.length, 2)
})

t.test('a failure that the handler wraps is an error of the service', async (t) => {
  const { ask, log } = await start(t)
  t.match(await ask(request('POST /mapped', '{}', type(lines))), { status: 500, value: { code: 'internal' } })
  t.equal(log.filter(({ level }) => Number(level) >= 50).length, 1)
})

/** Sends a piece every 50 ms until the server answers, at most 400. */
async function trickle(socket: Socket, piece: string): Promise<void> {
  let isAnswered = false
  socket.once('data', () => {
    isAnswered = true
  })
  for (let sent = 0; sent < 400 && !isAnswered; sent++) {
    socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
    await sleep(50)
  }
}

t.test('REQUEST_TIMEOUT bounds the time from the first byte of an item to its last', async (t) => {
  const { port } = await start(t, 1500)
  const rows: [name: string, mediaType: string, begun: string, piece: string, items: number][] = [
    ['a line', lines, '{"id":1,"name":"', 'x', 0],
    ['a line after another', lines, '{"id":1}\n{"id":2,"name":"', 'x', 1],
    ['a JSON text', 'application/json-seq', '\x1e["', 'x', 0],
    ['the lines of an event', 'text/event-stream; of=text', 'data: a\n', 'data: x\n', 0]
  ]
  for (const [name, mediaType, begun, piece, items] of rows) {
    const { responses, ending } = await exchange(port, '', {
      wait: 20_000,
      talk: async (socket) => {
        socket.write(request('POST /read', '', inChunks(mediaType)))
        socket.write(`${begun.length.toString(16)}\r\n${begun}\r\n`)
        await trickle(socket, piece)
      }
    })
    const body = new RegExp(`body/${items} has not arrived whole in 1500 ms`)
    t.match([responses, ending], [[{ status: 408, body }], 'closed'], name)
    t.equal(seen.items.length, items, name)
  }
})

t.test('an item that was given before REQUEST_TIMEOUT does not count against the next one', async (t) => {
  const { port } = await start(t, 1500)
  const { responses } = await exchange(port, '', {
    wait: 20_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(request('POST /read', '', inChunks('text/event-stream; of=text')))
      // Each chunk ends an event and begins the next one, which is held until then.
      for (let sent = 0; sent < 60; sent++) {
        socket.write('10\r\ndata: a\n\ndata: b\r\n')
        await sleep(50)
      }
      socket.write('0\r\n\r\n')
    }
  })
  t.match(responses, [{ status: 200 }])
})
