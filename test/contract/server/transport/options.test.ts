import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { mock } from 'node:test'
import Fastify, { errorCodes } from 'fastify'
import t from 'tap'
import { FailureError } from '../../../../src/contract/server/errors/failure.ts'
import { refuseConnection } from '../../../../src/contract/server/transport/client-error.ts'
import { readBody, transportOptions } from '../../../../src/contract/server/transport/options.ts'
import { closeGently } from '../../../../src/contract/server/transport/raw-response.ts'
import { sleep } from '../../../time.ts'
import { type Exchange, exchange } from './raw-client.ts'
import { answer, bodyLimit, listening } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

const post = 'POST /echo HTTP/1.1\r\nHost: a\r\n'
const get = 'GET /echo HTTP/1.1\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'

function failureIn({ responses }: Exchange): unknown {
  return responses.length === 1 ? JSON.parse(responses[0]?.body || '{}') : responses
}

t.test('what is not well-formed HTTP is a 400 that ends the connection', async (t) => {
  const rows: Record<string, string> = {
    garbage: 'this is not HTTP\r\n\r\n',
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'HTTP/0.9': 'GET /echo\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00',
    'HTTP/2.0': 'GET /echo HTTP/2.0\r\nHost: a\r\n\r\n',
    'HTTP/1.2': 'GET /echo HTTP/1.2\r\nHost: a\r\n\r\n',
    'an unknown method': 'FOO /echo HTTP/1.1\r\nHost: a\r\n\r\n',
    'bare line feeds': 'GET /echo HTTP/1.1\nHost: a\n\n',
    'a folded header': `${get}Host: a\r\nX: b\r\n c\r\n\r\n`,
    'a space before the colon': `${get}Host : a\r\n\r\n`,
    'NUL in a header': `${get}Host: a\r\nX: b\0\r\n\r\n`,
    'CR in a header': `${get}Host: a\r\nX: b\rc\r\n\r\n`,
    'no Host': `${get}\r\n`,
    'two Hosts': `${get}Host: a\r\nHost: a\r\n\r\n`,
    'two Hosts in HTTP/1.0': 'GET /echo HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n',
    'an empty Host': `${get}Host:\r\n\r\n`,
    'a Host with a path': `${get}Host: a/b\r\n\r\n`,
    'a Host with a user': `${get}Host: u@a\r\n\r\n`,
    'a Host with a word for a port': `${get}Host: a:b\r\n\r\n`,
    'a broken IPv6 Host': `${get}Host: [::1\r\n\r\n`,
    'Content-Length with Transfer-Encoding': `${post}Content-Length: 5\r\n${chunked}\r\n0\r\n\r\n`,
    'Transfer-Encoding with Content-Length': `${post}${chunked}Content-Length: 5\r\n\r\n0\r\n\r\n`,
    'two Content-Lengths': `${post}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
    'a list of Content-Lengths': `${post}Content-Length: 5, 5\r\n\r\nhello`,
    'a signed Content-Length': `${post}Content-Length: +5\r\n\r\nhello`,
    'an empty Content-Length': `${post}Content-Length:\r\n\r\n`,
    'a huge Content-Length': `${post}Content-Length: 99999999999999999999\r\n\r\n`,
    'identity, chunked': `${post}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
    'gzip, chunked': `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    'chunked, identity': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'chunked twice': `${post}${chunked}${chunked}\r\n0\r\n\r\n`,
    identity: `${post}Transfer-Encoding: identity\r\n\r\n`,
    xchunked: `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'a vertical tab before chunked': `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
    'chunked in HTTP/1.0': `POST /echo HTTP/1.0\r\nHost: a\r\n${chunked}\r\n0\r\n\r\n`,
    'a chunk size that is none': `${post}${chunked}\r\nzz\r\n\r\n`,
    'a chunk size in C': `${post}${chunked}\r\n0x5\r\nhello\r\n0\r\n\r\n`,
    'a huge chunk size': `${post}${chunked}\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n`,
    'a chunk longer than its size': `${post}${chunked}\r\n5\r\nhelloX\r\n0\r\n\r\n`,
    'chunks ended by line feeds': `${post}${chunked}\r\n5\nhello\n0\n\n`
  }
  for (const [name, text] of Object.entries(rows)) {
    const found = await exchange(port, text)
    t.match(failureIn(found), { code: 'malformed-http', message: /./ }, name)
    t.equal(found.responses[0]?.status, 400, name)
    t.equal(found.responses[0]?.headers.get('connection'), 'close', name)
    t.ok(found.responses[0]?.headers.get('date'), name)
    t.equal(found.ending, 'closed', name)
  }
})

t.test('other requests that no route sees', async (t) => {
  const rows: [string, string, number, string][] = [
    ['too large headers', `${get}Host: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
    ['a chunk extension without end', `${post}${chunked}\r\n5;${'x'.repeat(20_000)}`, 413, 'body-too-large'],
    ['headers that never end', `${get}Host: a\r\n`, 408, 'timeout'],
    ['a body that never ends', `${post}Content-Length: 10\r\n\r\nhello`, 408, 'timeout'],
    ['CONNECT', 'CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\n\r\n', 405, 'method-not-allowed'],
    [
      'CONNECT with more',
      'CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\nContent-Length: 5\r\n\r\nhello',
      405,
      'method-not-allowed'
    ],
    [
      'an expectation',
      `${post}Expect: a-miracle\r\nContent-Length: 5\r\n\r\nhello`,
      417,
      'expectation-failed'
    ],
    ['an expectation without Host', 'POST /echo HTTP/1.1\r\nExpect: x\r\n\r\n', 400, 'malformed-http']
  ]
  for (const [name, text, status, code] of rows) {
    const found = await exchange(port, text, { wait: 2500 })
    t.match(failureIn(found), { code }, name)
    t.equal(found.responses[0]?.status, status, name)
    t.equal(found.responses[0]?.headers.get('connection'), 'close', name)
    t.equal(found.ending, 'closed', name)
  }
  const connect = await exchange(port, 'CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\n\r\n')
  t.equal(connect.responses[0]?.headers.get('allow'), 'GET, POST', 'a 405 names what is allowed')
  for (const url of ['/%zz', '/%ff', '/echo/%E0%A4%A']) {
    const found = await exchange(port, `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`)
    t.match(failureIn(found), { code: 'malformed-url' }, url)
  }
  const long = await exchange(port, `GET /named/${'x'.repeat(200)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  t.match(failureIn(long), { code: 'malformed-url', message: 'a part of the path is too long' })
})

t.test('what looks strange and is right', async (t) => {
  const rows: [string, string, object][] = [
    ['HTTP/1.0 without Host', 'GET /echo HTTP/1.0\r\n\r\n', { method: 'GET' }],
    ['HTTP/1.0 with an expectation', 'GET /echo HTTP/1.0\r\nExpect: x\r\n\r\n', { method: 'GET' }],
    ['empty lines first', `\r\n\r\n${get}Host: a\r\n\r\n`, { method: 'GET' }],
    ['an IPv6 Host', `${get}Host: [::1]:3000\r\n\r\n`, { method: 'GET' }],
    ['a Host in upper case', `${get}HOST: Example.COM:\r\n\r\n`, { method: 'GET' }],
    ['a Host behind 3,900 headers', `${get}${'a:\r\n'.repeat(3900)}Host: a\r\n\r\n`, { method: 'GET' }],
    ['an absolute target', 'GET http://b:80/echo?q HTTP/1.1\r\nHost: a\r\n\r\n', { url: '/echo?q' }],
    ['Chunked', `${post}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, { body: 'hello' }],
    ['an upgrade', `${get}Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, { method: 'GET' }],
    [
      'an upgrade with a body',
      `${post}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5\r\n\r\nhello`,
      { body: 'hello' }
    ],
    [
      'a body to the limit',
      `${post}Content-Length: ${bodyLimit}\r\n\r\n${'x'.repeat(bodyLimit)}`,
      { method: 'POST' }
    ]
  ]
  for (const [name, text, want] of rows) {
    const found = await exchange(port, text, { wait: 100 })
    t.equal(found.responses[0]?.status, 200, name)
    t.match(JSON.parse(found.responses[0]?.body ?? ''), want, name)
  }
  const absolute = await exchange(port, 'GET http://b:80/echo?q HTTP/1.1\r\nHost: a\r\n\r\n', { wait: 100 })
  t.match(absolute.text, '"url":"/echo?q"', 'handlers see the origin form')
  for (const target of ['*', 'http://b', 'HTTPS://b?q', 'ftp://b/echo']) {
    const found = await exchange(port, `OPTIONS ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, { wait: 100 })
    t.match(failureIn(found), { code: 'not-found' }, target)
  }
})

