/** Values that satisfy schemas, and values that do not, without a compiler; Ajv agrees whenever the result is known. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { matches, Reading, satisfies } from '../../../src/compiler/evaluate/evaluate.ts'

const loop = { $ref: '#/components/schemas/Loop' }
const components = { schemas: { Loop: { allOf: [loop] }, Name: { type: 'string' } } }
const side = new Reading({ openapi: '3.1.0', components } as never, 'request', false)

const object = (properties: unknown, more = {}) => ({ type: 'object', properties, ...more })
const only = { unevaluatedProperties: false }

/** A schema, values that satisfy it, and values that do not. */
const rows: readonly (readonly [schema: unknown, good: readonly unknown[], bad: readonly unknown[]])[] = [
  [true, [1, null], []],
  [false, [], [1, null]],
  [{ type: 'integer' }, [1, 1e6], [1.5, '1', null]],
  [{ type: ['number', 'null'] }, [1.5, null], ['a', true]],
  [{ enum: [1, { a: [1] }] }, [1, { a: [1] }], [2, { a: [1], b: 1 }]],
  [{ const: 'a' }, ['a'], ['b']],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'a'], [0, 3]],
  [{ exclusiveMinimum: 1, maximum: 3 }, [1.1, 3], [1, 4]],
  [{ type: 'number', multipleOf: 0.25 }, [0.75, 2], [0.3]],
  [{ type: 'integer', format: 'int32' }, [2 ** 31 - 1, -(2 ** 31)], [2 ** 31, -(2 ** 31) - 1]],
  [{ format: 'int32' }, [1, null], [1.5, 2 ** 31]],
  [{ type: 'number', format: 'int64' }, [1, 2 ** 53], [1.5]],
  [{ type: 'number', format: 'double' }, [1.5], ['a']],
  [{ type: 'string', minLength: 1, maxLength: 2 }, ['a', '😀😀'], ['', 'abc']],
  [{ pattern: '^a' }, ['ab', 1], ['b']],
  [{ format: 'date' }, ['2020-02-29', 1], ['2021-02-29']],
  [{ format: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000'], ['a']],
  [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
  [{ oneOf: [{ type: 'integer' }, { minimum: 3 }] }, [1, 3.5], [3, 2.5]],
  [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  [{ not: { type: 'string' } }, [1], ['a']],
  [{ if: { type: 'string' }, then: { minLength: 1 }, else: { type: 'integer' } }, ['a', 1], ['', 1.5]],
  [{ if: { type: 'string' }, then: { minLength: 1 } }, ['a', 1.5], ['']],
  [object({ a: { type: 'string' } }, { required: ['a'] }), [{ a: 'x', b: 1 }], [{}, { a: 1 }, [], 'a']],
  [object({ a: {} }, { additionalProperties: { type: 'string' } }), [{ a: 1, b: 'x' }], [{ b: 1 }]],
  [{ patternProperties: { '^x': { type: 'string' } } }, [{ xa: 'a', a: 1 }], [{ xa: 1 }]],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1 }]],
  [{ dependentSchemas: { a: { required: ['b'] } } }, [{ a: 1, b: 1 }, {}, 'a'], [{ a: 1 }]],
  [{ allOf: [object({ a: {} })], ...only }, [{ a: 1 }], [{ b: 1 }]],
  [
    { anyOf: [object({ a: {} }, { required: ['a'] }), object({ b: {} }, { required: ['b'] })], ...only },
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, c: 1 }]
  ],
  [
    { if: object({ a: {} }, { required: ['a'] }), then: { maxProperties: 3 }, ...only },
    [{ a: 1 }, {}],
    [{ b: 1 }]
  ],
  [{ allOf: [only], properties: { a: {} } }, [{}], [{ a: 1 }]],
  [{ allOf: [{ unevaluatedProperties: true }], ...only }, [{ a: 1 }], []],
  [{ items: { type: 'string' } }, [['a'], []], [[1]]],
  [{ prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [['a', 1], [1]]],
  [{ prefixItems: [{ type: 'string' }] }, [['a', 1]], [[1]]],
  [{ prefixItems: [true], unevaluatedItems: { type: 'string' } }, [[1, 'a']], [[1, 2]]],
  [{ allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [[1]], []],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1, 2]], [[], [1, 1], [1, 2, 3]]],
  [
    { uniqueItems: true },
    [[{ a: 1, b: 2 }]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 }
      ]
    ]
  ],
  [
    { contains: { type: 'string' }, minContains: 2, maxContains: 3 },
    [['a', 'b', 1]],
    [['a'], ['a', 'b', 'c', 'd']]
  ],
  [{ items: { type: 'string' }, unevaluatedItems: false }, [['a']], [[1]]],
  [{ contains: { type: 'string' } }, [['a']], [[1]]]
]

