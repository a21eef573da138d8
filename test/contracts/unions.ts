import type { Exchange } from './exchange.ts'

const get = (body: object, got: unknown, want = 200): Exchange => ({
  send: 'GET /things',
  answer: { status: 200, body },
  want,
  ...(want === 200 ? { got } : {})
})

export default [
  get({ any: { a: 'x', z: 1 } }, { any: { a: 'x' } }),
  get({ any: { b: 9007199254740993n, a: 1 } }, '{"any":{"a":1,"b":9007199254740993}}'),
  get({ loose: { a: 5, c: 1 } }, { loose: { a: 5, c: 1 } }),
  get({ list: ['a'] }, { list: ['a'] }),
  get({ list: [{ x: 1, y: 2 }] }, { list: [{ x: 1 }] }),
  get(
    { required: { undeclared: [1], declared: 1, other: 1 } },
    { required: { undeclared: [1], declared: 1 } }
  ),
  get({ open: { x: { y: 1n } }, free: [1n, { z: null }] }, { open: { x: { y: 1 } }, free: [1, { z: null }] }),
  get({ typed: { a: 1, x: 9007199254740993n } }, '{"typed":{"a":1,"x":9007199254740993}}'),
  get({ all: { a: 1, b: 2, c: 3 } }, { all: { a: 1, b: 2 } }),
  get({ narrow: 1, narrowed: 2 }, { narrow: 1, narrowed: 2 }),
  get({ narrow: 1.5 }, undefined, 500),
  get({ narrowed: 'x' }, undefined, 500),
  get({ closed: { a: 1 } }, { closed: { a: 1 } }),
  get({ closed: { a: 1, b: 1 } }, undefined, 500),
  get({ either: 'x' }, { either: 'x' }),
  get({ either: { a: 1, b: 2 } }, { either: { a: 1 } }),
  get({ conditional: { b: 7 } }, { conditional: { b: 7 } }),
  get({ conditional: { a: 1, b: 'x', c: 1 } }, { conditional: { a: 1, b: 'x' } }),
  get({ conditional: { a: 1, b: 7 } }, undefined, 500),
  get({ any: {} }, undefined, 500)
] satisfies Exchange[]