t.test('answers come in order, and never twice', async (t) => {
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
  const statuses = async (text: string): Promise<unknown> => {
    const { responses, ending } = await exchange(port, text, { wait: 1500 })
    return [...responses.map(({ status }) => status), ending]
  }
  t.same(await statuses(`${slow}garbage\r\n\r\n`), [200, 400, 'closed'], 'garbage behind a request')
  t.same(await statuses(`${slow}${slow}garbage\r\n\r\n`), [200, 200, 400, 'closed'], 'garbage behind two')
  t.same(
    await statuses(`${slow}CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n`),
    [200, 405, 'closed'],
    'CONNECT behind one'
  )
  const both = await statuses(`${post}X-Refuse: 1\r\n${chunked}\r\nzz\r\n`)
  t.same(both, [400, 'closed'], 'a refused request with a broken body')
  const late = await exchange(port, '', {
    wait: 1500,
    talk: async (socket) => {
      socket.write(`${post}X-Refuse: 1\r\n${chunked}\r\n`)
      await sleep(50)
      socket.write('zz\r\n')
    }
  })
  t.same([late.responses.length, late.ending], [1, 'closed'], 'a body that breaks after its answer')
  const begun = exchange(port, '', {
    wait: 1500,
    talk: async (socket) => {
      socket.write(`POST /begun HTTP/1.1\r\nHost: a\r\n${chunked}\r\n`)
      await sleep(50)
      socket.write('zz\r\n')
    }
  })
  await t.rejects(begun, /no whole body: begun$/, 'nothing is put into an answer that has begun')
})

