/** A hostile target ends no call but its own, and each call in time: bytes of a real socket, and the outcome. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { httpExchange } from '../../../src/engine/sender/http-exchange.ts'
import { guardedLookup } from '../../../src/engine/sender/target.ts'
import { until } from '../../time.ts'

/** Listens on a socket that calls `answer` with the first bytes of a request. */
async function target(t: Test, answer: (socket: Socket, request: string) => unknown) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined).once('data', (data) => answer(socket, String(data)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const areClosed = () => until(() => sockets.every(({ destroyed }) => destroyed))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, sockets, areClosed }
}

const lookup = guardedLookup({ allowPrivateAddresses: true })
const never = new AbortController().signal

/** @returns status and body, or the text of the error */
async function outcomeOf(url: string, signal: AbortSignal, method = 'POST'): Promise<string> {
  const request = { method, url: new URL(url), headers: {}, body: new Uint8Array([1]) }
  return httpExchange(request, { lookup, signal, maxAnswerBytes: 20 }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error: Error) => `${error.name}: ${error.message}`
  )
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody'
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const switching = 'HTTP/1.1 101 Switching Protocols\r\n'
const upgraded = `${switching}Connection: upgrade\r\nUpgrade: x\r\n\r\n`
const answerOf = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`
const coded = (coding: string, body: Buffer | string) =>
  `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n${body.toString('latin1')}`
const switches = 'AnswerRefused: the answer switches to another protocol'
const notHttp = 'AnswerRefused: the answer is not HTTP'
const large = 'AnswerRefused: the body of the answer is larger than 20 bytes'
const notGzip = 'AnswerRefused: the body of the answer is not gzip'

const endings: readonly (readonly [bytes: string, outcome: string, method?: string])[] = [
  [`${ok}${ok}`, '200 body'],
  [answerOf('200 \x01\xff'), '200 '],
  [`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok}`, '200 body'],
  [`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)}${ok}`, '200 body'],
  [upgraded, switches],
  [`${upgraded}more`, switches],
  ['HTTP/1.1 200 OK\r\n\r\n', switches, 'CONNECT'],
  [`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(21)}`, large],
  ['HTTP/1.1 100 Continue\r\n\r\n', 'Error: socket hang up'],
  ['', 'Error: socket hang up'],
  [ok.slice(0, -2), 'Error: aborted'],
  [`${chunked}1\r\na\r\n`, 'Error: aborted'],
  [`${chunked}zz\r\n`, notHttp],
  ['SSH-2.0-x\r\n', notHttp],
  [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, notHttp],
  [answerOf('999 OK'), 'AnswerRefused: the answer has the status 999'],
  [`${switching}\r\n`, 'AnswerRefused: the answer has the status 101'],
  // Codings that nobody has asked for.
  [coded('X-Gzip', gzipSync('body')), '200 body'],
  [coded('deflate', deflateSync('body')), '200 body'],
  [coded('br', brotliCompressSync('body')), '200 body'],
  [coded('zstd', zstdCompressSync('body')), '200 body'],
  [coded('x-none', 'body'), '200 body'],
  [coded('gzip', 'body'), notGzip],
  [coded('gzip', gzipSync('body').subarray(0, -4)), notGzip],
  [coded('gzip', gzipSync('x'.repeat(1_000_000))), large],
  [coded('gzip', ''), '200 ', 'HEAD']
]
for (const [bytes, outcome, method] of endings)
  t.test(`the answer ${JSON.stringify(bytes.slice(0, 80))} and the end`, async (t) => {
    const { url, areClosed } = await target(t, (socket, request) => {
      t.match(request, /^accept-encoding: identity\r$/m)
      socket.end(bytes, 'latin1')
    })
    t.equal(await outcomeOf(url, never, method), outcome)
    await areClosed()
  })

const endless: readonly (readonly [what: string, bytes: string, interval?: number])[] = [
  ['says nothing', ''],
  ['sends a part of a head', 'HTTP/1.1 200 OK\r\nX: '],
  ['sends a part of a body', ok.slice(0, -2)],
  ['sends information for ever', 'HTTP/1.1 100 Continue\r\n\r\n', 1],
  ['sends trailers for ever', `${chunked}0\r\nX: y\r\n`]
]
for (const [what, bytes, interval] of endless)
  t.test(`a target that ${what} is left when the time is over`, async (t) => {
    const { url, areClosed } = await target(t, (socket) => {
      socket.write(bytes)
      const repeated = interval && setInterval(() => socket.write(bytes), interval)
      socket.on('close', () => clearInterval(repeated))
    })
    t.match(await outcomeOf(url, AbortSignal.timeout(100)), /^TimeoutError/)
    await areClosed()
  })

const whole = `HTTP/1.1 103 Early Hints\r\n\r\n${ok}`

t.test('the signal of the caller ends a call at each byte of its answer', async (t) => {
  let controller = new AbortController()
  const { url, sockets, areClosed } = await target(t, (socket) => {
    socket.write(whole.slice(0, sockets.length - 1), () => controller.abort(new Error('left')))
  })
  for (let bytes = 0; bytes < whole.length; bytes++) {
    controller = new AbortController()
    t.equal(await outcomeOf(url, controller.signal), 'Error: left')
  }
  await areClosed()
})

t.test('a connection that ends at any byte of its answer ends the call', async (t) => {
  const { url, sockets } = await target(t, (socket) => socket.end(whole.slice(0, sockets.length - 1)))
  for (let bytes = 0; bytes < whole.length; bytes++)
    t.match(await outcomeOf(url, never), /^(?:Error: (?:socket hang up|aborted)|AnswerRefused)/)
})
