/** Bytes that nobody reads: bodies that the server refuses before their end, and responses that a client leaves. */
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { UnreadBytes } from '../../../../src/engine/server/transport/unread.ts'
import { sleep, unstalled, until } from '../../../time.ts'
import { serve } from '../../serve.ts'
import { exchange } from './raw-client.ts'
import {
  chunked,
  get,
  guarded,
  listening,
  post,
  type Reported,
  render,
  reporting
} from './transport-server.ts'

t.setTimeout(900_000)

const { app, port } = await listening()
t.teardown(() => app.close())

const refused = `${post}X-Refuse: 1\r\n`
const megabyte = Buffer.alloc(1_000_000, 'x')
const inChunks = 'f4240\r\n'
const next = `${get}Host: a\r\n\r\n`
const asked = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** Sends the head and 7 MB before it reads, and returns the statuses of the answers and the end of the connection. */
async function sentFirst(head: string, [before, after]: readonly [string, string], last: string) {
  const { responses, ending } = await exchange(port, '', {
    wait: 8000,
    ...(last !== '' && { enough: 2 }),
    talk: async (socket) => {
      socket.pause().write(head)
      for (let sent = 0; sent < 7; sent++) {
        socket.write(before)
        await new Promise((resolve) => socket.write(megabyte, resolve))
        socket.write(after)
      }
      socket.write(last)
      await sleep(50)
      socket.resume()
    }
  })
  return [...responses.map(({ status }) => status), ending]
}

t.test('a client that sends its whole body first reads its response, and is served further', async (t) => {
  const rows: Readonly<Record<string, readonly [head: string, status: number]>> = {
    '401, chunked': [`${refused}${chunked}\r\n`, 401],
    '413, a declared length': [`${post}Content-Length: 7000000\r\n\r\n`, 413],
    '404': ['POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 7000000\r\n\r\n', 404],
    '200 of a route that reads no body': [`GET /slow HTTP/1.1\r\nHost: a\r\n${chunked}\r\n`, 200]
  }
  for (const [name, [head, status]] of Object.entries(rows)) {
    const found = head.includes(chunked)
      ? await sentFirst(head, [inChunks, '\r\n'], `0\r\n\r\n${next}`)
      : await sentFirst(head, ['', ''], next)
    t.strictSame(found, [status, 200, 'open'], name)
  }
})