t.test('a client that sends on can read its answer', async (t) => {
  const rows: [string, string, number][] = [
    ['401 without reading', `${post}X-Refuse: 1\r\nContent-Length: 8000000\r\n\r\n`, 401],
    ['401 and close', `${post}X-Refuse: 1\r\nConnection: close\r\nContent-Length: 8000000\r\n\r\n`, 401],
    ['401 in HTTP/1.0', 'POST /echo HTTP/1.0\r\nX-Refuse: 1\r\nContent-Length: 8000000\r\n\r\n', 401],
    ['413 as declared', `${post}Content-Length: 8000000\r\n\r\n`, 413],
    ['413 as declared, and close', `${post}Connection: close\r\nContent-Length: 8000000\r\n\r\n`, 413],
    ['413 by what came', `${post}${chunked}\r\n7a1200\r\n`, 413],
    ['413 by what came, and close', `${post}Connection: close\r\n${chunked}\r\n7a1200\r\n`, 413],
    ['400 before the body', `POST /echo HTTP/1.1\r\nHost: a b\r\nContent-Length: 8000000\r\n\r\n`, 400],
    ['400 by the parser', `${post}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 400],
    ['417', `${post}Expect: x\r\nContent-Length: 8000000\r\n\r\n`, 417]
  ]
  const megabyte = Buffer.alloc(1_000_000, 'x')
  for (const [name, head, status] of rows) {
    let answered = false
    const found = await exchange(port, '', {
      wait: 500,
      talk: async (socket) => {
        socket.pause().write(head)
        for (let i = 0; i < 8; i++) await new Promise((resolve) => socket.write(megabyte, resolve))
        await sleep(50)
        answered = true
        socket.resume()
      }
    })
    t.ok(answered)
    t.equal(found.responses[0]?.status, status, name)
    t.not(found.ending, 'reset', name)
  }
})

t.test('Expect: 100-continue', async (t) => {
  const expect = `${post}Expect: 100-continue\r\nContent-Length: 5\r\n`
  const good = await exchange(port, `${expect}\r\nhello`)
  t.same(
    good.responses.map(({ status }) => status),
    [100, 200]
  )
  t.equal(good.ending, 'open')
  const refused = await exchange(port, `${expect}X-Refuse: 1\r\n\r\n`, { wait: 1500 })
  t.same(
    refused.responses.map(({ status }) => status),
    [401],
    'no body is asked for in vain'
  )
  t.equal(refused.responses[0]?.headers.get('connection'), 'close')
  t.equal(refused.ending, 'closed')
  const large = await exchange(port, `${post}Expect: 100-continue\r\n${chunked}\r\n`)
  t.same(
    large.responses.map(({ status }) => status),
    [100]
  )
})

t.test('a client that has closed its sending half gets its answers', async (t) => {
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
  for (const text of [slow, slow + slow]) {
    const { responses, ending } = await exchange(port, '', {
      wait: 500,
      talk: async (socket) => {
        socket.end(text)
      }
    })
    t.same([responses.length * slow.length, ending], [text.length, 'closed'])
  }
})

t.test('after an answer that closes nothing is served any more', async (t) => {
  let served = 0
  const count = (): void => {
    served++
  }
  app.server.on('request', count)
  const { responses } = await exchange(port, '', {
    talk: async (socket) => {
      socket.write('POST /echo HTTP/1.1\r\nHost: a b\r\nContent-Length: 5\r\n\r\nhel')
      await sleep(50)
      socket.write(`lo${get}Host: a\r\n\r\n`)
      await sleep(100)
    }
  })
  app.server.off('request', count)
  t.same([served, responses.length], [1, 1])
})

t.test('errors that come again while earlier answers are pending are one error', async (t) => {
  const warnings: Error[] = []
  const warn = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', warn)
  const { responses } = await exchange(port, '', {
    wait: 1500,
    talk: async (socket) => {
      socket.setNoDelay().write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
      for (let i = 0; i < 20; i++) {
        await sleep(2)
        socket.write('garbage')
      }
    }
  })
  process.off('warning', warn)
  t.same(
    responses.map(({ status }) => status),
    [200, 400]
  )
  t.same(warnings, [])
})

t.test('a connection that broke is not written to', async (t) => {
  const written: string[] = []
  const socket = new Duplex({
    read() {},
    write: (chunk, _encoding, done) => done(void written.push(String(chunk)))
  })
  refuseConnection(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket, answer)
  await sleep(10)
  t.same([socket.destroyed, written], [true, []])
})

t.test('connections that are lost harm nobody', async (t) => {
  await exchange(port, '', {
    wait: 0,
    talk: async (socket) => {
      socket.write(`${post}Content-Length: 10\r\n\r\nhello`)
      await sleep(50)
      socket.resetAndDestroy()
    }
  })
  const half = await exchange(port, '', {
    wait: 500,
    talk: async (socket) => void socket.end(`${post}Content-Length: 10\r\n\r\nhello`)
  })
  t.match(
    failureIn(half),
    { code: 'malformed-http' },
    'a client that only closed its sending half is answered'
  )
  t.equal((await exchange(port, `${get}Host: a\r\n\r\n`)).responses[0]?.status, 200)
})

t.test('a silent client is cut off, and so is one that never stops', async (t) => {
  const started = performance.now()
  const silent = new Promise((resolve) =>
    app.server.once('connection', (socket) => socket.once('close', resolve))
  )
  await exchange(port, '', {
    wait: 3500,
    talk: async (socket) => {
      socket.write('garbage\r\n\r\n')
      await silent
    }
  })
  t.ok(performance.now() - started < 3400, 'silent')

  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const endless = Object.assign(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), {
    bytesRead: 0
  })
  closeGently(endless, 'bye')
  closeGently(endless, 'once only')
  for (let second = 0; second < 29; second++) {
    endless.bytesRead++
    mock.timers.tick(1000)
  }
  t.notOk(endless.destroyed, 'half a minute is enough for most')
  for (let second = 0; second < 2; second++) {
    endless.bytesRead++
    mock.timers.tick(1000)
  }
  t.ok(endless.destroyed, 'endless')
})

t.test('a service whose error body fails still answers', async (t) => {
  const broken = await listening(() => {
    throw new Error('broken')
  })
  t.teardown(() => broken.app.close())
  const found = await exchange(broken.port, 'garbage\r\n\r\n')
  t.same(
    found.responses.map(({ status, body }) => [status, body]),
    [[400, '']]
  )
})

t.test('what else fails inside the router is an internal failure, and tells nothing', async (t) => {
  const options = transportOptions(answer)
  const failing = Fastify(options)
  const error = new errorCodes.FST_ERR_ASYNC_CONSTRAINT()
  failing.get('/', (request, reply) => options.frameworkErrors?.(error, request, reply))
  t.same((await failing.inject('/')).json(), { code: 'internal', message: 'internal server error' })
})

function incoming(headers: Record<string, string> = {}): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers })
}

async function failureCode(reading: Promise<unknown>): Promise<string> {
  try {
    await reading
    return 'none'
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : 'unknown'
  }
}

t.test('readBody', async (t) => {
  const rows: [string[], number, string][] = [
    [[], 0, ''],
    [['hello'], 5, 'hello'],
    [['he', 'l', 'lo'], 5, 'hello'],
    [['he', 'llo!'], 5, 'body-too-large'],
    [['hello!'], 5, 'body-too-large']
  ]
  for (const [chunks, limit, want] of rows) {
    const request = incoming()
    const reading = readBody(request, limit).then(String, (error: FailureError) => error.failure.code)
    for (const chunk of chunks) request.push(Buffer.from(chunk))
    request.push(null)
    t.equal(await reading, want, chunks.join('|'))
  }
  t.equal(await failureCode(readBody(incoming({ 'content-length': '6' }), 5)), 'body-too-large')
  const short = incoming({ 'content-length': '6' })
  short.push(null)
  t.equal(await failureCode(readBody(short, 10)), 'malformed-http', 'other than declared')
  const lost = incoming()
  const reading = failureCode(readBody(lost, 10))
  lost.destroy(new Error('lost'))
  t.equal(await reading, 'malformed-http', 'lost while reading')
  t.equal(await failureCode(readBody(lost, 10)), 'malformed-http', 'lost before')
  const read = incoming()
  read.push(null)
  await readBody(read, 10)
  t.equal(String(await readBody(read, 10)), '', 'read before')
})

t.test('readBody keeps no more than the body, however small its chunks', async (t) => {
  const request = incoming()
  const reading = readBody(request, 200_000)
  for (let i = 0; i < 200_000; i++) request.push(Buffer.of(i % 256))
  request.push(null)
  const body = await reading
  t.equal(body.length, 200_000)
  t.ok(body.every((byte, index) => byte === index % 256))
  t.ok(body.buffer.byteLength <= 400_000)
  const endless = incoming()
  const refused = failureCode(readBody(endless, 10))
  for (let i = 0; i < 100; i++) endless.push(Buffer.alloc(10_000))
  t.equal(await refused, 'body-too-large')
  await sleep(10)
  t.equal(endless.readableLength, 0, 'the rest is discarded')
  endless.destroy(new Error('lost'))
  await sleep(10)
  t.ok(endless.destroyed, 'and its loss is nothing to anyone')
})
