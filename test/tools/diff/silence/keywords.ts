/** Two schemas for each keyword of JSON Schema 2020-12 and OpenAPI: `narrow` allows less than `wide`. */

type Schema = Readonly<Record<string, unknown>> | boolean

export interface KeywordPair {
  readonly name: string
  readonly narrow: Schema
  readonly wide: Schema
  /** True when a text in a parameter or a header does not show the difference. */
  readonly isUnseenInTexts?: true
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: unknown, more = {}) => ({ type: 'object', properties, ...more })
const needing = (...required: string[]) => ({ type: 'object', required })
const list = (more: object) => ({ type: 'array', ...more })
const titled = (title: string) => ({ title, description: title })

/** Names, narrow schema, wide schema. */
const rows: readonly (readonly [name: string, narrow: Schema, wide: Schema])[] = [
  ['type', integer, { type: ['integer', 'boolean'] }],
  ['type: integer', integer, { type: 'number' }],
  ['type: null', text, { type: ['string', 'null'] }],
  ['enum', { enum: ['a', 'b'] }, { enum: ['a', 'b', 'c'] }],
  ['enum gone', { ...text, enum: ['a', 'b'] }, text],
  ['enum of objects', { enum: [titled('a')] }, { enum: [titled('a'), titled('b')] }],
  ['const', { const: 1 }, { enum: [1, 2] }],
  ['const gone', { ...text, const: 'a' }, text],
  ['minimum', { ...integer, minimum: 3 }, { ...integer, minimum: 2 }],
  ['maximum', { ...integer, maximum: 3 }, { ...integer, maximum: 4 }],
  ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 3 }, { type: 'number', minimum: 3 }],
  ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 3 }, { type: 'number', maximum: 3 }],
  ['multipleOf', { ...integer, multipleOf: 4 }, { ...integer, multipleOf: 2 }],
  ['format of numbers', { ...integer, format: 'int32' }, { ...integer, format: 'int64' }],
  ['minLength', { ...text, minLength: 3 }, { ...text, minLength: 2 }],
  ['maxLength', { ...text, maxLength: 3 }, { ...text, maxLength: 4 }],
  ['pattern', { ...text, pattern: '^a$' }, { ...text, pattern: '^a+$' }],
  ['format', { ...text, format: 'date' }, text],
  ['unknown format', { ...text, format: 'colour' }, text],
  [
    'contentSchema',
    { ...text, contentMediaType: 'application/json', contentSchema: integer },
    { ...text, contentMediaType: 'application/json', contentSchema: { type: ['integer', 'boolean'] } }
  ],
  ['minItems', list({ minItems: 3 }), list({ minItems: 2 })],
  ['maxItems', list({ maxItems: 3 }), list({ maxItems: 4 })],
  ['uniqueItems', list({ uniqueItems: true }), list({})],
  ['items', list({ items: integer }), list({ items: { type: ['integer', 'boolean'] } })],
  [
    'prefixItems',
    list({ prefixItems: [integer] }),
    list({ prefixItems: [{ type: ['integer', 'boolean'] }] })
  ],
  ['items after prefixItems', list({ prefixItems: [text], items: false }), list({ prefixItems: [text] })],
  ['contains', list({ contains: integer }), list({ contains: { type: ['integer', 'string'] } })],
  ['minContains', list({ contains: integer, minContains: 2 }), list({ contains: integer })],
  ['maxContains', list({ contains: integer, maxContains: 2 }), list({ contains: integer, maxContains: 3 })],
  [
    'unevaluatedItems',
    list({ prefixItems: [text], unevaluatedItems: false }),
    list({ prefixItems: [text], unevaluatedItems: integer })
  ],
  [
    'unevaluatedItems beside contains',
    list({ prefixItems: [text], contains: { const: 1 }, unevaluatedItems: false }),
    list({ prefixItems: [text], contains: { enum: [1, 2] }, unevaluatedItems: false })
  ],
  ['minProperties', { type: 'object', minProperties: 3 }, { type: 'object', minProperties: 2 }],
  ['maxProperties', { type: 'object', maxProperties: 3 }, { type: 'object', maxProperties: 4 }],
  ['required', object({ a: text }, { required: ['a'] }), object({ a: text })],
  ['a declared property that is required', object({ a: text }, { required: ['a'] }), needing('a')],
  ['properties', object({ a: integer }), object({ a: { type: ['integer', 'boolean'] } })],
  [
    'a property of a closed object',
    object({ a: text }, { additionalProperties: false }),
    object({ a: text, b: text }, { additionalProperties: false })
  ],
  [
    'additionalProperties',
    object({}, { additionalProperties: text }),
    object({}, { additionalProperties: true })
  ],
  ['additionalProperties: false', object({ a: text }, { additionalProperties: false }), object({ a: text })],
  [
    'schema of additionalProperties',
    object({}, { additionalProperties: integer }),
    object({}, { additionalProperties: { type: ['integer', 'boolean'] } })
  ],
  [
    'patternProperties',
    object({}, { patternProperties: { '^x': integer } }),
    object({}, { patternProperties: { '^x': { type: ['integer', 'boolean'] } } })
  ],
  [
    'propertyNames',
    { type: 'object', propertyNames: { maxLength: 2 } },
    { type: 'object', propertyNames: { maxLength: 3 } }
  ],
  [
    'dependentRequired',
    { type: 'object', dependentRequired: { a: ['b', 'c'] } },
    { type: 'object', dependentRequired: { a: ['b'] } }
  ],
  [
    'dependentRequired of names that describe schemas',
    { type: 'object', dependentRequired: { title: ['b'] } },
    { type: 'object', dependentRequired: { title: [] } }
  ],
  [
    'dependentSchemas',
    { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
    { type: 'object', dependentSchemas: { a: {} } }
  ],
  [
    'dependencies',
    { type: 'object', dependencies: { a: ['b'] } },
    { type: 'object', dependencies: { a: [] } }
  ],
  [
    'unevaluatedProperties',
    { ...object({ a: text }), unevaluatedProperties: false },
    { ...object({ a: text }), unevaluatedProperties: integer }
  ],
  [
    'unevaluatedProperties beside then',
    { ...object({ a: text }), if: needing('a'), unevaluatedProperties: false },
    {
      ...object({ a: text }),
      if: needing('a'),
      then: { properties: { b: text } },
      unevaluatedProperties: false
    }
  ],
  [
    'unevaluatedProperties beside dependentSchemas',
    { ...object({ a: text }), unevaluatedProperties: false },
    {
      ...object({ a: text }),
      dependentSchemas: { a: { properties: { b: text } } },
      unevaluatedProperties: false
    }
  ],
  ['allOf', { allOf: [integer, { maximum: 3 }] }, { allOf: [integer] }],
  ['anyOf', { anyOf: [integer] }, { anyOf: [integer, { type: 'boolean' }] }],
  [
    'anyOf of lists',
    { anyOf: [list({ items: text })] },
    { anyOf: [list({ items: text }), list({ items: integer })] }
  ],
  ['oneOf', { oneOf: [integer] }, { oneOf: [integer, { type: 'boolean' }] }],
  [
    'oneOf of numbers that overlap',
    { oneOf: [integer, { type: 'number', minimum: 3 }] },
    { anyOf: [integer, { type: 'number', minimum: 3 }] }
  ],
  [
    'oneOf of objects that overlap',
    { oneOf: [needing('a'), needing('b')] },
    { anyOf: [needing('a'), needing('b')] }
  ],
  [
    'oneOf of objects with properties that overlap',
    { oneOf: [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })] },
    { anyOf: [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })] }
  ],
  [
    'oneOf of lists that overlap',
    { oneOf: [list({ contains: { const: 1 } }), list({ contains: { const: 2 } })] },
    { anyOf: [list({ contains: { const: 1 } }), list({ contains: { const: 2 } })] }
  ],
  [
    'oneOf of texts that overlap',
    {
      oneOf: [
        { ...text, pattern: '^a' },
        { ...text, pattern: 'b$' }
      ]
    },
    {
      anyOf: [
        { ...text, pattern: '^a' },
        { ...text, pattern: 'b$' }
      ]
    }
  ],
  [
    'oneOf beside an alternative of both',
    { oneOf: [needing('a'), needing('b')] },
    { anyOf: [{ oneOf: [needing('a'), needing('b')] }, needing('a', 'b')] }
  ],
  [
    'oneOf within allOf',
    { type: 'object', allOf: [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }] },
    { type: 'object', allOf: [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }] }
  ],
  ['not', { ...integer, not: { minimum: 3 } }, { ...integer, not: { minimum: 4 } }],
  [
    'not of objects',
    { type: 'object', not: { type: 'object' } },
    { type: 'object', not: object({ a: integer }) }
  ],
  [
    'not required',
    { type: 'object', not: { required: ['a'] } },
    { type: 'object', not: { required: ['a', 'b'] } }
  ],
  [
    'if',
    { if: { type: 'integer' }, then: { maximum: 3 } },
    { if: { type: 'integer', minimum: 9 }, then: { maximum: 3 } }
  ],
  [
    'then',
    { ...integer, if: { minimum: 2 }, then: { maximum: 3 } },
    { ...integer, if: { minimum: 2 }, then: { maximum: 4 } }
  ],
  [
    'else',
    { ...integer, if: { minimum: 9 }, else: { multipleOf: 6 } },
    { ...integer, if: { minimum: 9 }, else: { multipleOf: 3 } }
  ],
  [
    'then with a property',
    { type: 'object', if: { required: ['a'] }, then: object({ b: integer }) },
    { type: 'object', if: { required: ['a'] }, then: object({}) }
  ],
  ['$ref', { $ref: '#/components/schemas/Narrow' }, { $ref: '#/components/schemas/Wide' }],
  [
    '$ref with siblings',
    { $ref: '#/components/schemas/Wide', maximum: 3 },
    { $ref: '#/components/schemas/Wide', maximum: 4 }
  ],
  [
    'a schema that refers to itself',
    { $ref: '#/components/schemas/NarrowTree' },
    { $ref: '#/components/schemas/WideTree' }
  ]
]

