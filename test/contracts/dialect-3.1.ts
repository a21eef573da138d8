import type { Exchange } from './exchange.ts'

const add = (body: unknown, want: number, message?: string): Exchange => ({
  send: 'POST /things',
  body,
  want,
  answer: { status: 200, body: want === 200 ? body : {} },
  ...(want === 200 ? { got: body } : {}),
  ...(message === undefined ? {} : { message })
})

export default [
  add({ either: 'a' }, 200),
  add({ either: null }, 200),
  add({ either: 1.5 }, 400, 'body/either must be string, integer or null'),
  add({ pair: ['a', 1] }, 200),
  add({ pair: ['a', 'b'] }, 400, 'body/pair/1 must be integer'),
  add({ pair: ['a', 1, 2] }, 400, 'body/pair must have at most 2 items'),
  add({ tail: ['a', true] }, 200),
  add({ tail: ['a', 1] }, 400, 'body/tail/1 must be boolean'),
  add({ closed: { a: 1, b: 2 } }, 200),
  add({ closed: { a: 1, c: 2 } }, 400, 'body/closed/c is not allowed'),
  add({ rest: ['x', 1] }, 200),
  add({ rest: ['x', 'y'] }, 400),
  add({ sibling: 'abc' }, 200),
  add({ sibling: 'a' }, 400, 'body/sibling must have at least 2 characters'),
  add({ sibling: 'abcd' }, 400, 'body/sibling must have at most 3 characters'),
  add({ local: 10 }, 200),
  add({ local: 9 }, 400, 'body/local must be >= 10'),
  add({ fixed: { a: [1, 2.5] } }, 200),
  add({ fixed: { a: [1] } }, 400, 'body/fixed must be'),
  add({ nothing: null }, 200),
  add({ nothing: 0 }, 400),
  add({ numbers: 2.5 }, 200),
  add({ numbers: 3 }, 400, 'body/numbers must be one of 1, 2.5, -3'),
  add({ shape: { kind: 'circle', radius: 1 } }, 200),
  add({ shape: { kind: 'circle' } }, 400, 'body/shape/radius is required'),
  add({ shape: { kind: 'square' } }, 400, 'body/shape/side is required'),
  add({ card: { number: 1, expiry: 2 } }, 200),
  add({ card: { number: 1 } }, 400, 'body/card/expiry is required when number is present'),
  add({ card: { debit: 1 } }, 400, 'body/card/bank is required'),
  add({ any: { x: [1] } }, 200),
  add({ never: 1 }, 400, 'body/never is not allowed'),
  add({ names: { abc: 1 } }, 200),
  add({ names: { ABC: 1 } }, 400, 'body/names/ABC is not an allowed name'),
  add({ patterned: { n_a: 1, b: 'x' } }, 200),
  add({ patterned: { n_a: 'x' } }, 400, 'body/patterned/n_a must be integer'),
  add({ patterned: { b: 1 } }, 400, 'body/patterned/b must be string'),
  add({ some: [7, 1, 7] }, 200),
  add({ some: [7, 7, 7] }, 400, 'body/some must contain'),
  add({ unique: [1, '1', true] }, 200),
  add(
    {
      unique: [
        { a: 1, b: 2 },
        { b: 2, a: 1.0 }
      ]
    },
    400,
    'body/unique must not have equal items'
  ),
  add({ equal: [1, 1] }, 200),
  add({ none: 'x' }, 400, 'body/none must be one of'),
  add({ above: 2.5 }, 200),
  add({ above: 3 }, 400, 'body/above must be < 3'),
  add({ above: 1.2 }, 400, 'body/above must be a multiple of 0.5'),
  add({ no: 1 }, 200),
  add({ no: 'x' }, 400, 'body/no'),
  add({ encoded: 'aGk=' }, 200),
  add({ allTrue: 1 }, 200),
  add({ allTrue: 'x' }, 400),
  add({ allFalse: 1 }, 200),
  add({ allFalse: 'x' }, 400)
] satisfies Exchange[]
