/** Plans that say where a schema holds int64. */
import t from 'tap'
import { Int64Plans } from '../../../../src/compiler/compile/operations/int64-plan.ts'
import { schemaIn } from '../../../../src/contract/build/build-contract.ts'
import type { Schema } from '../../../../src/contract/contract.ts'
import type { Json, JsonObject } from '../../../../src/contract/model/json.ts'

const int64: Json = { type: 'integer', format: 'int64' }
const text: Json = { type: 'string' }
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more
})

const rows: { name: string; schema: Json; plans?: unknown }[] = [
  { name: 'an int64', schema: int64, plans: { 0: { int64: true } } },
  {
    name: 'a number with the format int64',
    schema: { type: 'number', format: 'int64' },
    plans: { 0: { int64: true } }
  },
  { name: 'a string with the format int64', schema: { type: 'string', format: 'int64' } },
  { name: 'an object without one', schema: object({ a: text }) },
  {
    name: 'a property beside others',
    schema: object({ a: text, id: int64 }),
    plans: { 0: { properties: { id: '1' } }, 1: { int64: true } }
  },
  {
    name: 'items, and those of a tuple',
    schema: { type: 'array', prefixItems: [text, int64], items: int64 },
    plans: { 0: { items: '1', prefixItems: [null, '1'] }, 1: { int64: true } }
  },
  {
    name: 'additional properties, not the declared ones',
    schema: object({ a: text }, { additionalProperties: int64 }),
    plans: { 0: { additional: '1', declared: ['a'] }, 1: { int64: true } }
  },
  {
    name: 'a branch of a union only where it is valid',
    schema: { oneOf: [int64, text] },
    plans: { 0: { parts: [{ plan: '1', when: 'branch 0' }] }, 1: { int64: true } }
  },
  {
    name: 'a union with null alone, always',
    schema: { anyOf: [int64, { type: 'null' }] },
    plans: { 0: { parts: [{ plan: '1' }] }, 1: { int64: true } }
  },
  {
    name: 'a recursive schema',
    schema: { $ref: '#/components/schemas/Node' },
    plans: { 0: { properties: { id: '1', next: '0' } }, 1: { int64: true } }
  }
]

const document: JsonObject = {
  components: { schemas: { Node: object({ id: int64, next: { $ref: '#/components/schemas/Node' } }) } }
}

for (const { name, schema, plans } of rows)
  t.test(name, async (t) => {
    const branches: Schema[] = []
    const start = schemaIn(document, schema)
    const plan = new Int64Plans().add(start, (branch) => `branch ${branches.push(branch) - 1}`)
    t.strictSame(plan, plans === undefined ? undefined : { start: '0', plans })
  })
