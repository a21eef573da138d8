/** Connections: clients that leave, requests that wait behind others, and responses that are cut off. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type NetConnectOpts, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { closeUnfinished } from '../../../../src/engine/server/transport/connections.ts'
import { sleep, until } from '../../../time.ts'
import { compiled, serve } from '../../serve.ts'
import { exchange } from './raw-client.ts'
import { guarded } from './transport-server.ts'

t.setTimeout(900_000)

const contract = await compiled(
  t,
  parse(`
paths:
  /feed:
    get:
      operationId: feed
      responses: { 200: { description: '', content: { application/jsonl: { schema: { type: integer } } } } }
  /wait: { get: { operationId: wait, responses: &text { 200: { description: '', content: { text/plain: {} } } } } }
  /asset: { get: { operationId: asset, responses: *text } }
  /make:
    post:
      operationId: make
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { 200: { description: '', content: { application/json: {} } } }
  /upload:
    post:
      operationId: upload
      requestBody: { content: { application/octet-stream: { x-stream: true } } }
      responses: *text
`)
)
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const connectHead = 'CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n'
const asset = 'x'.repeat(4_000_000)

interface Request {
  readonly signal: AbortSignal
  readonly body: unknown
}

/** Iterator that never has an item after the first ones. */
class Feed {
  isReturned = false
  #left = 2

