import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { refuseConnection } from '../../../../src/engine/server/transport/client-error.ts'
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
}

async function listening(t: Test, answer: Answer): Promise<Served> {
  const targets: string[] = []
  const reported: Reported[] = []
  const server = createServer({ shouldUpgradeCallback: () => false }, (request, response) => {
    targets.push(String(request.url))
    answer(response, request)
  })
  const render = reporting(reported)
  guardServer(server, render)
  server.on('clientError', (error, socket) => refuseConnection(error, socket, render))
  t.teardown(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, targets, reported }
}

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const many = (count: number, headers = '') =>
  Array.from({ length: count }, (_, index) => get(`/${index}`, headers)).join('')
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const later: Answer = (response, { url }) => void setTimeout(() => response.end(url), 1)

t.test('100 pipelined requests are answered in their order', async (t) => {
  const { port, targets } = await listening(t, later)
  const { responses } = await exchange(port, many(100), { wait: 5000, enough: 100 })
  t.strictSame(
    responses.map(({ body }) => body),
    numbers(100)
  )
  t.strictSame(targets, numbers(100))
})

t.test('a connection with more than 100 requests without an answer is closed and reported', async (t) => {
  const { port, targets, reported } = await listening(t, () => undefined)
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
  for (const expect of ['x', '100-continue']) {
    const { port } = await listening(t, () => undefined)
    const text = get('/first') + many(2000, `Expect: ${expect}\r\n`)
    const found = await exchange(port, text, { wait: 5000 })
    t.equal(found.text, '')
    t.not(found.ending, 'open')
  }
})

t.test('a client that keeps 50 requests in flight is served without a limit', async (t) => {
  const { port, targets } = await listening(t, later)
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
  const { port } = await listening(t, (response, { url }) => {
    if (url === '/3') response.setHeader('Connection', 'close')
    setTimeout(() => response.end(url), 1)
  })
  const { responses, ending } = await exchange(port, many(100), { wait: 5000 })
  t.strictSame([responses.length, ending], [4, 'closed'])
})

/** Bytes, the statuses of the answers, the targets that are served, and the end of the connection. */
const rows: readonly (readonly [
  what: string,
  text: string,
  statuses: readonly number[],
  served: readonly string[]
])[] = [
  ['CONNECT', 'CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n', [405], []],
  ['CONNECT and a request', `CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n${get('/x')}`, [405], []],
  ['CONNECT without Host', 'CONNECT b:80 HTTP/1.1\r\n\r\n', [400], []],
  ['CONNECT behind an unfinished answer', `${get('/1')}CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n`, [], ['/1']],
  ...['h2c', 'websocket', '', 'a, b'].flatMap((protocol) => {
    const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    const post = `POST /1 HTTP/1.1\r\nHost: a\r\n${upgrade}`
    const smuggled = get('/smuggled')
    return [
      [`Upgrade: ${protocol}`, get('/1', upgrade), [200], ['/1']],
      ['… behind a request', get('/1') + get('/2', upgrade), [200, 200], ['/1', '/2']],
      ['… before a request', get('/1', upgrade) + get('/2'), [200], ['/1']],
      ['… before garbage', `${get('/1', upgrade)}\u0001garbage\r\n\r\n`, [200], ['/1']],
      ['… with a body', `${post}Content-Length: 8\r\n\r\n{"id":1}`, [200], ['/1']],
      [
        '… with chunks',
        `${post}Transfer-Encoding: chunked\r\n\r\n4\r\n{"id\r\n4\r\n":1}\r\n0\r\n\r\n`,
        [200],
        ['/1']
      ],
      [
        '… with a body that looks like a request',
        `${post}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}${smuggled}`,
        [200],
        ['/1']
      ],
      [
        '… before a body that looks like a request',
        `${get('/1', upgrade)}POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
        [200],
        ['/1']
      ]
    ] as const
  })
]

const answerBody: Answer = (response, request) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => response.end(Buffer.concat(chunks)))
}

t.test('CONNECT and Upgrade are answered, and nothing behind them is served', async (t) => {
  const check = async (
    what: string,
    text: string,
    [statuses, served]: readonly [readonly number[], readonly string[]],
    at: number
  ) => {
    const { port, targets } = await listening(t, answerBody)
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
  for (const [what, text, statuses, served] of rows) {
    const places = [0.3, 0.6, 0.9, 1].map((share) => Math.round(share * text.length))
    await Promise.all(places.map((at) => check(what, text, [statuses, served], at)))
  }
})
