import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { guardServer } from '../../../../src/engine/server/transport/listeners.ts'
import { sleep, until } from '../../../time.ts'
import { exchange } from './raw-client.ts'
import { type Reported, reporting } from './transport-server.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

interface Served {
  readonly port: number
  /** Targets in the order in which they were served. */
  readonly targets: readonly string[]
  readonly reported: readonly Reported[]
  /** The largest number of requests that were served at the same time. */
  readonly most: () => number
}

async function listening(t: Test, answer: Answer): Promise<Served> {
  const targets: string[] = []
  const reported: Reported[] = []
  let open = 0
  let most = 0
  const server = createServer({ shouldUpgradeCallback: () => false }, (request, response) => {
    targets.push(String(request.url))
    most = Math.max(most, ++open)
    response.once('close', () => open--)
    answer(response, request)
  })
  guardServer(server, reporting(reported))
  t.teardown(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, targets, reported, most: () => most }
}

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const many = (count: number, headers = '') =>
  Array.from({ length: count }, (_, index) => get(`/${index}`, headers)).join('')
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const later: Answer = (response, { url }) => void setTimeout(() => response.end(url), 1)

t.test(
  '100 pipelined requests are answered in their order, 16 of them at a time after the first',
  async (t) => {
    const { port, targets, most } = await listening(t, later)
    const { responses } = await exchange(port, many(100), { wait: 5000, enough: 100 })
    t.strictSame(
      responses.map(({ body }) => body),
      numbers(100)
    )
    t.strictSame(targets, numbers(100))
    t.equal(most(), 16)
  }
)

t.test('a connection with more than 100 requests without an answer is closed and reported', async (t) => {
  const { port, targets, reported } = await listening(t, () => undefined)
  const { text, ending } = await exchange(port, many(101), { wait: 5000 })
  t.strictSame([text, targets.length], ['', 1])
  t.not(ending, 'open')
  const flood = await exchange(port, many(2000), { wait: 5000 })
  t.not(flood.ending, 'open')
  t.equal(targets.length, 2, 'the requests that Node has read already are not served')
  const message = 'more than 100 requests of a connection wait for their answers'
  t.strictSame(reported, Array(2).fill(['too-many-requests', message, '127.0.0.1']), 'each once')
})

t.test('requests with Expect are counted, too', async (t) => {
  const { port } = await listening(t, () => undefined)
  const first = get('/first')
  const { text, ending } = await exchange(port, first + many(2000, 'Expect: x\r\n'), { wait: 5000 })
  t.equal(text, '')
  t.not(ending, 'open')
})

t.test('a client that keeps 50 requests in flight is served without a limit', async (t) => {
  const { port, targets, most } = await listening(t, later)
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
  t.strictSame([answered, targets.length, most()], [2000, 2000, 16])
})

t.test('a client that closes its sending half gets every response', async (t) => {
  const { port } = await listening(t, later)
  const { responses, ending } = await exchange(port, '', {
    wait: 5000,
    talk: async (socket) => void socket.end(many(100))
  })
  t.strictSame([responses.length, ending], [100, 'closed'])
})

t.test('no request is served after a response with Connection: close', async (t) => {
  const { port, targets } = await listening(t, (response, { url }) => {
    if (url === '/3') response.setHeader('Connection', 'close')
    setTimeout(() => response.end(url), 1)
  })
  const { responses, ending } = await exchange(port, many(100), { wait: 5000 })
  t.strictSame([responses.length, targets.length, ending], [4, 19, 'closed'])
})

t.test('the Upgrade header of a request that waits is ignored', async (t) => {
  const { port } = await listening(t, later)
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const { responses } = await exchange(port, many(20) + get('/last', upgrade), { wait: 5000, enough: 21 })
  t.equal(responses.at(-1)?.body, '/last')
})

t.test('a CONNECT is served like every request, and is the last one of its connection', async (t) => {
  const { port, targets } = await listening(t, later)
  const connecting = `CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n${get('/behind')}`
  for (const before of [0, 1, 20]) {
    const found = await exchange(port, many(before) + connecting, { wait: 5000 })
    t.strictSame(
      [found.responses.length, found.responses.at(-1)?.body, found.ending],
      [before + 1, 'b:80', 'closed']
    )
    t.equal(found.responses.at(-1)?.headers.get('connection'), 'close')
  }
  t.notOk(targets.includes('/behind'))
})

t.test('no further request of a client that has left is served', async (t) => {
  const held: ServerResponse[] = []
  const { port, targets } = await listening(t, (response) => void held.push(response))
  await exchange(port, '', {
    wait: 0,
    talk: async (socket) => {
      socket.write(many(50))
      await until(() => held.length === 1)
      socket.resetAndDestroy()
    }
  })
  held[0]?.end()
  await until(() => held[0]?.closed === true)
  t.ok(held[0]?.closed)
  t.equal(targets.length, 1)
})

t.test('the bodies of requests that wait are not read ahead', async (t) => {
  const held: ServerResponse[] = []
  const { port, targets } = await listening(t, (response, request) => {
    held.push(response)
    request.resume()
  })
  const size = 50_000
  const post = `POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(get('/first') + post.repeat(90))
  await until(() => held.length === 1)
  await sleep(200)
  const { bytesRead = 0 } = held[0]?.req.socket ?? {}
  t.ok(bytesRead <= 3 * 65_536, `${bytesRead} bytes`)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  await until(() => {
    for (const response of held.splice(0)) response.end('ok')
    return text.split('HTTP/1.1 200').length === 92
  })
  t.strictSame(
    [text.split('HTTP/1.1 200').length - 1, targets.length],
    [91, 91],
    'each is served in its turn'
  )
})
