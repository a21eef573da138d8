/** Schemas of OpenAPI 3.0 have the same model as later ones; places, and what is served, stay as written. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../src/compiler/compile/compile.ts'
import { loadContract } from '../../src/contract/load/load.ts'
import { SchemaPrinter } from './print-schema.ts'
import { schemaOf } from './schema-of.ts'
import { upgraded } from './upgraded.ts'

const [text, nothing] = [{ type: 'string' }, { type: 'null' }]

for (const [name, written, later] of [
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
    { examples: [{ nullable: true, type: 'string' }] },
    { examples: [{ nullable: true, type: 'string' }] }
  ]
] as const)
  t.test(name, async (t) => {
    t.strictSame(new SchemaPrinter(new Map()).schema(schemaOf(written)), later)
    t.strictSame(upgraded({ components: { schemas: { A: written } } }), {
      components: { schemas: { A: later } }
    })
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
  const { operations, components } = (await loadContract(contractIn(t))).model
  const union = components.schemas.get('Union')
  const [inner, nothing] = union?.anyOf ?? []
  const [, thing] = inner?.oneOf ?? []
  const { responses } = operations[0] ?? {}
  t.equal(responses?.get('404')?.contents[0]?.schema?.ref, thing)
  t.equal(responses?.get('200')?.contents[0]?.schema?.ref?.properties?.get('whole')?.ref, union)
  t.equal(inner?.discriminator?.mapping.get('b'), thing)
  t.equal(inner?.discriminator?.mapping.get('c'), union)
  t.equal(inner?.origin.at('oneOf').line, 14)
  t.equal(nothing?.origin.line, 12)
  t.equal(thing?.properties?.get('a')?.origin.at('exclusiveMinimum').line, 16)
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
