/** Decisions during the making of a value, keyword by keyword. */
import fc from 'fast-check'
import t from 'tap'
import { schemaIn } from '../../../src/contract/build/build-contract.ts'
import { instancesOf } from '../../../src/tools/samples/samples.ts'
import { Schemas } from '../../../src/tools/samples/schemas.ts'

const components = { schemas: { Name: { type: 'string' } } }
const schemas = new Schemas('response')
const holds = (schema: unknown, value: unknown) =>
  schemas.holds([schemaIn({ openapi: '3.1.0', components }, schema as never)], value)
const list = { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: { type: 'boolean' } }
const contains = { contains: { const: 1 } }
const dependent = { dependentRequired: { a: ['b'] } }

for (const [schema, takes, refuses] of [
  [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
  [{ oneOf: [{ type: 'integer' }, { minimum: 3 }] }, [1, 3.5], [4]],
  [{ oneOf: [{ type: 'object' }, {}], discriminator: { propertyName: 'a' } }, [{}, 1], []],
  [{ if: { type: 'string' }, then: { maxLength: 1 }, else: { minimum: 1 } }, ['a', 1], ['ab', 0]],
  [{ if: { type: 'string' } }, ['a', 1], []],
  [{ maxItems: 1, uniqueItems: false }, [[1]], [[1, 1]]],
  [
    { uniqueItems: true },
    [[1, '1']],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 }
      ]
    ]
  ],
  [list, [[], ['a'], ['a', 1, true]], [[1], ['a', 1, 1]]],
  [contains, [[1, 1]], [[2]]],
  [{ ...contains, minContains: 0, maxContains: 1 }, [[], [1]], [[1, 1]]],
  [dependent, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependentSchemas: { a: { maxProperties: 1 } } }, [{ a: 1 }, { b: 1, c: 1 }], [{ a: 1, b: 1 }]],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [
    { patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
    [{ x1: '' }],
    [{ x1: 1 }, { y: '' }]
  ],
  [{ type: 'integer' }, [1, 1.0], [1.5, 10n, '1', null, [], true]],
  [{ type: 'integer', format: 'int64' }, [2n ** 63n - 1n], [2n ** 63n]],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3, multipleOf: 0.5 }, [1.5], [1, 3, 1.7]],
  [{ type: 'string', format: 'date', minLength: 10 }, ['2024-02-29'], ['2023-02-29']],
  [{ unevaluatedProperties: false }, [{ a: 1 }], []],
  [{ $ref: '#/components/schemas/Name' }, ['a'], [1]],
  [{ $ref: 'other.yaml' }, ['a', 1], []],
  [{ format: 'unheard-of' }, ['any'], []],
  [{ not: { format: 'unheard-of' } }, [], ['any']]
] as const) {
  for (const value of takes) t.ok(holds(schema, value), JSON.stringify(schema))
  for (const value of refuses) t.notOk(holds(schema, value), JSON.stringify(schema))
}

t.test('instances of a union with a defaultMapping may lack its property', async (t) => {
  const object = (name: string) => ({ type: 'object', properties: { kind: {}, [name]: { const: name } } })
  const document = { components: { schemas: { A: object('a'), B: object('b') } } }
  const oneOf = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  for (const [defaultMapping, isFound] of [
    ['B', true],
    [undefined, false]
  ] as const) {
    const discriminator = { propertyName: 'kind', ...(defaultMapping && { defaultMapping }) }
    const made = instancesOf({ oneOf, discriminator }, { document, direction: 'request' })
    const found = made === undefined ? [] : fc.sample(made, { seed: 1, numRuns: 100 })
    t.equal(
      found.some((value) => typeof value === 'object' && value !== null && !('kind' in value)),
      isFound,
      String(defaultMapping)
    )
  }
})
