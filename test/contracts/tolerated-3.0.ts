import type { Exchange } from './exchange.ts'

const body = { rate: { value: 1.5 }, list: [{ value: 2 }], id: 'a', nothing: null, either: 'a', above: 2 }
const answer = { ...body, made: 'b', either: 1 }

export default [
  { send: 'GET /things?id=a', want: 204, seen: { operation: 'listThings', query: { id: 'a' } } },
  {
    send: 'POST /things',
    body,
    answer: { status: 200, body: answer },
    want: 200,
    seen: { operation: 'addThing', body },
    got: answer
  },
  { send: 'POST /things', body: { made: 'b' }, want: 400, message: 'body/made' },
  { send: 'POST /things', body: { rate: 1 }, want: 400, message: 'body/rate must be object' },
  { send: 'POST /things', body: { list: [null] }, want: 400, message: 'body/list/0 must be object' },
  { send: 'POST /things', body: { nothing: 1 }, want: 400, message: 'body/nothing must be null' },
  { send: 'POST /things', body: { above: 1 }, want: 400, message: 'body/above must be' },
  { send: 'POST /things', body: { either: true }, want: 400, message: 'body/either must be' }
] satisfies Exchange[]