const unseen = new Set(['type: null', 'type', 'type: integer', 'anyOf of lists'])

export const keywordPairs: readonly KeywordPair[] = rows.map(([name, narrow, wide]) => ({
  name,
  narrow,
  wide,
  ...(unseen.has(name) ? { isUnseenInTexts: true } : {})
}))

const tree = (schema: unknown, name: string) =>
  object({ value: schema, next: { $ref: `#/components/schemas/${name}` } })

/** Schemas that some pairs refer to. */
export const schemas = {
  Narrow: { ...integer, maximum: 3 },
  Wide: { ...integer, maximum: 9 },
  NarrowTree: tree({ ...integer, maximum: 3 }, 'NarrowTree'),
  WideTree: tree({ ...integer, maximum: 9 }, 'WideTree')
}

/** Schemas that differ in the reading of a value: each edit has a line, whatever its direction. */
export const readings: readonly (readonly [name: string, one: Schema, other: Schema])[] = [
  ['default', { ...text, default: 'a' }, { ...text, default: 'b' }],
  ['default, added', text, { ...text, default: 'b' }],
  [
    'default of an object',
    { type: 'object', default: titled('a') },
    { type: 'object', default: titled('b') }
  ],
  ['deprecated', text, { ...text, deprecated: true }],
  ['xml', { ...text, xml: { name: 'a' } }, { ...text, xml: { name: 'b' } }],
  ['contentEncoding', { ...text, contentEncoding: 'base64' }, { ...text, contentEncoding: 'base64url' }],
  [
    'contentMediaType',
    { ...text, contentMediaType: 'image/png' },
    { ...text, contentMediaType: 'image/gif' }
  ],
  ['contentEncoding, added', text, { ...text, contentEncoding: 'base64' }],
  [
    'the property of a discriminator',
    { oneOf: [object({ a: text, b: text })], discriminator: { propertyName: 'a' } },
    { oneOf: [object({ a: text, b: text })], discriminator: { propertyName: 'b' } }
  ],
  [
    'the mapping of a discriminator',
    { oneOf: [object({ a: text })], discriminator: { propertyName: 'a', mapping: { x: 'Narrow' } } },
    { oneOf: [object({ a: text })], discriminator: { propertyName: 'a', mapping: { x: 'Wide' } } }
  ]
]
