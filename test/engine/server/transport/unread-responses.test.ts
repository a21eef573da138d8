import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { refuseConnection } from '../../../../src/engine/server/transport/client-error.ts'
import { guardServer } from '../../../../src/engine/server/transport/listeners.ts'
import { sleep, unstalled, until } from '../../../time.ts'
import { type Reported, reporting } from './transport-server.ts'

const timeout = 400
/** More bytes than the buffers of the operating system hold. */
const large = Buffer.alloc(64_000_000, 'x')

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

async function listening(t: Test, answer: RequestListener, limit = timeout, requests = get) {
  const sockets: Socket[] = []
  const reported: Reported[] = []
  const server = createServer(
    { keepAliveTimeout: limit, requestTimeout: 500, headersTimeout: 500, connectionsCheckingInterval: 50 },
    answer
  )
  server.on('connection', (socket) => sockets.push(socket))
  const render = reporting(reported)
  guardServer(server, render)
  server.on('clientError', (error, socket) => refuseConnection(error, socket, render))
  t.teardown(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.on('error', () => undefined).write(requests)
  return { client, sockets, reported }
}

t.test('a connection whose client reads nothing is closed', async (t) => {
  const { client, sockets, reported } = await listening(t, (_, response) => void response.end(large))
  client.pause()
  await until(() => sockets[0]?.closed === true)
  t.ok(sockets[0]?.closed)
  t.match(reported, [['timeout', 'no byte of the response was read in 400 ms', '127.0.0.1']])
  t.equal(reported.length, 1)
})

t.test('bytes that the client sends now and then do not count as reading', async (t) => {
  for (const rest of ['garbage\r\n\r\n', 'GET /other HTTP/1.1\r\nHost: a\r\n\r\n', 'GET / HTTP/1.1\r\n']) {
    const { client, sockets } = await listening(t, (_, response) => void response.end(large))
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
    url === '/' ? void held.push(response) : void response.end(large)
  const { sockets } = await listening(t, answer, timeout, get + get.replace('/', '/large'))
  await until(() => sockets[0]?.closed === true)
  t.strictSame([sockets[0]?.closed, held.length], [true, 1])
})

/** Reads 4 MB at a time, with a pause of a fifth of the time-out between. */
async function readSlowly(t: Test, limit: number) {
  const { client } = await listening(t, (_, response) => void response.end(large), limit)
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
  await until(() => received > large.length || client.closed)
  return { received, pauses }
}

t.test('a client that reads slowly gets its whole response', async (t) => {
  const { received, pauses } = await unstalled(
    timeout,
    (limit) => readSlowly(t, limit),
    ({ received }) => received < large.length
  )
  t.ok(received > large.length)
  t.ok(pauses >= 16, 'in several times the time-out')
})

t.test('a response that has not begun may take longer than the time-out', async (t) => {
  const { client } = await listening(
    t,
    (_, response) => void setTimeout(() => response.end('late'), 3 * timeout)
  )
  let text = ''
  client.on('data', (data) => (text += data))
  await until(() => text !== '')
  t.match(text, /late$/)
})

t.test('a time-out of 0 means no limit', async (t) => {
  const { client, sockets } = await listening(t, (_, response) => void response.end(large), 0)
  client.pause()
  await sleep(3 * timeout)
  t.notOk(sockets[0]?.closed)
})
