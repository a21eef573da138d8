/** Clients that leave: whatever they have sent, nothing of theirs stays. Each row is the bytes of one write. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { sleep, until } from '../../../time.ts'
import { compiled, type Json, serve, taking } from '../../serve.ts'

const text = { description: '', content: { 'text/plain': {} } }
const lines = { description: '', content: { 'application/jsonl': { schema: { type: 'integer' } } } }
const document: Json = {
  paths: {
    '/feed': { get: { operationId: 'feed', responses: { 200: lines } } },
    '/wait': { get: { operationId: 'wait', responses: { 200: text } } },
    '/asset': { get: { operationId: 'asset', responses: { 200: text } } },
    '/make': taking('make', { type: 'object' }),
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: { content: { 'application/octet-stream': { 'x-stream': true } } },
        responses: { 200: text }
      }
    }
  }
}
const contract = await compiled(t, document)
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

async function started(t: Test, maxConnections = 10_000) {
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

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const post = (headers: string) =>
  `POST /make HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n`
const upgrade = 'Connection: Upgrade\r\nUpgrade: x\r\n'

/** Bytes, and the number of handlers that they start and that never end by themselves. */
const rows: readonly (readonly [what: string, bytes: string, handlers: number])[] = [
  ['a stream', get('/feed'), 1],
  ['two streams', get('/feed').repeat(2), 2],
  ['a handler that waits', get('/wait'), 1],
  ['two of them', get('/wait').repeat(2), 2],
  ['four large responses', get('/asset').repeat(4), 0],
  ['a handler that waits before four large responses', get('/wait') + get('/asset').repeat(4), 1],
  ['a stream before large responses', get('/feed') + get('/asset').repeat(30), 1],
  ['half a body', `${post('Content-Length: 9\r\n')}{`, 0],
  [
    'half a body behind a stream',
    `${get('/feed')}${post('Content-Length: 200000\r\n')}${'x'.repeat(100_000)}`,
    1
  ],
  [
    'half a body that nobody reads',
    `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nx`,
    1
  ],
  [
    'the same behind a stream',
    `${get('/feed')}GET /other HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(100_000)}`,
    1
  ],
  ['half of the headers', 'GET /feed HTTP/1.1\r\n', 0],
  ['the same behind a stream', `${get('/feed')}GET /feed HTTP/1.1\r\n`, 1],
  ['garbage behind a stream', `${get('/feed')}garbage\r\n\r\n`, 1],
  ['garbage behind a handler that waits', `${get('/wait')}garbage\r\n\r\n`, 1],
  ['CONNECT behind two streams', `${get('/feed').repeat(2)}CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`, 2],
  ['Upgrade', get('/feed', upgrade) + get('/feed'), 1],
  ['Upgrade behind a stream', get('/feed') + get('/feed', upgrade), 2],
  ['Expect behind a stream', `${get('/feed')}${get('/feed', 'Expect: x\r\n')}`, 1],
  ['100 streams', get('/feed').repeat(100), 100],
  ['101 streams', get('/feed').repeat(101), 100],
  ['nothing', '', 0]
]

const leaves = {
  'ends both halves': (socket: Socket) => socket.destroy(),
  'resets the connection': (socket: Socket) => socket.resetAndDestroy()
} as const

for (const [how, leave] of Object.entries(leaves))
  t.test(`a client that ${how} leaves no iterator, signal or connection behind`, async (t) => {
    const left = rows.flatMap(([what, bytes, handlers]) =>
      [true, false].map(async (isReading) => {
        const { port, signals, isClean } = await started(t)
        const socket = await open(port, bytes, isReading)
        await until(() => signals.length >= handlers)
        await sleep(20)
        leave(socket)
        await until(isClean)
        t.equal(signals.length, handlers, what)
      })
    )
    await Promise.all(left)
  })

t.test('sixty clients that leave do not lock others out of fifty connections', async (t) => {
  const { port, feeds, isClean } = await started(t, 50)
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
