import type { Exchange } from './exchange.ts'

const plants = [
  { id: 9007199254740993n, name: 'fern', secret: 1 },
  { id: 2, name: 'a\nb' }
]

export default [
  {
    send: 'GET /lines',
    answer: { status: 200, body: plants },
    want: 200,
    got: '{"id":9007199254740993,"name":"fern"}\n{"id":2,"name":"a\\nb"}\n',
    gotHeaders: { 'content-type': 'application/jsonl', 'content-length': undefined }
  },
  { send: 'GET /lines', answer: { status: 200, body: [{ id: 'one' }] }, want: 500 },
  { send: 'GET /lines', answer: { status: 200, body: '{"id":1}\n' }, want: 500 },
  { send: 'GET /lines', answer: { status: 200, body: [] }, want: 200, got: '' },
  {
    send: 'POST /lines',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{"id":1}\n',
    want: 204,
    seen: { operation: 'store' }
  },
  {
    send: 'GET /listed',
    answer: { status: 200, body: new Set(plants) },
    want: 200,
    got: '\x1e{"id":9007199254740993,"name":"fern"}\n\x1e{"id":2,"name":"a\\nb"}\n'
  },
  { send: 'GET /single', answer: { status: 200, body: [{ id: 1 }] }, want: 200, got: '{"id":1}\n' },
  {
    send: 'GET /events',
    answer: {
      status: 200,
      body: [{ data: plants[0], event: 'plant', id: 9007199254740993n, retry: 10 }, { data: plants[1] }]
    },
    want: 200,
    got:
      'event: plant\nid: 9007199254740993\nretry: 10\ndata: {"id":9007199254740993,"name":"fern"}\n\n' +
      'data: {"id":2,"name":"a\\nb"}\n\n',
    gotHeaders: { 'content-type': 'text/event-stream; charset=utf-8' }
  },
  { send: 'GET /events', answer: { status: 200, body: [{ data: 'text' }] }, want: 500 },
  { send: 'GET /data', answer: { status: 200, body: [{ id: 1 }] }, want: 200, got: 'data: {"id":1}\n\n' },
  {
    send: 'GET /mixed',
    answer: {
      status: 200,
      body: [
        { event: 'word', data: 'one\r\ntwo\rthree\n' },
        { event: 'plant', data: { id: 1, secret: 1 } },
        { event: 'plant' }
      ]
    },
    want: 200,
    got:
      'event: word\ndata: one\ndata: two\ndata: three\ndata: \n\n' +
      'event: plant\ndata: {"id":1}\n\nevent: plant\n\n'
  },
  { send: 'GET /mixed', answer: { status: 200, body: [{ event: 'plant', data: 'text' }] }, want: 500 },
  { send: 'GET /mixed', answer: { status: 200, body: [{ event: 'word', data: { id: 1 } }] }, want: 500 },
  { send: 'GET /text', answer: { status: 200, body: 'data: 1\n\n' }, want: 200, got: 'data: 1\n\n' }
] satisfies Exchange[]