t.test('a client that goes on sending after a malformed request reads its response', async (t) => {
  const rows: Readonly<Record<string, readonly [text: string, status: number]>> = {
    garbage: ['garbage\r\n\r\n', 400],
    'large headers': [`${get}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    CONNECT: ['CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n', 405]
  }
  for (const [name, [text, status]] of Object.entries(rows))
    t.strictSame(await sentFirst(text, ['', ''], ''), [status, 'closed'], name)
})

t.test('the server reads 8 MiB of a body that never ends, and closes', async (t) => {
  const endless = Buffer.concat([Buffer.from(inChunks), megabyte, Buffer.from('\r\n')])
  for (const head of [refused, post]) {
    const accepted = once(app.server, 'connection')
    const { responses } = await exchange(port, '', {
      wait: 0,
      talk: async (socket) => {
        socket.write(`${head}${chunked}\r\n`)
        const fill = (): void => {
          while (!socket.destroyed && socket.write(endless)) {
            // until the send buffer of the socket is full
          }
        }
        socket.on('drain', fill)
        fill()
        const [server] = await accepted
        await once(server, 'close')
      }
    })
    t.equal(responses[0]?.status, head === refused ? 401 : 413)
    const [{ bytesRead }] = await accepted
    t.ok(bytesRead >= 8_388_608 && bytesRead < 16_000_000, `${bytesRead} bytes`)
  }
})

t.test('a body that goes on slowly is discarded until the time-out of its request', async (t) => {
  const impatient = await listening(render, 400)
  t.teardown(() => impatient.app.close())
  for (const text of [
    `${refused}Content-Length: 65537\r\n\r\n`,
    `${refused}${chunked}\r\n1\r\nx\r\n`,
    `${post}${chunked}\r\n7d0\r\n${'x'.repeat(2000)}\r\n`
  ]) {
    const { responses, ending } = await exchange(impatient.port, text, { wait: 8000 })
    t.strictSame([responses.length, ending], [1, 'closed'], text.slice(0, 80))
  }
})

t.test('a client that neither reads nor ends after a malformed request is disconnected', async (t) => {
  const accepted = once(app.server, 'connection')
  await paused(t, port, 'garbage\r\n\r\n')
  const [socket] = await accepted
  await until(() => socket.closed)
  t.ok(socket.closed)
})

/** More bytes than the buffers of the operating system hold. */
const large = Buffer.alloc(12_000_000, 'x')
const larger = Buffer.alloc(64_000_000, 'x')

/** Opens a connection that reads nothing. */
async function paused(t: Test, port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause().write(text)
  return socket
}

/** Reads everything that arrives, and returns the number of bytes so far. */
function reading(socket: Socket): () => number {
  let received = 0
  const count = ({ length }: Buffer) => (received += length)
  socket.on('data', count).resume()
  return () => received
}

/** @param max limit of the bytes of all connections */
async function counting(t: Test, max: number) {
  let answered = 0
  const reported: Reported[] = []
  const unread = new UnreadBytes(reporting(reported), max)
  const { port, open } = await guarded(t, (_, response) => {
    setImmediate(() => {
      unread.ofStream(response)(large.length)
      response.end(large)
      answered++
    })
  })
  /** Sends requests, and reads nothing. */
  const unreading = async () => {
    const before = answered
    const socket = await paused(t, port, asked)
    await until(() => answered > before)
    return socket
  }
  return { unreading, reported, open }
}
const tooMany = [
  'overloaded',
  'more than 30000000 unread bytes of responses on all connections',
  '127.0.0.1'
] as const

t.test('beyond the bytes of all connections the one that waits longest is closed', async (t) => {
  const { unreading, reported, open } = await counting(t, 30_000_000)
  const clients = [await unreading(), await unreading(), await unreading()] as const
  t.strictSame(open(), [true, true, true], 'there is room for the newest beyond the bound')
  await unreading()
  t.strictSame(open(), [false, true, true, true])
  const received = reading(clients[1])
  await until(() => received() > large.length)
  clients[1].write(asked)
  await until(() => received() > 2 * large.length)
  t.ok(received() > 2 * large.length, 'a client that reads is served')
  await unreading()
  await unreading()
  t.strictSame(open(), [false, true, false, true, true, true])
  t.strictSame(reported, [tooMany, tooMany])
})

const body = Buffer.alloc(24_000_000, 'x')

/** Starts a server of an operation with a large response. */
async function operation(t: Test, maxUnreadBytes: number) {
  const reported: Reported[] = []
  const sockets: Socket[] = []
  const responses = { 200: { description: '', content: { 'x/y': {} } } }
  const { port } = await serve(
    t,
    { paths: { '/': { get: { operationId: 'get', responses } } } },
    {
      handlers: { get: () => ({ status: 200, body }) },
      maxUnreadBytes,
      onFailure: (failure, _request, peer) => void reporting(reported)(failure, peer),
      extend: ({ server }) => server.on('connection', (socket) => sockets.push(socket))
    }
  )
  const open = () => sockets.map(({ destroyed }) => !destroyed)
  return { port, reported, open }
}

t.test('responses of operations are counted until they are taken', async (t) => {
  const { port, reported, open } = await operation(t, 1_000_000)
  const socket = await paused(t, port)
  const received = reading(socket)
  for (let turn = 1; turn <= 2; turn++) {
    socket.write(asked)
    await until(() => received() > turn * body.length)
  }
  t.strictSame(reported, [])
  for (let count = 1; count <= 3; count++) {
    await paused(t, port, asked)
    await until(() => open().filter((isOpen) => !isOpen).length === count - 1)
  }
  t.strictSame(open(), [true, false, false, true], 'there is room for one')
})

const timeout = 400
/** A server whose connections time out, and a connection with requests. */
async function impatient(t: Test, answer: RequestListener, limit = timeout, requests = asked) {
  const times = { requestTimeout: 500, headersTimeout: 500, connectionsCheckingInterval: 50 }
  const { port, ...server } = await guarded(t, answer, { keepAliveTimeout: limit, ...times })
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.on('error', () => undefined).write(requests)
  return { client, ...server }
}
const answerLarge: RequestListener = (_, response) => void response.end(larger)

t.test('a connection whose client reads nothing is closed', async (t) => {
  const { client, sockets, reported } = await impatient(t, answerLarge)
  client.pause()
  await until(() => sockets[0]?.closed === true)
  t.ok(sockets[0]?.closed)
  t.strictSame(reported, [['timeout', 'no byte of the response was read in 400 ms', '127.0.0.1']])
})

t.test('bytes that the client sends now and then do not count as reading', async (t) => {
  for (const rest of ['garbage\r\n\r\n', 'GET /other HTTP/1.1\r\nHost: a\r\n\r\n', 'GET / HTTP/1.1\r\n']) {
    const { client, sockets } = await impatient(t, answerLarge)
    client.pause()
    await until(() => (sockets[0]?.writableLength ?? 0) > 0)
    client.write(rest)
    const writing = setInterval(() => client.write('X: y\r\n'), 50)
    t.teardown(() => clearInterval(writing))
    await until(() => sockets[0]?.closed === true)
    t.ok(sockets[0]?.closed, rest)
  }
})

t.test('a response that waits behind one that has not begun is not read, either', async (t) => {
  const held: ServerResponse[] = []
  const answer: RequestListener = ({ url }, response) =>
    url === '/' ? void held.push(response) : void response.end(larger)
  const { sockets } = await impatient(t, answer, timeout, asked + asked.replace('/', '/large'))
  await until(() => sockets[0]?.closed === true)
  t.strictSame([sockets[0]?.closed, held.length], [true, 1])
})

/** Reads 4 MB at a time, with a pause of a fifth of the time-out between. */
async function readSlowly(t: Test, limit: number) {
  const { client } = await impatient(t, answerLarge, limit)
  let received = 0
  let pauses = 0
  client.on('data', (data) => {
    const before = Math.floor(received / 4_000_000)
    received += data.length
    if (Math.floor(received / 4_000_000) === before) return
    pauses++
    client.pause()
    setTimeout(() => client.resume(), limit / 5)
  })
  await until(() => received > larger.length || client.closed)
  return { received, pauses }
}

t.test('a client that reads slowly gets its whole response', async (t) => {
  const { received, pauses } = await unstalled(
    timeout,
    (limit) => readSlowly(t, limit),
    ({ received }) => received < larger.length
  )
  t.ok(received > larger.length)
  t.ok(pauses >= 16, 'in several times the time-out')
})

t.test('a response that has not begun may take longer than the time-out', async (t) => {
  const late: RequestListener = (_, response) => void setTimeout(() => response.end('late'), 3 * timeout)
  const { client } = await impatient(t, late)
  t.match(String(await once(client, 'data')), /late$/)
})

t.test('a time-out of 0 means no limit', async (t) => {
  const { client, sockets } = await impatient(t, answerLarge, 0)
  client.pause()
  await sleep(3 * timeout)
  t.notOk(sockets[0]?.closed)
})
