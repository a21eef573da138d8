/** Serializers write what a schema declares, with exact numbers, and no writeOnly property. */
import t from 'tap'
import { read } from '../../../contracts/exchanges.ts'
import { type Json, request, serve } from '../../../engine/serve.ts'

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Json): Json => ({ type: 'object', properties })
const text: Json = { type: 'string' }
const int64: Json = { type: 'integer', format: 'int64' }

/** Returns nested objects or their schemas, with one value in the last. */
function nested(depth: number, leaf: Json, level: (inner: Json) => Json): Json {
  let whole = leaf
  for (let left = depth; left > 0; left--) whole = level(whole)
  return whole
}

type Row = readonly [schema: Json, body: Json, sent: Json]
const rows: readonly Row[] = [
  ...(read(`${import.meta.dirname}/serializers.yaml`) as readonly Row[]),
  [
    nested(40, object({ leaf: int64 }), (inner) => object({ in: inner })),
    nested(40, { leaf: 2n ** 53n + 1n, extra: 1 }, (inner) => ({ in: inner, extra: 1 })),
    nested(40, { leaf: 2n ** 53n + 1n }, (inner) => ({ in: inner }))
  ]
]

t.test('what a schema declares is sent', async (t) => {
  const operations = rows.map(([schema], index) => {
    const content = { 'application/json': { schema } }
    return [
      `/${index}`,
      { get: { operationId: `get${index}`, responses: { 200: { description: '', content } } } }
    ]
  })
  const schemas = {
    User: object({ name: text, password: { type: 'string', writeOnly: true } }),
    Secret: { type: 'string', writeOnly: true },
    A: object({ a: text }),
    'A-': object({ b: text }),
    A_: object({ c: text }),
    Tree: object({ id: int64, children: { type: 'array', items: ref('Tree') } }),
    Nest: { type: 'array', items: ref('Nest') }
  }
  const document = { paths: Object.fromEntries(operations), components: { schemas } }
  const handlers = Object.fromEntries(
    rows.map(([, body], index) => [`get${index}`, () => ({ status: 200, body })])
  )
  const { ask } = await serve(t, document, { handlers })
  const exactly = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
  for (const [index, [schema, , sent]] of rows.entries()) {
    const { status, body } = await ask(request(`GET /${index}`))
    t.same([status, body], [200, JSON.stringify(sent, exactly)], JSON.stringify(schema).slice(0, 200))
  }
})
