import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { closeUnreadResponses } from '../../../../src/engine/server/transport/unread.ts'
import { sleep, until } from '../../../time.ts'
import { type Reported, reporting } from './transport-server.ts'

const timeout = 400
/** More bytes than the buffers of the operating system hold. */
const large = Buffer.alloc(64_000_000, 'x')

async function listening(t: Test, answer: RequestListener, limit = timeout) {
  const sockets: Socket[] = []
  const reported: Reported[] = []
  const server = createServer(answer).on('connection', (socket) => sockets.push(socket))
  closeUnreadResponses(server, limit, reporting(reported))
  t.teardown(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
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

t.test('a byte that the client sends now and then does not count as reading', async (t) => {
  const { client, sockets } = await listening(t, (_, response) => void response.end(large))
  client.pause()
  const writing = setInterval(() => client.write('G'), 50)
  t.teardown(() => clearInterval(writing))
  await until(() => sockets[0]?.closed === true)
  t.ok(sockets[0]?.closed)
})

t.test('a client that reads slowly gets its whole response', async (t) => {
  const { client } = await listening(t, (_, response) => void response.end(large))
  let received = 0
  let pauses = 0
  client.on('data', (data) => {
    const before = Math.floor(received / 4_000_000)
    received += data.length
    if (Math.floor(received / 4_000_000) === before) return
    pauses++
    client.pause()
    setTimeout(() => client.resume(), timeout / 5)
  })
  await until(() => received > large.length)
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
