import type { Exchange } from './exchange.ts'

const add = (body: unknown, want: number, message?: string): Exchange => ({
  send: 'POST /things',
  body,
  want,
  answer: { status: 200, body: {} },
  ...(message === undefined ? {} : { message })
})
const all = {
  plain: null,
  size: null,
  open: null,
  other: null,
  list: null,
  map: null,
  pick: null,
  wide: null
}

export default [
  add({}, 200),
  add(all, 200),
  {
    send: 'POST /things',
    body: {},
    answer: { status: 200, body: { ...all, wide: 1n } },
    want: 200,
    got: { ...all, wide: 1 }
  },
  { send: 'POST /things', body: {}, answer: { status: 200, body: { other: {} } }, want: 500 },
  {
    send: 'POST /things',
    body: { wide: null },
    answer: { status: 200, body: {} },
    want: 200,
    seen: { body: { wide: null } }
  },
  {
    send: 'POST /things',
    body: { wide: 5 },
    answer: { status: 200, body: {} },
    want: 200,
    seen: { body: { wide: 5n } }
  },
  add({ size: 'small' }, 200),
  add({ size: 'medium' }, 400, 'body/size must be one of'),
  add({ size: '' }, 400),
  add({ ratio: 0 }, 400, 'body/ratio must be > 0'),
  add({ ratio: 1 }, 200),
  add({ ratio: 1.1 }, 400, 'body/ratio must be <= 1'),
  add({ only: 5 }, 200),
  add({ other: { a: 1 } }, 200),
  add({ other: {} }, 400, 'body/other'),
  add({ sibling: null }, 400, 'body/sibling must be object'),
  add({ list: [1, null] }, 200),
  add({ list: ['1'] }, 400, 'body/list/0 must be'),
  add({ map: { x: true } }, 200),
  add({ map: { x: 1 } }, 400, 'body/map/x must be boolean'),
  add({ pick: 'a' }, 200),
  add({ pick: 1.5 }, 400),
  add({ block: null }, 200),
  add({ block: { type: 'TextBlock', text: 'a' } }, 200),
  add({ block: { text: 'a' } }, 400, 'body/block/type is required'),
  add({ block: { type: 'TextBlock' } }, 400, 'body/block/text is required'),
  add({ plain: 1 }, 400, 'body/plain must be string or null'),
  add('"text"', 415),
  { send: 'POST /things', want: 400, message: 'a body is required' },
  {
    send: 'POST /things',
    headers: { 'content-type': 'application/json' },
    body: '{',
    want: 400,
    message: 'not valid JSON'
  }
] satisfies Exchange[]
