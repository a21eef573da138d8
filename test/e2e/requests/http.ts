/** Methods, URLs and HTTP itself (RFC 9110, section 9; RFC 9112). */
import { accepted, chunked, fresh, head, post, type Row, refused, token } from './row.ts'

const usual = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`

const method = (name: string): Row =>
  refused(4050, name, head(`${name} /plants`), 'RFC 9110, 15.5.6', { message: /allowed: POST$/ })

const path = (target: string, why = 'RFC 9110, 15.5.5'): Row =>
  refused(4040, `POST ${target.slice(0, 40)}`, head(`POST ${target}`), why)

const url = (target: string): Row =>
  refused(4000, `bad URL ${target.slice(0, 40)}`, head(`POST ${target}`), 'RFC 3986, 2.1')

const malformed = (name: string, request: string | Buffer, why: string): Row =>
  refused(4000, name, request, why, { headers: { connection: /^close$/i }, ending: 'closed' })

const late = (name: string, request: string | Buffer): Row =>
  refused(4080, name, request, 'RFC 9110, 15.5.9', { ending: 'closed' })

const line = (first: string, more = '') => `${first}\r\n${usual}${more}\r\n`
const withBody = (first: string, body: string) => line(first, `Content-Length: ${body.length}\r\n`) + body

export const http: readonly Row[] = [
  ...'GET PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND M-SEARCH'.split(' ').map(method),
  refused(
    4050,
    'GET with a body of an unknown media type',
    head('GET /plants', { 'Content-Type': 'x', 'Content-Length': '3' }).concat('abc'),
    'the method before the body'
  ),
  refused(
    4050,
    'GET without a token',
    head('GET /plants', { Authorization: undefined }),
    'no operation, no security'
  ),
  refused(4050, 'PUT of an encoded path', head('PUT /%70lants'), 'RFC 3986, 6.2.2.2'),
  refused(4050, 'PUT with a query', head('PUT /plants?x=1'), 'RFC 9110, 15.5.6'),
  refused(4050, 'CONNECT', head('CONNECT localhost:80'), 'RFC 9110, 9.3.6', { ending: 'closed' }),
  refused(4050, 'POST http://localhost', head('POST http://localhost'), 'RFC 9112, 3.2.2: the root', {
    headers: { allow: /^GET, HEAD$/ }
  }),
  path('/'.concat('plant')),
  path('/plants/'),
  path('/plants/1'),
  path('/Plants', 'RFC 3986, 6.2.2.1: paths are case-sensitive'),
  path('//plants', 'RFC 3986, 3.3'),
  path('/./plants', 'RFC 3986, 5.2.4 is for clients'),
  path('/plants%2F', 'RFC 3986, 2.2'),
  path('/plants;x=1', 'RFC 3986, 3.3'),
  path(`/${'x'.repeat(8000)}`),
  refused(4040, 'OPTIONS *', head('OPTIONS *'), 'RFC 9112, 3.2.4'),
  refused(
    4040,
    'an unknown path, with a body of an unknown media type',
    head('POST /x', { 'Content-Type': 'x', 'Content-Length': '3' }).concat('abc'),
    'the path before the body'
  ),
  url('/%'),
  url('/plants%zz'),
  url('/plants%c3%28'),
  url('/%ff'),
  accepted('a query', 'contract: none declared', (body) => withBody('POST /plants?a=b&c=%zz HTTP/1.1', body)),
  accepted('an encoded path', 'RFC 3986, 6.2.2.2', (body) => withBody('POST /%70lants HTTP/1.1', body)),
  accepted('absolute-form', 'RFC 9112, 3.2.2', (body) =>
    withBody('POST http://localhost/plants HTTP/1.1', body)
  ),
  accepted('absolute-form with another host', 'RFC 9112, 3.2.2', (body) =>
    withBody('POST HTTP://other:1/plants HTTP/1.1', body)
  ),
  accepted('HTTP/1.0', 'RFC 9112, 9.3', (body) => withBody('POST /plants HTTP/1.0', body)),
  accepted('HTTP/1.0 without Host', 'RFC 9112, 3.2', (body) =>
    withBody('POST /plants HTTP/1.0', body).replace('Host: localhost\r\n', '')
  ),
  accepted(
    'empty lines before',
    'RFC 9112, 2.2',
    (body) => `\r\n\r\n${withBody('POST /plants HTTP/1.1', body)}`
  ),
  accepted('headers in capitals', 'RFC 9110, 5.1', (body) =>
    withBody('POST /plants HTTP/1.1', body).replace(/^(Host|Auth\w+|Content-\w+):/gm, (name) =>
      name.toUpperCase()
    )
  ),
  accepted('2,000 headers', 'within 16 KB', (body) =>
    withBody(`POST /plants HTTP/1.1\r\n${'a:\r\n'.repeat(2000)}X: y`, body)
  ),
  accepted('Upgrade', 'RFC 9110, 7.8: may be ignored', (body) =>
    post(body, { Connection: 'Upgrade', Upgrade: 'websocket' })
  ),
  accepted('Upgrade: h2c', 'RFC 9110, 7.8: may be ignored', (body) =>
    post(body, { Connection: 'Upgrade', Upgrade: 'h2c' })
  ),
  accepted('Expect: 100-continue with the body', 'RFC 9110, 10.1.1', (body) =>
    post(body, { Expect: '100-Continue' })
  ),
  accepted(
    'chunk extensions and trailers',
    'RFC 9112, 7.1',
    (body) =>
      `${head('POST /plants', { 'Transfer-Encoding': 'chunked' })}${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX: y\r\n\r\n`
  ),
  malformed('POST *', head('POST *'), 'RFC 9112, 3.2.4: only for OPTIONS'),
  malformed('no Host', line('POST /plants HTTP/1.1').replace('Host: localhost\r\n', ''), 'RFC 9112, 3.2'),
  malformed('two Hosts', line('POST /plants HTTP/1.1', 'Host: localhost\r\n'), 'RFC 9112, 3.2'),
  malformed('an empty Host', head('POST /plants', { Host: '' }), 'RFC 9112, 3.2'),
  malformed('an invalid Host', head('POST /plants', { Host: 'a/b' }), 'RFC 9112, 3.2'),
  malformed('two Hosts for an unknown path', line('GET /x HTTP/1.1', 'Host: b\r\n'), 'RFC 9112, 3.2'),
  malformed(
    'two Hosts for a path outside the contract',
    line('GET /-/live HTTP/1.1', 'Host: b\r\n'),
    'RFC 9112, 3.2'
  ),
  malformed(
    'Content-Length and Transfer-Encoding',
    chunked(['{}'], { 'Content-Length': '4' }),
    'RFC 9112, 6.1'
  ),
  malformed('two Content-Lengths', post('{}', { 'Content-Length': ['2', '3'] }), 'RFC 9112, 6.3'),
  malformed('a list of Content-Lengths', post('{}', { 'Content-Length': '2, 2' }), 'RFC 9112, 6.3'),
  malformed('a negative Content-Length', post('{}', { 'Content-Length': '-1' }), 'RFC 9110, 8.6'),
  malformed('a Content-Length in words', post('{}', { 'Content-Length': 'two' }), 'RFC 9110, 8.6'),
  malformed(
    'Transfer-Encoding: identity',
    post('{}', { 'Transfer-Encoding': 'identity', 'Content-Length': undefined }),
    'RFC 9112, 6.1'
  ),
  malformed(
    'Transfer-Encoding: gzip, chunked',
    chunked(['{}'], { 'Transfer-Encoding': 'gzip, chunked' }),
    'RFC 9112, 6.1'
  ),
  malformed(
    'Transfer-Encoding: xchunked',
    chunked(['{}'], { 'Transfer-Encoding': 'xchunked' }),
    'RFC 9112, 6.1'
  ),
  malformed(
    'chunked in HTTP/1.0',
    `${line('POST /plants HTTP/1.0', 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n`,
    'RFC 9112, 6.1'
  ),
  malformed(
    'an invalid chunk size',
    `${head('POST /plants', { 'Transfer-Encoding': 'chunked' })}zz\r\n`,
    'RFC 9112, 7.1'
  ),
  malformed('a space before the colon', line('POST /plants HTTP/1.1', 'X : y\r\n'), 'RFC 9112, 5.1'),
  malformed('a folded header', line('POST /plants HTTP/1.1', 'X: y\r\n z\r\n'), 'RFC 9112, 5.2'),
  malformed('NUL in a header', line('POST /plants HTTP/1.1', 'X: y\0\r\n'), 'RFC 9110, 5.5'),
  malformed('a bare CR', line('POST /plants HTTP/1.1', 'X: y\rz\r\n'), 'RFC 9112, 2.2'),
  malformed('a header without a colon', line('POST /plants HTTP/1.1', 'nothing\r\n'), 'RFC 9112, 5'),
  malformed('HTTP/0.9', 'GET /plants\r\n\r\n', 'HTTP/0.9 has no answer with a status'),
  malformed(
    'HTTP/2 by prior knowledge',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    'RFC 9113, 3.4'
  ),
  malformed('HTTP/3.0', line('POST /plants HTTP/3.0'), 'RFC 9110, 2.5'),
  malformed('an unknown method', line('PLANT /plants HTTP/1.1'), 'RFC 9110, 9'),
  malformed('a method in lower case', line('post /plants HTTP/1.1'), 'RFC 9110, 9.1'),
  malformed('TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'not HTTP'),
  malformed('garbage', 'garbage\r\n\r\n', 'not HTTP'),
  malformed('a space in the path', line('POST /pla nts HTTP/1.1'), 'RFC 9112, 3.2'),
  refused(
    4310,
    'headers of 20 KB',
    line('POST /plants HTTP/1.1', `X: ${'y'.repeat(20_000)}\r\n`),
    'RFC 6585, 5',
    { ending: 'closed' }
  ),
  refused(4310, 'a path of 20 KB', head(`POST /${'x'.repeat(20_000)}`), 'RFC 6585, 5: the whole head', {
    ending: 'closed'
  }),
  refused(
    4170,
    'Expect of something else',
    post(fresh().body, { Expect: 'a-miracle' }),
    'RFC 9110, 15.5.18',
    { ending: 'closed' }
  ),
  late('a head that never ends', `POST /plants HTTP/1.1\r\n${usual}`),
  late('a body that never ends', post('{"id":1', { 'Content-Length': '100' })),
  late('chunks that never end', chunked(['{"id":1']).subarray(0, -5))
]
