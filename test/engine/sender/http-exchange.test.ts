/** A hostile target ends no call but its own, and each call in time: bytes of a real socket, and the outcome. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { httpExchange } from '../../../src/engine/sender/http-exchange.ts'
import { guardedLookup } from '../../../src/engine/sender/target.ts'
import { until } from '../../time.ts'

interface Target {
  readonly url: URL
  readonly sockets: readonly Socket[]
}

/** Listens on a socket that calls `answer` after the first bytes of a request. */
async function target(t: Test, answer: (socket: Socket) => unknown): Promise<Target> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), sockets }
}

const lookup = guardedLookup({ allowPrivateAddresses: true })

/** @returns status and body, or the text of the error */
async function outcomeOf(url: URL, signal: AbortSignal, method = 'POST'): Promise<string> {
  const request = { method, url, headers: {}, body: new Uint8Array([1]) }
  return httpExchange(request, { lookup, signal, maxAnswerBytes: 20 }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error: Error) => `${error.name}: ${error.message}`
  )
}

const never = new AbortController().signal
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody'
const switches = 'AnswerRefused: the answer switches to another protocol'
const cut = 'Error: aborted'
const notHttp = 'AnswerRefused: the answer is not HTTP'

const endings: readonly (readonly [bytes: string, outcome: string, method?: string])[] = [
  [ok, '200 body'],
  [`${ok}${ok}`, '200 body'],
  ['HTTP/1.1 200 \x01\xff\r\nContent-Length: 0\r\n\r\n', '200 '],
  [`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok}`, '200 body'],
  [`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)}${ok}`, '200 body'],
  ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', switches],
  ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nmore', switches],
  ['HTTP/1.1 200 OK\r\n\r\n', switches, 'CONNECT'],
  [
    `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(21)}`,
    'AnswerRefused: the body of the answer is larger than 20 bytes'
  ],
  ['HTTP/1.1 100 Continue\r\n\r\n', 'Error: socket hang up'],
  ['', 'Error: socket hang up'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbo', cut],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n', cut],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', notHttp],
  ['SSH-2.0-x\r\n', notHttp],
  [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, notHttp],
  ['HTTP/1.1 999 OK\r\nContent-Length: 0\r\n\r\n', 'AnswerRefused: the answer has the status 999'],
  ['HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n', 'AnswerRefused: the answer has the status 99'],
  ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'AnswerRefused: the answer has the status 101']
]
for (const [bytes, outcome, method] of endings)
  t.test(`the answer ${JSON.stringify(bytes.slice(0, 80))} and the end`, async (t) => {
    const { url, sockets } = await target(t, (socket) => socket.end(bytes, 'latin1'))
    t.equal(await outcomeOf(url, never, method), outcome)
    await until(() => sockets.every(({ destroyed }) => destroyed))
  })

const endless: readonly (readonly [what: string, bytes: string, interval?: number])[] = [
  ['says nothing', ''],
  ['sends a part of a head', 'HTTP/1.1 200 OK\r\nX: '],
  ['sends a part of a body', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbo'],
  ['sends information for ever', 'HTTP/1.1 100 Continue\r\n\r\n', 1],
  ['sends trailers for ever', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n']
]
for (const [what, bytes, interval] of endless)
  t.test(`a target that ${what} is left when the time is over`, async (t) => {
    const { url, sockets } = await target(t, (socket) => {
      socket.write(bytes)
      const repeated = interval && setInterval(() => socket.write(bytes), interval)
      socket.on('close', () => clearInterval(repeated))
    })
    t.match(await outcomeOf(url, AbortSignal.timeout(100)), /^TimeoutError/)
    await until(() => sockets.every(({ destroyed }) => destroyed))
  })

const whole = `HTTP/1.1 103 Early Hints\r\n\r\n${ok}`

t.test('the signal of the caller ends a call at each byte of its answer', async (t) => {
  const controllers: AbortController[] = []
  const { url, sockets } = await target(t, (socket) => {
    socket.write(whole.slice(0, sockets.length - 1), () => controllers.at(-1)?.abort(new Error('left')))
  })
  for (let bytes = 0; bytes < whole.length; bytes++) {
    controllers.push(new AbortController())
    t.equal(await outcomeOf(url, (controllers.at(-1) as AbortController).signal), 'Error: left')
  }
  await until(() => sockets.every(({ destroyed }) => destroyed))
})

t.test('a connection that ends at any byte of its answer ends the call', async (t) => {
  const { url, sockets } = await target(t, (socket) => socket.end(whole.slice(0, sockets.length - 1)))
  for (let bytes = 0; bytes < whole.length; bytes++)
    t.match(await outcomeOf(url, never), /^(?:Error: (?:socket hang up|aborted)|AnswerRefused)/)
})

const coded: readonly (readonly [coding: string, body: Buffer, outcome: string, method?: string])[] = [
  ['gzip', gzipSync('body'), '200 body'],
  ['X-Gzip', gzipSync('body'), '200 body'],
  ['deflate', deflateSync('body'), '200 body'],
  ['br', brotliCompressSync('body'), '200 body'],
  ['zstd', zstdCompressSync('body'), '200 body'],
  ['identity', Buffer.from('body'), '200 body'],
  ['x-none', Buffer.from('body'), '200 body'],
  ['gzip', Buffer.from('body'), 'AnswerRefused: the body of the answer is not gzip'],
  ['gzip', gzipSync('body').subarray(0, -4), 'AnswerRefused: the body of the answer is not gzip'],
  ['gzip', gzipSync('x'.repeat(1_000_000)), 'AnswerRefused: the body of the answer is larger than 20 bytes'],
  ['gzip', Buffer.alloc(0), '200 ', 'HEAD']
]
for (const [coding, body, outcome, method] of coded)
  t.test(`a body in ${coding}, which nobody has asked for: ${outcome}`, async (t) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (request) => {
        resolve(String(request))
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
        )
        socket.end(body)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    t.equal(await outcomeOf(url, never, method), outcome)
    t.match(await promise, /^accept-encoding: identity\r$/m)
  })
