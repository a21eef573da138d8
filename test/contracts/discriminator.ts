import type { Exchange } from './exchange.ts'

export default [
  {
    send: 'POST /mapped',
    body: { kind: 'cat', lives: 9 },
    answer: { status: 200, body: { kind: 'dog', bark: true, big: 1n, extra: 1 } },
    want: 200,
    got: { kind: 'dog', bark: true, big: 1 }
  },
  {
    send: 'POST /mapped',
    body: { kind: 'hound', bark: true, big: 3 },
    answer: { status: 200, body: { kind: 'cat', lives: 1 } },
    want: 200,
    seen: { body: { kind: 'hound', bark: true, big: 3n } }
  },
  { send: 'POST /mapped', body: { kind: 'cat' }, want: 400, message: 'body/lives is required' },
  { send: 'POST /mapped', body: { kind: 'fish' }, want: 400, message: 'body/kind must be one of' },
  { send: 'POST /mapped', body: { lives: 1 }, want: 400, message: 'body/kind is required' },
  {
    send: 'POST /mapped',
    body: { kind: 'cat', lives: 1 },
    answer: { status: 200, body: { kind: 'cat' } },
    want: 500
  },
  { send: 'POST /implied', body: { kind: 'Cat', lives: 9 }, want: 204 },
  { send: 'POST /implied', body: { kind: 'Dog', lives: 9 }, want: 400, message: 'body/bark is required' },
  { send: 'POST /shapes', body: { kind: 'circle', radius: 1, side: 1 }, want: 204 },
  { send: 'POST /shapes', body: { kind: 'ring', radius: 1 }, want: 204 },
  { send: 'POST /shapes', body: { kind: 'square', side: 1 }, want: 204 },
  { send: 'POST /shapes', body: { kind: 'square', radius: 1 }, want: 400, message: 'body/side is required' },
  { send: 'POST /shapes', body: { kind: 'line', side: 1 }, want: 400, message: 'body/kind must be one of' },
  { send: 'POST /partly', body: { kind: 'circle', side: 1 }, want: 400, message: 'body/radius is required' },
  { send: 'POST /partly', body: { kind: 'Square', side: 1 }, want: 204 },
  { send: 'POST /inherited', body: { type: 'Derived', more: 'x' }, want: 204 },
  {
    send: 'POST /inherited',
    body: { type: 'Further' },
    answer: {
      status: 200,
      body: [{ type: 'Further', more: 'x', id: 2n ** 60n, secret: 's', other: 'x' }, { type: 'Base' }]
    },
    want: 200,
    got: [{ type: 'Further', more: 'x', id: 2 ** 60 }, { type: 'Base' }]
  },
  { send: 'POST /inherited', body: { more: 'x' }, want: 400, message: 'body/type is required' }
] satisfies Exchange[]
