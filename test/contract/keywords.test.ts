/** Reads keywords of schemas: typed facets, and problems of malformed values. */
import t from 'tap'
import type { Schema } from '../../src/contract/contract.ts'
import { schemaOf } from './schema-of.ts'

type Read = (schema: Schema) => unknown

const facets: readonly (readonly [schema: unknown, read: Read, want: unknown])[] = [
  [false, ({ never }) => never, true],
  [true, ({ never, types }) => [never, types], [undefined, undefined]],
  [{ type: 'string' }, ({ types }) => [...(types ?? [])], ['string']],
  [{ type: ['string', 'null'] }, ({ types }) => [...(types ?? [])], ['string', 'null']],
  [{ maximum: 9007199254740993n }, ({ maximum }) => maximum, 9007199254740993n],
  [{ minLength: 2.0 }, ({ minLength }) => minLength, 2],
  [{ maxItems: 3n }, ({ maxItems }) => maxItems, 3],
  [{ uniqueItems: false }, ({ uniqueItems }) => uniqueItems, undefined],
  [{ deprecated: true }, ({ deprecated }) => deprecated, true],
  [{ const: null }, (schema) => schema.const, null],
  [{ default: false }, (schema) => schema.default, false],
  [{ required: ['a', 'b'] }, ({ required }) => [...(required ?? [])], ['a', 'b']],
  [
    { pattern: '^\\p{L}/$' },
    ({ pattern }) => [pattern?.source, pattern?.regexp.test('ä/')],
    ['^\\p{L}/$', true]
  ],
  [{ pattern: '\\-' }, ({ pattern }) => pattern?.regexp.test('-'), true],
  [
    { patternProperties: { '^a': { title: 'A' } } },
    ({ patterns = [] }) => patterns.map(({ pattern, schema }) => [pattern.source, schema.title]),
    [['^a', 'A']]
  ],
  [
    { properties: { toString: { title: 'A' } } },
    ({ properties }) => [...(properties?.keys() ?? [])],
    ['toString']
  ],
  [JSON.parse('{"properties":{"__proto__":{}}}'), ({ properties }) => properties?.has('__proto__'), true],
  [
    { contains: { title: 'A' } },
    ({ contains }) => [contains?.schema.title, contains?.min, contains?.max],
    ['A', 1, undefined]
  ],
  [
    { contains: {}, minContains: 0, maxContains: 2 },
    ({ contains }) => [contains?.min, contains?.max],
    [0, 2]
  ],
  [{ minContains: 2 }, ({ contains }) => contains, undefined],
  [
    { contentMediaType: 'application/json', contentEncoding: 'base64', contentSchema: { title: 'A' } },
    ({ content }) => [content?.mediaType, content?.encoding, content?.schema?.title],
    ['application/json', 'base64', 'A']
  ],
  [
    {
      dependencies: { a: ['b'], c: { title: 'C' } },
      dependentRequired: { d: ['e'] },
      dependentSchemas: { a: {} }
    },
    (schema) => [
      [...(schema.dependentRequired ?? [])],
      [...(schema.dependentSchemas?.keys() ?? [])],
      schema.broken
    ],
    [
      [
        ['a', ['b']],
        ['d', ['e']]
      ],
      ['c', 'a'],
      undefined
    ]
  ],
  [{ example: 1, examples: [2] }, ({ examples }) => examples.map(({ value }) => value), [1, 2]],
  [{ 'x-a': 1, unknown: 2 }, ({ extensions }) => extensions, { 'x-a': 1 }],
  [{ additionalProperties: false }, ({ additional }) => additional?.never, true],
  [{ propertyNames: { maxLength: 2 } }, ({ names }) => names?.maxLength, 2],
  [
    { if: {}, then: { title: 'A' }, else: { title: 'B' } },
    (schema) => [schema.then?.title, schema.else?.title],
    ['A', 'B']
  ],
  [
    { prefixItems: [{ title: 'A' }], items: false },
    ({ prefix, items }) => [prefix?.[0]?.title, items?.never],
    ['A', true]
  ]
]

for (const [schema, read, want] of facets)
  t.test(`reads ${read}`, async (t) => {
    const found = schemaOf(schema)
    t.strictSame(
      read(found),
      want,
      String(JSON.stringify(schema, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))
    )
    t.strictSame(found.broken, undefined)
  })