  next(): Promise<{ value: number; done: boolean }> {
    if (this.#left-- > 0) return Promise.resolve({ value: 1, done: false })
    return new Promise(() => undefined)
  }

  async return() {
    this.isReturned = true
    return { value: 0, done: true }
  }

  [Symbol.asyncIterator]() {
    return this
  }
}

async function leftBehind(t: Test, maxConnections = 10_000) {
  const feeds: Feed[] = []
  const signals: AbortSignal[] = []
  const wait = (request: Request) => {
    signals.push(request.signal)
    return new Promise(() => undefined)
  }
  const { app, port } = await serve(t, contract, {
    handlers: {
      feed: ({ signal }: Request) => {
        signals.push(signal)
        feeds.push(new Feed())
        return { status: 200, body: feeds.at(-1) }
      },
      wait,
      upload: wait,
      asset: () => ({ status: 200, body: asset }),
      make: () => ({ status: 200, body: {} })
    },
    heartbeat: 0,
    // Longer than a stall of a busy machine, and shorter than the wait of `until`.
    fastify: { requestTimeout: 8_000, keepAliveTimeout: 8_000 }
  })
  app.server.maxConnections = maxConnections
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  const isClean = async () =>
    (await connections()) === 0 &&
    feeds.every(({ isReturned }) => isReturned) &&
    signals.every(({ aborted }) => aborted)
  return { port, feeds, signals, connections, isClean }
}

async function open(port: number, bytes: string, isReading: boolean): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  if (isReading) socket.resume()
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

const post = (headers: string) =>
  `POST /make HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n`
const upgrade = 'Connection: Upgrade\r\nUpgrade: x\r\n'

/** Bytes of one write, and the number of handlers that they start and that never end by themselves. */
const left: Readonly<Record<string, readonly [bytes: string, handlers: number]>> = {
  'a stream': [get('/feed'), 1],
  'a handler that waits': [get('/wait'), 1],
  'four large responses': [get('/asset').repeat(4), 0],
  'a stream before large responses': [get('/feed') + get('/asset').repeat(30), 1],
  'half a body': [`${post('Content-Length: 9\r\n')}{`, 0],
  'half a body behind a stream': [
    `${get('/feed')}${post('Content-Length: 200000\r\n')}${'x'.repeat(100_000)}`,
    1
  ],
  'half a body that nobody reads': [
    `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nx`,
    1
  ],
  'half of the headers behind a stream': [`${get('/feed')}GET /feed HTTP/1.1\r\n`, 1],
  'garbage behind a stream': [`${get('/feed')}garbage\r\n\r\n`, 1],
  'CONNECT behind two streams': [`${get('/feed').repeat(2)}${connectHead}`, 2],
  Upgrade: [get('/feed', upgrade) + get('/feed'), 1],
  'Upgrade behind a stream': [get('/feed') + get('/feed', upgrade), 2],
  'Expect behind a stream': [`${get('/feed')}${get('/feed', 'Expect: x\r\n')}`, 1],
  '100 streams': [get('/feed').repeat(100), 100],
  '101 streams': [get('/feed').repeat(101), 100],
  nothing: ['', 0]
}

const leaves = {
  'ends both halves': (socket: Socket) => socket.destroy(),
  'resets the connection': (socket: Socket) => socket.resetAndDestroy()
} as const

for (const [how, leave] of Object.entries(leaves))
  t.test(`a client that ${how} leaves no iterator, signal or connection behind`, async (t) => {
    const clients = Object.entries(left).flatMap(([what, [bytes, handlers]]) =>
      [true, false].map(async (isReading) => {
        const { port, signals, isClean } = await leftBehind(t)
        const socket = await open(port, bytes, isReading)
        await until(() => signals.length >= handlers)
        await sleep(20)
        leave(socket)
        await until(isClean)
        t.equal(signals.length, handlers, what)
      })
    )
    await Promise.all(clients)
  })

t.test('sixty clients that leave do not lock others out of fifty connections', async (t) => {
  const { port, feeds, isClean } = await leftBehind(t, 50)
  const sockets = await Promise.all(
    Array.from({ length: 60 }, () => open(port, get('/feed').repeat(2), true))
  )
  await until(() => feeds.length === 100)
  for (const socket of sockets) socket.destroy()
  await until(isClean)
  const client = await open(port, get('/asset', 'Connection: close\r\n'), true)
  await once(client, 'end')
  t.ok(client.bytesRead > asset.length)
})

const many = (count: number, headers = '') =>
  Array.from({ length: count }, (_, index) => get(`/${index}`, headers)).join('')
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const later: RequestListener = ({ url }, response) => void setTimeout(() => response.end(url), 1)

t.test('100 pipelined requests are answered in their order', async (t) => {
  const { port, targets } = await guarded(t, later)
  const { responses } = await exchange(port, many(100), { wait: 5000, enough: 100 })
  const bodies = responses.map(({ body }) => body)
  t.strictSame([bodies, targets], [numbers(100), numbers(100)])
})

t.test('a connection with more than 100 requests without an answer is closed and reported', async (t) => {
  const { port, targets, reported } = await guarded(t, () => undefined)
  for (const [index, count] of [101, 2000].entries()) {
    const { text, ending } = await exchange(port, many(count), { wait: 5000 })
    t.equal(text, '')
    t.not(ending, 'open')
    t.equal(targets.length, 100 * (index + 1), 'the requests that Node has read already are not served')
  }
  const message = 'more than 100 requests of a connection wait for their answers'
  t.strictSame(reported, Array(2).fill(['too-many-requests', message, '127.0.0.1']), 'each once')
})

t.test('requests with Expect are counted, too', async (t) => {
  const { port } = await guarded(t, () => undefined)
  const found = await exchange(port, get('/first') + many(2000, 'Expect: x\r\n'), { wait: 5000 })
  t.equal(found.text, '')
  t.not(found.ending, 'open')
})

t.test('a client that keeps 50 requests in flight is served without a limit', async (t) => {
  const { port, targets } = await guarded(t, later)
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let sent = 50
  let answered = 0
  socket.on('data', (data) => {
    const count = data.toString().split('HTTP/1.1 200').length - 1
    answered += count
    for (let index = 0; index < count && sent < 2000; index++) socket.write(get(`/${sent++}`))
  })
  socket.write(many(50))
  await until(() => answered === 2000)
  t.strictSame([answered, targets.length], [2000, 2000])
})

t.test('no request is served after one that closes its connection', async (t) => {
  const { port } = await guarded(t, ({ url }, response) => {
    if (url === '/3') response.setHeader('Connection', 'close')
    setTimeout(() => response.end(url), 1)
  })
  const { responses, ending } = await exchange(port, many(100), { wait: 5000 })
  t.strictSame([responses.length, ending], [4, 'closed'])
})

type Row = readonly [text: string, statuses: readonly number[], served: readonly string[]]
const afterUpgrade = (protocol: string): Readonly<Record<string, Row>> => {
  const headers = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
  const post = `POST /1 HTTP/1.1\r\nHost: a\r\n${headers}`
  const smuggled = get('/smuggled')
  const length = `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`
  const chunks = 'Transfer-Encoding: chunked\r\n\r\n4\r\n{"id\r\n4\r\n":1}\r\n0\r\n\r\n'
  const texts: Readonly<Record<string, string>> = {
    'without more': get('/1', headers),
    'before a request': get('/1', headers) + get('/2'),
    'before garbage': `${get('/1', headers)}\u0001garbage\r\n\r\n`,
    'with a body': `${post}Content-Length: 8\r\n\r\n{"id":1}`,
    'with chunks': `${post}${chunks}`,
    'with a body that looks like a request': `${post}${length}${smuggled}`,
    'before a body that looks like a request': `${get('/1', headers)}POST /2 HTTP/1.1\r\nHost: a\r\n${length}`
  }
  const one = Object.entries(texts).map(([what, text]): [string, Row] => [what, [text, [200], ['/1']]])
  const behind: Row = [get('/1') + get('/2', headers), [200, 200], ['/1', '/2']]
  const rows = [...one, ['behind a request', behind] as const]
  return Object.fromEntries(rows.map(([what, row]) => [`Upgrade: ${protocol} ${what}`, row]))
}

/** Bytes, the statuses of the answers, and the targets that are served. The connection is closed then. */
const last: Readonly<Record<string, Row>> = {
  CONNECT: [connectHead, [405], []],
  'CONNECT and a request': [`${connectHead}${get('/x')}`, [405], []],
  'CONNECT without Host': ['CONNECT b:80 HTTP/1.1\r\n\r\n', [400], []],
  'CONNECT behind an unfinished answer': [`${get('/1')}${connectHead}`, [], ['/1']],
  ...afterUpgrade('h2c'),
  ...afterUpgrade('')
}

const answerBody: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => response.end(Buffer.concat(chunks)))
}

