import t from 'tap'
import { exchange } from './raw-client.ts'
import { bodyLimit, chunked, failureIn, get, listening, post } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('malformed HTTP is a 400 that ends the connection', async (t) => {
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
    'a fragment': 'POST /echo#x HTTP/1.1\r\nHost: a\r\n\r\n',
    'a fragment in an absolute target': 'GET http://b/echo?q#x HTTP/1.1\r\nHost: a\r\n\r\n',
    'an asterisk without OPTIONS': 'GET * HTTP/1.1\r\nHost: a\r\n\r\n',
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

t.test('unusual requests that are well-formed are served', async (t) => {
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
