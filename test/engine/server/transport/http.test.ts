/** Bytes of a request and the answer to them: malformed HTTP, time-outs, CONNECT, Expect, and a server that closes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { errorCodes } from 'fastify'
import t from 'tap'
import { transportOptions } from '../../../../src/engine/server/fastify-options.ts'
import { logServerErrors } from '../../../../src/engine/server/transport/connections.ts'
import { sleep } from '../../../time.ts'
import { request, serve } from '../../serve.ts'
import { document, handlers, setResult, shaped } from '../errors/failing-contract.ts'
import { exchange } from './raw-client.ts'
import { chunked, failureIn, get, listening, post, render } from './transport-server.ts'

t.setTimeout(900_000)

const { app, port } = await listening()
t.teardown(() => app.close())
const host = 'Host: a\r\n'

/** Bytes that are no well-formed HTTP; e2e/requests/http.ts has further ones. */
const malformed: Readonly<Record<string, string>> = {
  garbage: 'this is not HTTP\r\n\r\n',
  'bare line feeds': 'GET /echo HTTP/1.1\nHost: a\n\n',
  'a fragment in an absolute target': 'GET http://b/echo?q#x HTTP/1.1\r\nHost: a\r\n\r\n',
  'an expectation without Host': 'POST /echo HTTP/1.1\r\nExpect: x\r\n\r\n',
  'two Hosts in HTTP/1.0': 'GET /echo HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n',
  'a Host with a user': `${get}Host: u@a\r\n\r\n`,
  'a Host with a word for a port': `${get}Host: a:b\r\n\r\n`,
  'a broken IPv6 Host': `${get}Host: [::1\r\n\r\n`,
  'Transfer-Encoding with Content-Length': `${post}${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`,
  'a signed Content-Length': `${post}Content-Length: +5\r\n\r\nhello`,
  'an empty Content-Length': `${post}Content-Length:\r\n\r\n`,
  'chunked, identity': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'a vertical tab before chunked': `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
  'a huge chunk size': `${post}${chunked}\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n`,
  'a chunk longer than its size': `${post}${chunked}\r\n5\r\nhelloX\r\n0\r\n\r\n`,
  'chunks ended by line feeds': `${post}${chunked}\r\n5\nhello\n0\n\n`
}
const connectHead = 'CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\n'
const large = 'x'.repeat(20_000)

/** Other bytes that end their connection, with status and code of the answer. */
const refused: Readonly<Record<string, readonly [text: string, status: number, code: string]>> = {
  'too large headers': [`${get}${host}X: ${large}\r\n\r\n`, 431, 'headers-too-large'],
  'a chunk extension without end': [`${post}${chunked}\r\n5;${large}`, 413, 'body-too-large'],
  'headers that never end': [`${get}${host}`, 408, 'timeout'],
  'a body that never ends': [`${post}Content-Length: 10\r\n\r\nhello`, 408, 'timeout'],
  CONNECT: [`${connectHead}\r\n`, 405, 'method-not-allowed'],
  'CONNECT with more': [`${connectHead}Content-Length: 5\r\n\r\nhello`, 405, 'method-not-allowed'],
  'an expectation': [`${post}Expect: a-miracle\r\nContent-Length: 5\r\n\r\nhello`, 417, 'expectation-failed'],
  ...Object.fromEntries(
    Object.entries(malformed).map(([what, text]) => [what, [text, 400, 'malformed-http']] as const)
  )
}

t.test(
  'what is no HTTP, or cannot be served, ends its connection with a status and an error body',
  async (t) => {
    const impatient = await listening(render, 400)
    t.teardown(() => impatient.app.close())
    for (const [name, [text, status, code]] of Object.entries(refused)) {
      const found = await exchange(status === 408 ? impatient.port : port, text, { wait: 2500 })
      t.match(failureIn(found), { code, message: /./ }, name)
      const [response] = found.responses
      const connection = response?.headers.get('connection')
      t.strictSame([response?.status, connection, found.ending], [status, 'close', 'closed'], name)
      t.ok(response?.headers.get('date'), name)
    }
  }
)

t.test('a URL that cannot be decoded is a 400, and an unknown one a 404', async (t) => {
  const rows: readonly (readonly [line: string, failure: object])[] = [
    ['GET /%zz', { code: 'malformed-url' }],
    ['GET /%ff', { code: 'malformed-url' }],
    [`GET /named/${'x'.repeat(200)}`, { code: 'malformed-url', message: 'a part of the path is too long' }],
    ...['*', 'http://b', 'HTTPS://b?q', 'ftp://b/echo'].map(
      (target) => [`OPTIONS ${target}`, { code: 'not-found' }] as const
    )
  ]
  for (const [line, failure] of rows) {
    const found = await exchange(port, `${line} HTTP/1.1\r\n${host}\r\n`, { wait: 5000, enough: 1 })
    t.match(failureIn(found), failure, line)
  }
  const options = transportOptions(render)
  const failing = Fastify(options)
  const error = new errorCodes.FST_ERR_ASYNC_CONSTRAINT()
  failing.get('/', (request, reply) => options.frameworkErrors?.(error, request, reply))
  const internal = { code: 'internal', message: 'internal server error' }
  t.same((await failing.inject('/')).json(), internal, 'any other error of the router')
})

t.test('unusual requests that are well-formed are served', async (t) => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const rows: Readonly<Record<string, readonly [text: string, wanted?: object]>> = {
    'HTTP/1.0 with an expectation': ['GET /echo HTTP/1.0\r\nExpect: x\r\n\r\n'],
    'an IPv6 Host': [`${get}Host: [::1]:3000\r\n\r\n`],
    'a Host in upper case': [`${get}HOST: Example.COM:\r\n\r\n`],
    'a Host behind 3,900 headers': [`${get}${'a:\r\n'.repeat(3900)}${host}\r\n`],
    'an absolute target': [`GET http://b:80/echo?q HTTP/1.1\r\n${host}\r\n`, { url: '/echo?q' }],
    Chunked: [`${post}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, { body: 'hello' }],
    'an upgrade with a body': [`${post}${upgrade}Content-Length: 5\r\n\r\nhello`, { body: 'hello' }]
  }
  for (const [name, [text, wanted = { method: 'GET' }]] of Object.entries(rows)) {
    const { responses } = await exchange(port, text, { wait: 5000, enough: 1 })
    t.equal(responses[0]?.status, 200, name)
    t.match(JSON.parse(responses[0]?.body ?? ''), wanted, name)
  }
})

t.test('responses come in order, and each request gets one', async (t) => {
  const slow = `GET /slow HTTP/1.1\r\n${host}\r\n`
  const refusedPost = `${post}X-Refuse: 1\r\n${chunked}\r\n`
  const expect = `${post}Expect: 100-continue\r\n`
  const two = (head: string) => async (socket: Socket) => {
    socket.write(head)
    await sleep(50)
    socket.write('zz\r\n')
  }
  const rows: Readonly<
    Record<string, readonly [text: string | ReturnType<typeof two>, ...found: unknown[]]>
  > = {
    'garbage behind a request': [`${slow}garbage\r\n\r\n`, 200, 400, 'closed'],
    'garbage behind two': [`${slow}${slow}garbage\r\n\r\n`, 200, 200, 400, 'closed'],
    'CONNECT behind one': [`${slow}${connectHead}\r\n`, 'closed'],
    'a refused request with a broken body': [`${refusedPost}zz\r\n`, 401, 'closed'],
    'a body that breaks after its answer': [two(refusedPost), 401, 'closed'],
    'a body that breaks': [`${post}${chunked}\r\nzz\r\n\r\n`, 400, 'closed'],
    '100 Continue when the body is read': [`${expect}Content-Length: 5\r\n\r\nhello`, 100, 200, 'open'],
    'no 100 Continue for a refused request': [
      `${expect}Content-Length: 5\r\nX-Refuse: 1\r\n\r\n`,
      401,
      'closed'
    ],
    '100 Continue for chunks': [`${expect}${chunked}\r\n`, 100, 'open']
  }
  for (const [what, [text, ...wanted]] of Object.entries(rows)) {
    const options = typeof text === 'string' ? {} : { talk: text }
    const wait = wanted.at(-1) === 'open' ? 250 : 1500
    const { responses, ending } = await exchange(port, String(text), { wait, ...options })
    t.strictSame([...responses.map(({ status }) => status), ending], wanted, what)
    if (String(text).includes('Expect') && wanted[0] === 401)
      t.equal(responses[0]?.headers.get('connection'), 'close', what)
  }
  const begun = exchange(port, '', {
    wait: 1500,
    talk: two(`POST /begun HTTP/1.1\r\n${host}${chunked}\r\n`)
  })
  await t.rejects(begun, /no whole body: begun$/, 'nothing is put into an answer that has begun')
})

t.test('a request is late as soon as its time-out is over, whatever Node reports first', async (t) => {
  // Node does not look for late requests during the test.
  const { app, port } = await listening(render, 300, 600_000)
  t.teardown(() => app.close())
  const rows: Readonly<Record<string, readonly [text: string, rest?: string]>> = {
    'a body': [`${post}Content-Length: 10\r\n\r\nhello`],
    'a body in chunks': [`${post}${chunked}\r\n5\r\nhello\r\n`],
    'a broken chunk': [`${post}${chunked}\r\n5\r\nhello\r\n`, 'zz\r\n'],
    headers: [`${get}${host}`],
    'broken headers': [`${get}${host}`, 'broken\r\n\r\n']
  }
  for (const [name, [text, rest = '']] of Object.entries(rows))
    for (const isLate of [true, false]) {
      const talk = async (socket: Socket) => {
        socket.write(text)
        if (isLate) await sleep(500)
        socket.end(rest)
      }
      const { responses } = await exchange(port, '', { wait: 3000, talk })
      t.match(responses, [{ status: isLate ? 408 : 400 }], name)
      t.equal(responses.length, 1, name)
    }
})

t.test('several parser errors on one connection get one response', async (t) => {
  const warnings: Error[] = []
  const warn = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', warn)
  const talk = async (socket: Socket) => {
    socket.setNoDelay().write(`GET /slow HTTP/1.1\r\n${host}\r\n`)
    for (let i = 0; i < 20; i++) {
      await sleep(2)
      socket.write('garbage')
    }
  }
  const { responses } = await exchange(port, '', { wait: 1500, talk })
  process.off('warning', warn)
  const statuses = responses.map(({ status }) => status)
  t.strictSame([statuses, warnings], [[200, 400], []])
})

t.test('a server that is closing answers 503 with Connection: close and Retry-After', async (t) => {
  const held = Promise.withResolvers<void>()
  setResult(async () => {
    await held.promise
    return { status: 200, body: 'late' }
  })
  const { app, port } = await serve(t, document, { handlers, errorBody: shaped })
  const talk = async (socket: Socket) => {
    socket.write(request('GET /shaped'))
    await sleep(200)
    const closed = app.close()
    await sleep(100)
    socket.write(request('GET /own'))
    await sleep(100)
    held.resolve()
    await Promise.race([closed, sleep(3000)])
  }
  const { responses, ending } = await exchange(port, '', { wait: 5000, talk })
  t.match(responses, [{ status: 200 }, { status: 503 }])
  t.match(JSON.parse(responses[1]?.body ?? ''), { type: 'shutting-down', status: 503 })
  t.equal(responses[1]?.headers.get('connection'), 'close')
  t.ok(responses[1]?.headers.get('retry-after'))
  t.not(ending, 'reset')
})

t.test('a connection that cannot be accepted is logged, and does not end the process', async (t) => {
  const lines: unknown[] = []
  const server = createServer()
  logServerErrors(server, { error: (...line: unknown[]) => void lines.push(line) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const err = new Error('accept EMFILE')
  server.emit('error', err)
  t.strictSame(lines, [[{ err }, 'a connection could not be accepted']])
})

t.test('an errorBody that throws leaves the status without a body', async (t) => {
  const broken = await listening(() => {
    throw new Error('broken')
  })
  t.teardown(() => broken.app.close())
  const { responses } = await exchange(broken.port, 'garbage\r\n\r\n')
  t.match(responses, [{ status: 400, body: '' }])
})
