/** Properties that one side does not send. */
import t from 'tap'
import { HiddenNames } from '../../../../src/compiler/compile/validators/hidden-names.ts'
import { schemaOf } from '../../../contract/schema-of.ts'
import { to } from './definitions-of.ts'

const readOnly = { type: 'string', readOnly: true }
const others = { Base: { properties: { id: readOnly } }, Flagged: readOnly }

const rows: { name: string; schema: object; want: string[] }[] = [
  { name: 'a flagged property', schema: { properties: { a: readOnly, b: {} } }, want: ['a'] },
  {
    name: 'a property that refers to a flagged schema',
    schema: { properties: { a: to('Flagged') } },
    want: ['a']
  },
  { name: 'a property of a branch of allOf', schema: { allOf: [to('Base')] }, want: ['id'] },
  { name: 'a property of the schema referred to', schema: to('Base'), want: ['id'] },
  { name: 'the other flag', schema: { properties: { a: { writeOnly: true } } }, want: [] },
  { name: 'a branch of anyOf', schema: { anyOf: [to('Base')] }, want: [] }
]

for (const { name, schema, want } of rows)
  t.test(name, async (t) => t.strictSame([...new HiddenNames('readOnly').in(schemaOf(schema, others))], want))

t.test('a schema hides what the schemas around it hide, and no parameter', async (t) => {
  const schema = schemaOf({ properties: { a: readOnly } })
  t.strictSame([...new HiddenNames('readOnly').with(schema, new Set(['b']))].sort(), ['a', 'b'])
  const hidden = new HiddenNames('readOnly')
  hidden.exempt(schema)
  t.strictSame([...hidden.in(schema)], [])
})