const malformed: readonly (readonly [schema: unknown, pointer: string, message: string])[] = [
  [{ minLength: -1 }, 'minLength', 'minLength must be a whole number, at least 0'],
  [{ maxItems: 1.5 }, 'maxItems', 'maxItems must be a whole number, at least 0'],
  [{ minimum: '1' }, 'minimum', 'minimum must be a number'],
  [{ multipleOf: 0 }, 'multipleOf', 'multipleOf must be a number above 0'],
  [
    { type: 'text' },
    'type',
    'type must be one of null, boolean, integer, number, string, array, object, or a list of these'
  ],
  [
    { type: [] },
    'type',
    'type must be one of null, boolean, integer, number, string, array, object, or a list of these'
  ],
  [
    { type: ['string', 'string'] },
    'type',
    'type must be one of null, boolean, integer, number, string, array, object, or a list of these'
  ],
  [{ required: ['a', 'a'] }, 'required', 'required must be a list of different texts'],
  [{ required: true }, 'required', 'required must be a list of different texts'],
  [{ pattern: '(' }, 'pattern', 'pattern must be a regular expression'],
  [{ pattern: 1 }, 'pattern', 'pattern must be a regular expression'],
  [
    { patternProperties: { '(': {} } },
    'patternProperties',
    'patternProperties must be an object whose names are regular expressions'
  ],
  [{ properties: [] }, 'properties', 'properties must be an object'],
  [
    { patternProperties: 1 },
    'patternProperties',
    'patternProperties must be an object whose names are regular expressions'
  ],
  [{ dependentSchemas: [] }, 'dependentSchemas', 'dependentSchemas must be an object'],
  [
    { dependentRequired: [] },
    'dependentRequired',
    'dependentRequired must be an object of lists of different texts'
  ],
  [
    { dependentRequired: { a: 1 } },
    'dependentRequired',
    'dependentRequired must be an object of lists of different texts'
  ],
  [{ allOf: [] }, 'allOf', 'allOf must be a list of schemas'],
  [{ oneOf: {} }, 'oneOf', 'oneOf must be a list of schemas'],
  [{ enum: 'a' }, 'enum', 'enum must be a list'],
  [{ minContains: -1 }, 'minContains', 'minContains must be a whole number, at least 0'],
  [{ $ref: '#/components/schemas/None' }, '$ref', '$ref leads nowhere'],
  [{ $ref: '#/info/title' }, '$ref', '$ref leads nowhere'],
  [{ $ref: 7 }, '$ref', '$ref leads nowhere'],
  [{ $dynamicRef: '#node' }, '$dynamicRef', '$dynamicRef cannot be resolved'],
  [{ dependencies: 1 }, 'dependencies', 'dependencies must be an object of schemas and lists of texts'],
  [{ dependencies: { a: 1 } }, 'dependencies', 'dependencies must be an object of schemas and lists of texts']
]

for (const [schema, key, message] of malformed)
  t.test(`${message}: ${JSON.stringify(schema)}`, async (t) => {
    const { broken = [] } = schemaOf(schema)
    t.strictSame(
      broken.map(({ severity, rule, message, origin }) => [severity, rule, message, origin.pointer]),
      [
        [
          'error',
          'schema-keyword',
          `${message}: it is ${JSON.stringify(Reflect.get(schema as object, key))}`,
          `#/components/schemas/Subject/${key}`
        ]
      ]
    )
  })

t.test('a malformed annotation is left out', async (t) => {
  for (const schema of [
    ...[{ readOnly: 'yes' }, { title: 1 }, { format: 1 }, { contentEncoding: 1 }, { contentMediaType: 1 }],
    ...[{ xml: 1 }, { examples: {} }, { discriminator: 'kind' }],
    { discriminator: { propertyName: 'a', mapping: { b: 1 } } },
    { discriminator: { propertyName: 'a', mapping: { b: 'None' } } },
    { discriminator: { propertyName: 'a', defaultMapping: 'None' }, oneOf: [{}] }
  ]) {
    const [key = ''] = Object.keys(schema)
    const read = schemaOf(schema)
    t.strictSame([Reflect.get(read, key) ?? [], read.broken], [[], undefined], JSON.stringify(schema))
  }
})

t.test('draft 7: what replaces dependencies wins', async (t) => {
  const of = (schema: object) => schemaOf(schema)
  const { dependentSchemas } = of({
    dependencies: { a: { title: 'A' } },
    dependentSchemas: { a: { title: 'B' } }
  })
  t.equal(dependentSchemas?.get('a')?.title, 'B')
})

t.test('keywords that mean nothing have their names', async (t) => {
  const schema = schemaOf({
    $ref: '#/$defs/a',
    $defs: { a: {} },
    $comment: 'b',
    minlength: 1,
    'x-a': 1,
    foo: 1
  })
  t.strictSame(schema.unknown, ['minlength', 'foo'])
  t.strictSame(schemaOf({ $anchor: 'a', externalDocs: {} }).unknown, undefined)
})

t.test('a value that is no schema has its place', async (t) => {
  const { properties } = schemaOf({ properties: { a: 'text' } })
  const [problem] = properties?.get('a')?.broken ?? []
  t.equal(problem?.origin.pointer, '#/components/schemas/Subject/properties/a')
  t.equal(problem?.message, 'a must be an object or a boolean: it is "text"')
  const long = schemaOf({ enum: 'a'.repeat(100) }).broken?.[0]?.message
  t.equal(long, `enum must be a list: it is "${'a'.repeat(59)}…`)
})
