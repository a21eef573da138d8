/** Schemas of every version of OpenAPI are read in one form; places and what is served stay as written. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { atPointer } from '../../../src/contract/document/reference.ts'
import { loadContract } from '../../../src/contract/load/load.ts'
import { upgrade } from '../../../src/contract/load/upgrade.ts'
import { type JsonObject, objectOf } from '../../../src/contract/model/json.ts'

const [text, nothing] = [{ type: 'string' }, { type: 'null' }]

for (const [name, written, upgraded] of [
  ['a bound that excludes', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  ['a bound that includes', { maximum: 2n, exclusiveMaximum: false }, { maximum: 2n }],
  ['no bound to exclude', { exclusiveMinimum: true }, {}],
  ['a bound of OpenAPI 3.1', { exclusiveMinimum: 1, minimum: 0 }, { exclusiveMinimum: 1, minimum: 0 }],
  ['nullable', { ...text, nullable: true }, { type: ['string', 'null'] }],
  ['not nullable', { ...text, nullable: false }, text],
  [
    'nullable, of several types',
    { type: ['string', 'integer'], nullable: true },
    { type: ['string', 'integer', 'null'] }
  ],
  ['nullable without a type', { nullable: true, minimum: 3 }, { minimum: 3 }],
  ['nullable of no known type', { nullable: true, type: 'strin' }, { type: 'strin' }],
  ['nullable enum', { nullable: true, enum: ['a'] }, { enum: ['a', null] }],
  ['nullable enum with null', { nullable: true, enum: [null, 'a'] }, { enum: [null, 'a'] }],
  ['nullable constant', { nullable: true, const: 'a' }, { anyOf: [{ const: 'a' }, nothing] }],
  [
    'nullable composition',
    { nullable: true, title: 'T', readOnly: true, default: null, type: 'object', allOf: [text], 'x-a': 1 },
    {
      title: 'T',
      readOnly: true,
      default: null,
      'x-a': 1,
      anyOf: [{ type: 'object', allOf: [text] }, nothing]
    }
  ],
  [
    'nullable union with a discriminator',
    { nullable: true, oneOf: [{ nullable: true, anyOf: [text] }], discriminator: { propertyName: 'a' } },
    {
      anyOf: [
        { oneOf: [{ anyOf: [{ anyOf: [text] }, nothing] }], discriminator: { propertyName: 'a' } },
        nothing
      ]
    }
  ],
  ['a property of that name', { properties: { nullable: text } }, { properties: { nullable: text } }],
  [
    'an example',
    { example: { nullable: true, type: 'string' } },
    { example: { nullable: true, type: 'string' } }
  ]
] as const)
  t.test(name, async (t) => {
    const document = structuredClone({ components: { schemas: { A: written } } }) as unknown as JsonObject
    upgrade(document)
    t.strictSame(atPointer(document, '#/components/schemas/A'), upgraded)
  })

/** Returns the path of a contract in two files whose union is nullable, and has references that lead into it. */
function contractIn(t: Test): string {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200': { description: x, content: { application/json: { schema: { $ref: s.yaml } } } }
        '404': { description: x, content: { application/json: { schema: { $ref: '#/components/schemas/Union/oneOf/1' } } } }
components:
  schemas:
    Union:
      nullable: true
      oneOf:
        - { type: string, format: nonesuch }
        - { type: object, properties: { a: { type: integer, minimum: 1, exclusiveMinimum: true } } }
      discriminator: { propertyName: a, mapping: { b: '#/components/schemas/Union/oneOf/1', c: Union } }
`,
    's.yaml': `type: object
nullable: true
properties:
  whole: { $ref: 'openapi.yaml#/components/schemas/Union' }
`
  })
  return join(folder, 'openapi.yaml')
}

t.test('references lead to the same schemas, and places to what is written', async (t) => {
  const { document, locator } = await loadContract(contractIn(t))
  const at = (pointer: string) => objectOf(atPointer(document, pointer))
  const content = at('#/paths/~1a/get/responses/404/content/application~1json')
  t.strictSame(content, { schema: { $ref: '#/components/schemas/Union/anyOf/0/oneOf/1' } })
  const { properties } = at('#/components/schemas/s')
  t.strictSame(properties, { whole: { $ref: '#/components/schemas/Union' } })
  t.strictSame(at('#/components/schemas/Union/anyOf/0/discriminator/mapping'), {
    b: '#/components/schemas/Union/anyOf/0/oneOf/1',
    c: 'Union'
  })
  const place = (pointer: string, ...keys: string[]) => locator.origin(at(pointer)).at(...keys).line
  t.equal(place('#/components/schemas/Union/anyOf/0', 'oneOf'), 14)
  t.equal(place('#/components/schemas/Union/anyOf/1'), 12)
  t.equal(place('#/components/schemas/Union/anyOf/0/oneOf/1/properties/a', 'exclusiveMinimum'), 16)
})

t.test('the contract is served as it is written', async (t) => {
  const path = contractIn(t)
  const { yaml, problems } = await compileContract(path, join(path, '..'))
  t.match(yaml, /^openapi: 3\.0\.3$/m)
  t.match(yaml, /Union:\n {6}nullable: true\n {6}oneOf:/)
  t.match(yaml, /exclusiveMinimum: true/)
  t.match(yaml, /\$ref: '#\/components\/schemas\/Union\/oneOf\/1'$/m)
  t.notMatch(yaml, 'anyOf')
  const message = 'format `nonesuch` is not known and is not enforced'
  t.match(
    problems.filter((problem) => problem.message === message),
    [{ line: 15 }]
  )
})
