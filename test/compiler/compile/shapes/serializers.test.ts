/** Shapes that fast-json-stringify does not support are written as exactly as the others. */
import t from 'tap'
import { type Json, request, serve } from '../../../engine/serve.ts'

const int64: Json = { type: 'integer', format: 'int64' }

/** Returns nested object schemas, with `leaf` in the last one. */
function nested(depth: number, leaf: Json): Json {
  let schema: Json = { type: 'object', properties: { leaf } }
  for (let left = depth; left > 0; left--) schema = { type: 'object', properties: { in: schema } }
  return schema
}

function value(depth: number, leaf: unknown): unknown {
  let result: unknown = { leaf, extra: 1 }
  for (let left = depth; left > 0; left--) result = { in: result, extra: 1 }
  return result
}

t.test('objects as deep as they like', async (t) => {
  const ok = { description: '', content: { 'application/json': { schema: nested(40, int64) } } }
  const paths = { '/deep': { get: { operationId: 'deep', responses: { 200: ok } } } }
  const body = value(40, 9007199254740993n)
  const { ask } = await serve(t, { paths }, { handlers: { deep: () => ({ status: 200, body }) } })
  const answer = await ask(request('GET /deep'))
  t.equal(answer.body, `${'{"in":'.repeat(40)}{"leaf":9007199254740993}${'}'.repeat(40)}`)
})

const user: Json = {
  type: 'object',
  properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } }
}
const untyped: Json = { properties: { password: { writeOnly: true } } }
const [name, full] = [{ name: 'a' }, { name: 'a', password: 'p' }]

/** Schemas of a response, with what is sent of a body: `writeOnly` properties never (JSON Schema validation, 9.4). */
const hiding: readonly (readonly [schema: Json, body: unknown, sent: unknown])[] = [
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
  [{ $ref: '#/components/schemas/User', additionalProperties: true }, full, name]
]

t.test('no writeOnly property is sent', async (t) => {
  const paths = Object.fromEntries(
    hiding.map(([schema], index) => [
      `/${index}`,
      {
        get: {
          operationId: `get${index}`,
          responses: { 200: { description: '', content: { 'application/json': { schema } } } }
        }
      }
    ])
  )
  const components = { schemas: { User: user, Secret: { type: 'string', writeOnly: true } } }
  const handlers = Object.fromEntries(
    hiding.map(([, body], index) => [`get${index}`, () => ({ status: 200, body })])
  )
  const { ask } = await serve(t, { paths, components }, { handlers })
  for (const [index, [schema, , sent]] of hiding.entries()) {
    const { status, body } = await ask(request(`GET /${index}`))
    t.same([status, JSON.parse(body)], [200, sent], JSON.stringify(schema))
  }
})
