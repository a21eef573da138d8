import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { guardServer } from '../../../../src/engine/server/transport/listeners.ts'
import { UnreadBytes } from '../../../../src/engine/server/transport/unread.ts'
import { sleep, until } from '../../../time.ts'
import { request, serve } from '../../serve.ts'
import { type Reported, reporting } from './transport-server.ts'

/** More bytes than the buffers of the operating system hold. */
const large = Buffer.alloc(12_000_000, 'x')
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** @param max limit of the bytes of all connections */
async function listening(t: Test, max: number) {
  const reported: Reported[] = []
  const sockets: Socket[] = []
  const render = reporting(reported)
  const unread = new UnreadBytes(render, max)
  let answered = 0
  const server = createServer(({ url }, response) => {
    setImmediate(() => {
      const body = url === '/small' ? 'small' : large
      unread.ofStream(response)(body.length)
      response.end(body)
      answered++
    })
  })
  server.on('connection', (socket) => sockets.push(socket))
  guardServer(server, render)
  t.teardown(() => server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  /** Sends requests, and reads nothing. */
  const unreading = async (text = get) => {
    const before = answered
    const socket = await paused(t, port)
    socket.write(text)
    await until(() => answered > before)
    return socket
  }
  const open = () => sockets.map(({ destroyed }) => !destroyed)
  return { unreading, reported, open }
}

async function paused(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket.pause()
}

/** Reads everything that arrives, and returns the number of bytes so far. */
function reading(socket: Socket): () => number {
  let received = 0
  socket
    .on('data', (data) => {
      received += data.length
    })
    .resume()
  return () => received
}

t.test('a connection that asks for large responses and reads none is closed', async (t) => {
  const { unreading, reported, open } = await listening(t, 30_000_000)
  await unreading()
  await unreading(get.repeat(6))
  await until(() => reported.length > 0 && open()[1] === false)
  const message = 'more than 30000000 unread bytes of responses on all connections'
  t.strictSame(new Set(reported.map(String)), new Set([`overloaded,${message},127.0.0.1`]))
})

t.test('beyond the bytes of all connections the one that waits longest is closed', async (t) => {
  const { unreading, reported, open } = await listening(t, 30_000_000)
  const clients = [await unreading(), await unreading(), await unreading()] as const
  t.strictSame(open(), [true, true, true], 'there is room for the newest beyond the bound')
  await unreading()
  t.strictSame(open(), [false, true, true, true])
  const received = reading(clients[1])
  await until(() => received() > large.length)
  clients[1].write(get)
  await until(() => received() > 2 * large.length)
  t.ok(received() > 2 * large.length, 'a client that reads is served')
  await unreading()
  await unreading()
  t.strictSame(open(), [false, true, false, true, true, true])
  const message = 'more than 30000000 unread bytes of responses on all connections'
  t.strictSame(reported, Array(2).fill(['overloaded', message, '127.0.0.1']))
})

const path = {
  get: { operationId: 'get', responses: { 200: { description: '', content: { 'x/y': {} } } } }
}
const asked = request('GET /large')
const body = Buffer.alloc(24_000_000, 'x')

/** Starts a server of an operation with a large response. */
async function operation(t: Test, maxUnreadBytes: number) {
  const reported: Reported[] = []
  const sockets: Socket[] = []
  const { port } = await serve(
    t,
    { paths: { '/large': path } },
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
    const unreading = await paused(t, port)
    unreading.write(asked)
    await until(() => open().filter((isOpen) => !isOpen).length === count - 1)
  }
  t.strictSame(open(), [true, false, false, true], 'there is room for one')
})

t.test('a client that takes a slice now and then does not wait longest', async (t) => {
  const { port, open } = await operation(t, 40_000_000)
  const [slow, stalled, newest] = [await paused(t, port), await paused(t, port), await paused(t, port)]
  slow.write(asked)
  await sleep(100)
  stalled.write(asked)
  await sleep(100)
  const received = reading(slow)
  slow.on('data', () => received() > 8_000_000 && slow.pause())
  await until(() => received() > 8_000_000)
  newest.write(asked)
  await until(() => open().includes(false))
  t.strictSame(open(), [true, false, true])
})
