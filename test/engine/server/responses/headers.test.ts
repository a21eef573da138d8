import t from 'tap'
import type { ResponseHeader } from '../../../../src/engine/model/compiled-contract.ts'
import { checks } from '../../../../src/engine/server/responses/body.ts'
import { checkedHeaders } from '../../../../src/engine/server/responses/headers.ts'

const nothingCompiled = checks({ validators: {}, serializers: {} })
const header = (name: string, more: Partial<ResponseHeader> = {}): ResponseHeader => ({
  name,
  required: false,
  ...more
})
const declared = {
  content: [],
  headers: [header('x-json', { json: true }), header('x-flat'), header('x-exploded', { explode: true })]
}

t.test('header values are written as text', async (t) => {
  const rows: [name: string, value: unknown, want: string | string[]][] = [
    ['X-Flat', 'a', 'a'],
    ['x-flat', 5n, '5'],
    ['x-flat', [1, 2], '1, 2'],
    ['x-flat', { R: 100, G: undefined, B: 5 }, 'R,100,B,5'],
    ['x-exploded', { R: 100, B: 5 }, 'R=100,B=5'],
    ['x-json', { a: [9007199254740993n] }, '{"a":[9007199254740993]}'],
    ['x-json', '€', '"\\u20ac"'],
    ['set-cookie', ['a=1', 'b=2'], ['a=1', 'b=2']]
  ]
  for (const [name, value, want] of rows)
    t.same(
      [...checkedHeaders({ [name]: value }, declared, nothingCompiled).values()],
      [want],
      `${name} ${want}`
    )
})

t.test('a header that would break the message is refused', async (t) => {
  const rows: [name: string, value: unknown, message: RegExp][] = [
    ['x y', 'a', /not a header name/],
    ['Trailer', 'a', /cannot be set by a handler/],
    ['x-flat', 'a\r\nb: c', /a character that is not allowed/],
    ['x-flat', { a: 'b\n' }, /a character that is not allowed/],
    ['x-flat', [null], /neither a text nor a number/]
  ]
  for (const [name, value, message] of rows)
    t.throws(() => checkedHeaders({ [name]: value }, declared, nothingCompiled), { message }, name)
})
