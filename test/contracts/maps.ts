import { type Exchange, exchangesOf } from './exchange.ts'

const { post, answers, breaks } = exchangesOf('POST /maps')

export default [
  answers({ labels: { id: 1, colour: 'green' } }, '{"labels":{"id":1,"colour":"green"}}'),
  breaks({ labels: { id: 1, colour: 2 } }),
  breaks({ labels: { id: 'a' } }),
  answers({ wide: { id: 2n ** 53n + 1n, on: true } }, '{"wide":{"id":9007199254740993,"on":true}}'),
  answers({ prefixed: { id: 1, 'x-a': 'b' } }, '{"prefixed":{"id":1,"x-a":"b"}}'),
  breaks({ prefixed: { id: 1, y: 'b' } }),
  answers({ open: { 'x-a': 'b' } }, '{"open":{"x-a":"b"}}'),
  answers({ split: { id: 1, 'x-a': 'b', other: [] } }, '{"split":{"id":1,"x-a":"b"}}'),
  breaks({ split: { 'x-a': 1 } }),
  answers({ patterns: { 'x-a': 'b', 'y-a': true, n: 1 } }, '{"patterns":{"x-a":"b","y-a":true,"n":1}}'),
  answers({ tree: { name: 'a', left: { right: {} } } }, '{"tree":{"name":"a","left":{"right":{}}}}'),
  answers({ nullable: { id: null, other: 'a' } }, '{"nullable":{"id":null,"other":"a"}}'),
  answers({ joined: { id: 1, other: 'a' } }, '{"joined":{"id":1,"other":"a"}}'),
  breaks({ joined: { id: 1, other: 2 } }),
  post('{"labels":{"id":1,"colour":2}}', { want: 400 }),
  post('{"labels":{"id":1,"colour":"green"}}', { want: 200 })
] satisfies Exchange[]
