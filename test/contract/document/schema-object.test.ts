import t from 'tap'
import { besideNull, typesOf } from '../../../src/contract/document/schema-object.ts'

t.test('types are those that the schema names', async (t) => {
  t.strictSame(typesOf({ type: 'string' }), ['string'])
  t.strictSame(typesOf({ type: ['string', 'null', 5] }), ['string', 'null'])
  t.strictSame(typesOf({}), [])
})

t.test('a union with null alone has one other branch', async (t) => {
  const [text, nothing] = [{ type: 'string' }, { type: 'null' }]
  t.strictSame(besideNull({ anyOf: [nothing, text] }), text)
  t.strictSame(besideNull({ anyOf: [true, nothing] }), true)
  for (const schema of [text, { anyOf: [text] }, { anyOf: [text, text] }, { anyOf: [text, text, nothing] }])
    t.equal(besideNull(schema), undefined)
})
