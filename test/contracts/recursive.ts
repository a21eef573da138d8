import type { Exchange } from './exchange.ts'

const deep = (levels: number): string => `${'{"id":1,"children":['.repeat(levels)}${']}'.repeat(levels)}`
const json = { 'content-type': 'application/json' }

export default [
  {
    send: 'POST /trees',
    headers: json,
    body: '{"id":9007199254740993,"children":[{"id":2,"parent":null}],"named":{"__x":{"id":3}}}',
    answer: {
      status: 200,
      body: { id: 9007199254740993n, parent: { id: 1n, extra: 1 }, children: [{ id: 2n }] }
    },
    want: 200,
    seen: {
      body: { id: 9007199254740993n, children: [{ id: 2n, parent: null }], named: { __x: { id: 3n } } }
    },
    got: '{"id":9007199254740993,"children":[{"id":2}],"parent":{"id":1}}'
  },
  {
    send: 'POST /trees',
    body: { id: 1, children: [{ id: 1, children: [{}] }] },
    want: 400,
    message: 'body/children/0/children/0/id is required'
  },
  {
    send: 'POST /trees',
    body: { id: 1, named: { a: { id: '1' } } },
    want: 400,
    message: 'body/named/a/id must be integer'
  },
  { send: 'POST /trees', body: { id: 1, parent: {} }, want: 400, message: 'body/parent/id is required' },
  {
    send: 'POST /trees',
    headers: json,
    body: deep(500),
    answer: { status: 200, body: { id: 1n } },
    want: 200
  },
  { send: 'POST /trees', headers: json, body: deep(40_000), want: 400, message: 'nested too deeply' },
  {
    send: 'PUT /expressions',
    body: { left: 1, right: { left: 2, right: 3.5 } },
    answer: { status: 200, body: { left: 1, right: { left: 2, right: 3 } } },
    want: 200,
    got: { left: 1, right: { left: 2, right: 3 } }
  },
  { send: 'PUT /expressions', body: { left: 1, right: { left: 2 } }, want: 400 },
  {
    send: 'POST /values',
    body: ['a', 1, [{ b: [2] }]],
    answer: { status: 200, body: [1n, { id: 1, c: ['d', 2n] }] },
    want: 200,
    seen: { body: ['a', 1n, [{ b: [2n] }]] },
    got: [1, { id: 1, c: ['d', 2] }]
  },
  { send: 'POST /values', body: [[true]], want: 400 },
  { send: 'POST /layers', body: [[[]]], answer: { status: 200, body: [[[[]]]] }, want: 200, got: [[[[]]]] },
  { send: 'POST /layers', body: [[[1]]], want: 400, message: 'body/0/0/0 must be array' },
  {
    send: 'POST /blocks',
    body: { type: 'size', size: 1, inner: { type: 'text', text: 'a' } },
    answer: { status: 200, body: { type: 'text', text: 'a', inner: { type: 'size', size: 2n, extra: 1 } } },
    want: 200,
    seen: { body: { type: 'size', size: 1n, inner: { type: 'text', text: 'a' } } },
    got: '{"type":"text","inner":{"type":"size","size":2},"text":"a"}'
  },
  { send: 'POST /blocks', body: { type: 'size', text: 'a' }, want: 400, message: 'body/size is required' },
  {
    send: 'POST /blocks',
    body: { type: 'text', text: 'a', inner: { type: 'text' } },
    want: 400,
    message: 'body/inner/text is required'
  },
  { send: 'POST /blocks', body: { text: 'a' }, want: 400, message: 'body/type is required' }
] satisfies Exchange[]