t.test('CONNECT and Upgrade are answered, and nothing behind them is served', async (t) => {
  const check = async (what: string, [text, statuses, served]: Row, at: number) => {
    const { port, targets } = await guarded(t, answerBody)
    const { responses, ending } = await exchange(port, '', {
      wait: 6000,
      talk: async (socket) => {
        socket.setNoDelay().write(text.slice(0, at), 'latin1')
        await sleep(at < text.length ? 15 : 0)
        if (socket.writable) socket.write(text.slice(at), 'latin1')
      }
    })
    const found = [responses.map(({ status }) => status), targets, ending]
    // An answer that is sent before the rest arrives is whole: a CONNECT then stands behind no unfinished one.
    if (statuses.length > 0 || at === text.length)
      t.strictSame(found, [statuses, served, 'closed'], `${what} at ${at}`)
    const body = /\r\n\r\n(\{"id":1\})$/.exec(text)?.[1]
    if (body !== undefined) t.equal(responses[0]?.body, body, what)
  }
  for (const [what, row] of Object.entries(last)) {
    const places = [0.3, 0.6, 0.9, 1].map((share) => Math.round(share * row[0].length))
    await Promise.all(places.map((at) => check(what, row, at)))
  }
})

async function received(at: NetConnectOpts, text: string): Promise<{ text: string; isReset: boolean }> {
  const socket = connect(at)
  let [received, isReset] = ['', false]
  socket.on('data', (data) => (received += data)).on('error', () => (isReset = true))
  socket.write(text)
  await new Promise((resolve) => socket.once('close', resolve))
  return { text: received, isReset }
}

const answered: RequestListener = ({ url }, response) => {
  if (url !== '/broken') return void setTimeout(() => response.end('whole'), 50)
  response.write('begun')
  closeUnfinished(response)
}

t.test('what was written arrives, and the end of the body does not', async (t) => {
  const server = createServer(answered).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { text, isReset } = await received({ port }, get('/broken'))
  t.match(text, /^HTTP\/1.1 200 OK.*begun\r\n$/s)
  t.notOk(isReset)
  const old = await received({ port }, 'GET /broken HTTP/1.0\r\n\r\n')
  t.ok(old.isReset, 'without chunks the connection is reset')
  const behind = await received({ port }, get('/first') + get('/second') + get('/broken'))
  t.match(behind.text, /whole.*whole.*begun\r\n$/s, 'a response behind others waits for their end')
})

t.test('a connection that cannot be reset is closed', async (t) => {
  const path = join(tmpdir(), `unfinished-${process.pid}.sock`)
  const server = createServer(answered).listen(path)
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { text } = await received({ path }, 'GET /broken HTTP/1.0\r\n\r\n')
  t.notMatch(text, /content-length/i)
})
