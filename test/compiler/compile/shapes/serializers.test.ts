/** Serializers write what a schema declares, with exact numbers, and no writeOnly property. */
import t from 'tap'
import { type Json, request, serve } from '../../../engine/serve.ts'

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Json): Json => ({ type: 'object', properties })
const list = (items: Json): Json => ({ type: 'array', items })
const text: Json = { type: 'string' }
const int64: Json = { type: 'integer', format: 'int64' }
const long = 9007199254740993n

/** Returns nested objects or their schemas, with one value in the last. */
function nested(depth: number, leaf: Json, level: (inner: Json) => Json): Json {
  let whole = leaf
  for (let left = depth; left > 0; left--) whole = level(whole)
  return whole
}

const user: Json = {
  type: 'object',
  properties: { name: text, password: { type: 'string', writeOnly: true } }
}
const untyped: Json = { properties: { password: { writeOnly: true } } }
const [name, full] = [{ name: 'a' }, { name: 'a', password: 'p' }]

/** Schemas of a response, with what is sent of a body; `writeOnly` properties never (JSON Schema validation, 9.4). */
const rows: readonly (readonly [schema: Json, body: Json, sent: Json])[] = [
  [user, full, name],
  [
    { ...user, additionalProperties: true },
    { ...full, more: 1 },
    { ...name, more: 1 }
  ],
  [
    { ...user, additionalProperties: { type: 'string' } },
    { ...full, more: '1' },
    { ...name, more: '1' }
  ],
  [
    { ...user, unevaluatedProperties: true },
    { ...full, more: 1 },
    { ...name, more: 1 }
  ],
  [
    { ...user, patternProperties: { '^p': { type: 'string' } } },
    { ...full, pin: '1' },
    { ...name, pin: '1' }
  ],
  [{ allOf: [user, { additionalProperties: true }] }, full, name],
  [{ anyOf: [user, { type: 'object' }] }, { ...full, more: 1 }, { ...name, more: 1 }],
  [{ oneOf: [user, { type: 'string' }] }, full, name],
  [{ ...user, required: ['password'], additionalProperties: {} }, full, name],
  [untyped, full, {}],
  [{ ...untyped, additionalProperties: true }, full, name],
  [{ additionalProperties: user }, { x: full }, { x: name }],
  [
    { allOf: [{ patternProperties: { '^x': user } }, { additionalProperties: true }] },
    { x: full, y: full },
    { x: name, y: full }
  ],
  [{ allOf: [{ additionalProperties: user }, { additionalProperties: true }] }, { x: full }, { x: name }],
  [
    { allOf: [{ additionalProperties: { type: 'array', items: user } }, { additionalProperties: {} }] },
    { x: [full] },
    { x: [name] }
  ],
  [{ additionalProperties: { additionalProperties: user } }, { x: { y: full } }, { x: { y: name } }],
  [
    { patternProperties: { '^x': user }, additionalProperties: true },
    { x: full, y: full },
    { x: name, y: full }
  ],
  [{ items: user }, [full], [name]],
  [{ prefixItems: [user] }, [full, full], [name, full]],
  [{ additionalProperties: {} }, full, full],
  [{ type: 'object' }, full, full],
  [{ properties: { user: { $ref: '#/components/schemas/User' } } }, { user: full }, { user: name }],
  [{ properties: { name: { $ref: '#/components/schemas/Secret' } } }, full, {}],
  [{ $ref: '#/components/schemas/User', additionalProperties: true }, full, name],
  [int64, 5n, 5],
  [int64, long, long],
  [ref('A'), { extra: 1, a: 'x' }, { a: 'x' }],
  [ref('A'), {}, {}],
  [{ type: ['object', 'null'], properties: {} }, null, null],
  [ref('Tree'), { id: 1n, children: [{ id: long, x: 1 }] }, { id: 1, children: [{ id: long }] }],
  [list(list(ref('A'))), [[{ a: 'x', b: 1 }], []], [[{ a: 'x' }], []]],
  [ref('Nest'), [[], [[]]], [[], [[]]]],
  [{ type: 'array' }, [1, long], [1, long]],
  [object({ toString: text }), {}, {}],
  [{ type: 'array', prefixItems: [ref('A'), int64] }, [{ a: 'x', b: 1 }, long], [{ a: 'x' }, long]],
  [object({ 'a-b': list(int64) }), { 'a-b': [1n], c: 1 }, { 'a-b': [1] }],
  [
    object({ x: ref('A-'), y: ref('A_') }),
    { x: { b: '1' }, y: { c: '2' } },
    { x: { b: '1' }, y: { c: '2' } }
  ],
  [{ type: ['object', 'array'], properties: { a: {} }, items: ref('A') }, [{ a: 'x', b: 1 }], [{ a: 'x' }]],
  [
    nested(40, object({ leaf: int64 }), (inner) => object({ in: inner })),
    nested(40, { leaf: long, extra: 1 }, (inner) => ({ in: inner, extra: 1 })),
    nested(40, { leaf: long }, (inner) => ({ in: inner }))
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
    User: user,
    Secret: { type: 'string', writeOnly: true },
    A: object({ a: text }),
    'A-': object({ b: text }),
    A_: object({ c: text }),
    Tree: object({ id: int64, children: list(ref('Tree')) }),
    Nest: list(ref('Nest'))
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
