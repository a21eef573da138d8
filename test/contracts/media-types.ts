import type { Exchange } from './exchange.ts'

const ok = { status: 200, body: { a: 1, extra: 2 } }

const textJson = { 'content-type': 'text/json; charset=utf-8', accept: 'text/json' }

export default [
  {
    send: 'POST /text-json',
    headers: textJson,
    body: '{"a":9007199254740993}',
    answer: ok,
    want: 200,
    seen: { body: { a: 9007199254740993n }, mediaType: 'text/json' },
    got: '{"a":1}',
    gotHeaders: { 'content-type': 'text/json' }
  },
  {
    send: 'POST /text-json',
    headers: textJson,
    body: '{"a":"x"}',
    want: 400,
    message: 'body/a must be integer'
  },
  {
    send: 'POST /text-json',
    headers: { 'content-type': 'application/vnd.a+json' },
    body: '{}',
    want: 415,
    message: 'send text/json'
  },
  {
    send: 'POST /documents',
    body: { a: 1 },
    answer: ok,
    want: 200,
    seen: { mediaType: 'application/json' },
    got: { a: 1 },
    gotHeaders: { 'content-type': 'application/json' }
  },
  {
    send: 'POST /documents',
    headers: { accept: 'text/csv' },
    answer: { status: 200, body: 'a\n1' },
    want: 200,
    got: 'a\n1',
    gotHeaders: { 'content-type': 'text/csv; charset=utf-8' }
  },
  { send: 'POST /documents', headers: { accept: 'image/png' }, answer: ok, want: 406 },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'APPLICATION/JSON; charset=UTF-8' },
    body: '{"a":1}',
    answer: ok,
    want: 200
  },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'application/vnd.thing+json;version=2' },
    body: '{"b":1}',
    answer: ok,
    want: 200,
    seen: { mediaType: 'application/vnd.thing+json; version=2' }
  },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'application/vnd.thing+json;version=2' },
    body: '{"a":1}',
    want: 400,
    message: 'body/b is required'
  },
  { send: 'POST /documents', headers: { 'content-type': 'application/xml' }, body: '<a/>', want: 415 },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'text/plain' },
    body: 'hello',
    answer: ok,
    want: 200,
    seen: { body: 'hello' }
  },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'text/plain' },
    body: 'hello!',
    want: 400,
    message: 'body must have at most 5 characters'
  },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from([0xff]),
    want: 400
  },
  {
    send: 'POST /documents',
    headers: { 'content-type': 'image/png' },
    body: Buffer.from([1, 255]),
    answer: ok,
    want: 200,
    seen: { body: Buffer.from([1, 255]) }
  },
  { send: 'POST /documents', headers: { 'content-encoding': 'gzip' }, body: { a: 1 }, want: 415 },
  { send: 'POST /documents', headers: { 'content-type': 'text/html' }, body: 'x', want: 415 },
  {
    send: 'POST /anything',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    answer: { status: 200, body: { x: 1 } },
    want: 200,
    seen: { body: { a: 1 } },
    got: { x: 1 },
    gotHeaders: { 'content-type': 'application/json' }
  },
  {
    send: 'POST /anything',
    headers: { 'content-type': 'a/b' },
    body: 'zz',
    answer: { status: 200, body: 'text' },
    want: 200,
    seen: { body: Buffer.from('zz') },
    got: 'text'
  },
  { send: 'POST /anything', want: 400, message: 'a body is required' },
  {
    send: 'POST /anything',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    answer: { status: 200, body: 'x', headers: { 'content-type': 'text/plain' } },
    want: 200,
    seen: { body: { a: '1' } }
  },
  {
    send: 'PUT /bytes',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from([0, 1]),
    answer: { status: 200, body: Buffer.from('ab') },
    want: 200,
    seen: { body: Buffer.from([0, 1]) },
    got: 'ab'
  },
  { send: 'PUT /bytes', body: { a: 1 }, want: 415 }
] satisfies Exchange[]
