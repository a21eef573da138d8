import { Duplex } from 'node:stream'
import t from 'tap'
import { refuseConnection } from '../../../../src/engine/server/transport/client-error.ts'
import { sleep } from '../../../time.ts'
import { exchange } from './raw-client.ts'
import { chunked, failureIn, get, listening, post, render } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('errors of the parser and expired time-outs end the connection with their status', async (t) => {
  const impatient = await listening(render, 400)
  t.teardown(() => impatient.app.close())
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
    const found = await exchange(status === 408 ? impatient.port : port, text, { wait: 2500 })
    t.match(failureIn(found), { code }, name)
    t.equal(found.responses[0]?.status, status, name)
    t.equal(found.responses[0]?.headers.get('connection'), 'close', name)
    t.equal(found.ending, 'closed', name)
  }
})

t.test('responses come in order, and each request gets one', async (t) => {
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
  const statuses = async (text: string): Promise<unknown> => {
    const { responses, ending } = await exchange(port, text, { wait: 1500 })
    return [...responses.map(({ status }) => status), ending]
  }
  t.same(await statuses(`${slow}garbage\r\n\r\n`), [200, 400, 'closed'], 'garbage behind a request')
  t.same(await statuses(`${slow}${slow}garbage\r\n\r\n`), [200, 200, 400, 'closed'], 'garbage behind two')
  t.same(await statuses(`${slow}CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n`), ['closed'], 'CONNECT behind one')
  const both = await statuses(`${post}X-Refuse: 1\r\n${chunked}\r\nzz\r\n`)
  t.same(both, [401, 'closed'], 'a refused request with a broken body')
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

t.test('a request is late as soon as its time-out is over, whatever Node reports first', async (t) => {
  // Node does not look for late requests during the test.
  const { app, port } = await listening(render, 300, 600_000)
  t.teardown(() => app.close())
  const rows: readonly (readonly [name: string, text: string, rest: string])[] = [
    ['a body', `${post}Content-Length: 10\r\n\r\nhello`, ''],
    ['a body in chunks', `${post}${chunked}\r\n5\r\nhello\r\n`, ''],
    ['a broken chunk', `${post}${chunked}\r\n5\r\nhello\r\n`, 'zz\r\n'],
    ['headers', `${get}Host: a\r\n`, ''],
    ['broken headers', `${get}Host: a\r\n`, 'broken\r\n\r\n']
  ]
  for (const [name, text, rest] of rows)
    for (const isLate of [true, false]) {
      const { responses } = await exchange(port, '', {
        wait: 3000,
        talk: async (socket) => {
          socket.write(text)
          if (isLate) await sleep(500)
          socket.end(rest)
        }
      })
      t.strictSame(
        responses.map(({ status }) => status),
        [isLate ? 408 : 400],
        name
      )
    }
})

t.test('several parser errors on one connection get one response', async (t) => {
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

t.test('nothing is written to a broken connection', async (t) => {
  const written: string[] = []
  const socket = new Duplex({
    read() {},
    write: (chunk, _encoding, done) => done(void written.push(String(chunk)))
  })
  refuseConnection(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket, render)
  await sleep(10)
  t.same([socket.destroyed, written], [true, []])
})

t.test('the server keeps serving after a client resets its connection', async (t) => {
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
