import t from 'tap'
import type { JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'
import {
  besideNull,
  bytesBodySchema,
  holdsBytes,
  typesOf
} from '../../../../src/compiler/compile/document/schema-object.ts'

t.test('types are those that the schema names', async (t) => {
  t.strictSame(typesOf({ type: 'string' }), ['string'])
  t.strictSame(typesOf({ type: ['string', 'null', 5] }), ['string', 'null'])
  t.strictSame(typesOf({}), [])
})

for (const [schema, isBytes] of [
  [{ type: 'string', format: 'binary' }, true],
  [{ type: ['string', 'null'], format: 'binary' }, true],
  [{ type: 'string', contentMediaType: 'image/png' }, true],
  [{ type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }, false],
  [{ type: 'string', contentMediaType: 'text/plain' }, false],
  [{ format: 'binary' }, false],
  [{ type: 'string' }, false]
] as const)
  t.test(`${JSON.stringify(schema)} ${isBytes ? 'holds' : 'does not hold'} bytes`, async (t) => {
    t.equal(holdsBytes(schema as unknown as JsonObject), isBytes)
  })

t.test('a union with null alone has one other branch', async (t) => {
  const [text, nothing] = [{ type: 'string' }, { type: 'null' }]
  t.strictSame(besideNull({ anyOf: [nothing, text] }), text)
  t.strictSame(besideNull({ anyOf: [true, nothing] }), true)
  for (const schema of [text, { anyOf: [text] }, { anyOf: [text, text] }, { anyOf: [text, text, nothing] }])
    t.equal(besideNull(schema), undefined)
})

t.test('a body of bytes keeps its bounds only', async (t) => {
  const bounded = { type: 'string', minLength: 1, maxLength: 9, pattern: 'x' }
  t.strictSame(bytesBodySchema(bounded), { type: 'string', format: 'binary', minLength: 1, maxLength: 9 })
  t.equal(bytesBodySchema({ type: 'string' }), undefined)
  t.equal(bytesBodySchema({ type: 'object', maxLength: 9 }), undefined)
  t.equal(bytesBodySchema(undefined), undefined)
})