const ajv = new Ajv2020({ strict: false, logger: false })
formats.default(ajv)

t.test('a value satisfies a schema exactly when Ajv says so', async (t) => {
  for (const [schema, good, bad] of rows) {
    const accepts = ajv.compile(schema as never)
    const all = [
      ...good.map((value) => [value, true] as const),
      ...bad.map((value) => [value, false] as const)
    ]
    for (const [value, isGood] of all) {
      const name = `${JSON.stringify(schema)} ${JSON.stringify(value)}`
      t.equal(satisfies(value as never, [schema as never], side), isGood, name)
      t.equal(accepts(value), isGood, `Ajv: ${name}`)
    }
  }
})

t.test('references are followed, and an unknown result is undefined', async (t) => {
  const check = (schema: unknown, value: unknown) => satisfies(value as never, [schema as never], side)
  t.equal(check({ $ref: '#/components/schemas/Name' }, 'a'), true)
  t.equal(check({ $ref: '#/components/schemas/Name' }, 1), false)
  t.equal(check({ $ref: '#/components/schemas/Gone' }, 1), true, 'a reference to nothing')
  const unknown = { type: 'string', format: 'plate' }
  const open: readonly unknown[] = [
    loop,
    unknown,
    { not: unknown },
    { anyOf: [unknown, { minLength: 2 }] },
    { oneOf: [unknown, { minLength: 2 }] },
    { if: unknown, then: { minLength: 2 } },
    { pattern: '\\K' },
    { hasOwnProperty: 1, ...unknown }
  ]
  for (const schema of open) t.equal(check(schema, 'a'), undefined, JSON.stringify(schema))
  t.equal(check({ oneOf: [unknown, { minLength: 1 }, { maxLength: 3 }] }, 'a'), false)
  t.equal(check({ contains: unknown }, ['a']), undefined)
  t.equal(check({ contains: unknown, minContains: 2 }, ['a']), false, 'too few in any case')
  t.equal(check({ contains: unknown, minContains: 0 }, ['a']), true, 'enough in any case')
  const uncertain = { propertyNames: unknown, properties: { a: {} } }
  t.equal(check({ anyOf: [uncertain, true], ...only }, { a: 1 }), undefined, 'a may be evaluated')
  t.equal(check({ anyOf: [loop, true], ...only }, { a: 1 }), undefined)
  t.equal(check({ anyOf: [uncertain, true], ...only }, {}), true)
  t.equal(check({ type: 'integer', format: 'int64', maximum: 9007199254740993n }, 9007199254740993n), true)
  t.equal(check({ type: 'integer', maximum: 9007199254740993n }, 9007199254740993n), true)
})

t.test('a property that a message does not have is not required', async (t) => {
  const schema = object({ id: { type: 'integer', readOnly: true } }, { required: ['id'] })
  t.equal(satisfies({}, [schema as never], side), true)
  t.equal(satisfies({}, [schema as never], new Reading({ openapi: '3.1.0' }, 'response', false)), false)
})

t.test(
  'patterns of other languages are translated, and those without the flag u are read without it',
  async (t) => {
    t.equal(matches('\\Aa\\z', 'a'), true)
    t.equal(matches('a\\-b', 'a-b'), true)
    t.equal(matches('\\K', 'a'), undefined)
  }
)
