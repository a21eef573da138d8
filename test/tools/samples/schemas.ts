/** Schemas, each with the form of its plain instances. */
import { load } from 'js-yaml'
import type { Direction } from '../../../src/tools/samples/samples.ts'

export interface Case {
  readonly name: string
  readonly schema: unknown
  /** Version of OpenAPI; both by default. */
  readonly version?: '3.0.3' | '3.1.0'
  /** Directions; the response by default. */
  readonly directions?: readonly Direction[]
  /** Pattern of the instance for `t.match`. */
  readonly plain?: unknown
  readonly is?: (value: never) => boolean
  readonly isImpossible?: true
}

type Row = readonly [schema: string, plain?: unknown]
const cases = (rows: readonly Row[], more: Partial<Case> = {}): readonly Case[] =>
  rows.map(([name, ...plain]) => ({
    name,
    schema: load(name),
    ...(plain.length > 0 && { plain: plain[0] }),
    ...more
  }))

export const components = load(`
Tree:
  type: object
  required: [value, children]
  properties:
    value: { type: integer }
    children: { type: array, items: { $ref: '#/components/schemas/Tree' } }
    next: { $ref: '#/components/schemas/Tree' }
Chain:
  type: object
  required: [next]
  properties: { next: { anyOf: [{ $ref: '#/components/schemas/Chain' }, { type: string }] } }
Endless: { type: object, required: [next], properties: { next: { $ref: '#/components/schemas/Endless' } } }
Cat: { type: object, required: [kind, lives], properties: { kind: { type: string }, lives: { type: integer } } }
Dog: { type: object, required: [kind, barks], properties: { kind: { type: string }, barks: { type: boolean } } }
User:
  type: object
  required: [id, password]
  properties: { id: { type: integer, readOnly: true }, password: { type: string, writeOnly: true } }
  additionalProperties: false
`) as object

/** Texts that a format, patterns and lengths narrow together. */
const texts = [
  { format: 'byte', minLength: 44, maxLength: 44 },
  { format: 'byte', pattern: '^[A-Za-z0-9+/]{43}=$' },
  { format: 'ipv4', pattern: '^192\\.168\\.' },
  { format: 'ipv4', maxLength: 7 },
  { format: 'ipv6', pattern: '^fe80:' },
  { format: 'ipv6', pattern: '^([0-9a-f]{4}:){7}[0-9a-f]{4}$' },
  { format: 'date-time', pattern: '[+-]\\d{2}:\\d{2}$' },
  { format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+\\d{2}:\\d{2}$' },
  { format: 'date-time', minLength: 25, maxLength: 25 },
  { format: 'date-time', pattern: '\\.\\d{6}Z$' },
  { format: 'date', pattern: '^1987-' },
  { format: 'time', pattern: '^23:.*-' },
  { format: 'duration', pattern: '^PT' },
  { format: 'uuid', pattern: '^.{14}7' },
  { format: 'uuid', pattern: '^[0-9A-F-]+$' },
  { format: 'email', maxLength: 15 },
  { format: 'email', maxLength: 8 },
  { format: 'email', minLength: 60, maxLength: 64 },
  { format: 'email', pattern: '@acme\\.com$', maxLength: 14 },
  { format: 'hostname', pattern: '^[^.]+\\.internal$', minLength: 30 },
  { format: 'uri', pattern: '^https?://' },
  { format: 'uri', pattern: '^urn:isbn:\\d{13}$' },
  { format: 'uri', pattern: '\\.(png|jpg)$' },
  { format: 'uri', minLength: 200 },
  { format: 'uri-reference', pattern: '^/[a-z]+$' },
  { format: 'json-pointer', pattern: '^/a/\\d+$' },
  { format: 'int64', maxLength: 5 },
  { format: 'decimal', pattern: '^\\d+\\.\\d{4}$' },
  {
    pattern:
      '^https?:\\/\\/(www\\.)?[-a-zA-Z0-9@:%._\\+~#=]{1,256}\\.[a-zA-Z0-9()]{1,6}\\b([-a-zA-Z0-9()@:%_\\+.~#?&//=]*)$'
  },
  { pattern: '\\b[A-Z]{3}\\b' },
  { pattern: '^\\w+\\b \\b\\w+$' },
  { pattern: '^a\\Bb$' },
  { pattern: '^(a|b)\\1$' },
  { pattern: '^(?<quote>["\'])[a-z]+\\k<quote>$' },
  { pattern: '^\\d{4}([-/])\\d{2}\\1\\d{2}$' },
  { pattern: '^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#$%]).{8,20}$' },
  { pattern: '^(?!admin$)[a-z]{5}$' },
  { pattern: '^(?:(?!--)[a-z-])+$', minLength: 20 },
  { pattern: '^[a-z]{4}(?<!x)$' },
  { pattern: '[а-я]{3}\\u{1F600}' },
  { pattern: '^[a-z]+(-[a-z]+)*$', minLength: 17, maxLength: 17 },
  { pattern: '^sk_', minLength: 30, maxLength: 30 },
  { pattern: 'foo', allOf: [{ pattern: '^[a-z]+$' }, { pattern: 'bar$' }] },
  { pattern: '^[A-Z]{3}', maxLength: 7, allOf: [{ pattern: '\\d{4}$' }] },
  { pattern: '^[A-Z]{3}-\\d+$' },
  { pattern: '^[a-z]+$', minLength: 30, maxLength: 32 },
  { pattern: '^\\p{Lu}[\\p{L} ]{2,5}$' },
  { pattern: '^(?:red|blue)$|^green$' },
  { pattern: '^[a.]{3}$' },
  { pattern: 'x\\d$' },
  { pattern: '^[a-z]{3,}$' },
  ...'date time date-time iso-time iso-date-time duration email idn-email hostname idn-hostname ipv4 ipv6 uri url'
    .concat(
      ' iri uri-reference iri-reference uri-template uuid json-pointer json-pointer-uri-fragment regex byte'
    )
    .concat(' relative-json-pointer base64url base32 decimal password int32 int64')
    .split(' ')
    .map((format) => ({ format }))
].map((keywords): Case => ({ name: JSON.stringify(keywords), schema: { type: 'string', ...keywords } }))

export const schemas: readonly Case[] = [
  ...cases(
    [
      ['{ type: string }', /^[a-z]+-[a-z]+$/],
      ['{ type: integer }'],
      ['{ type: number, format: float }'],
      ['{ type: boolean }'],
      ["{ $ref: '#/components/schemas/Tree' }", { children: Array }]
    ],
    { directions: ['request', 'response'] }
  ),
  ...cases([["{ $ref: '#/components/schemas/User' }", { id: Number, password: undefined }]]),
  ...cases([["{ $ref: '#/components/schemas/User' }", { id: undefined, password: String }]], {
    directions: ['request']
  }),
  ...texts,
  ...cases([
    ['{ type: string, minLength: 60, maxLength: 62 }'],
    ["{ type: string, pattern: '^n_' }", /^n_\w+$/],
    ['{ type: integer, minimum: -7, maximum: -3 }'],
    ['{ type: integer, format: int32, minimum: 2147483640 }'],
    ['{ type: number, multipleOf: 0.01, minimum: 0.1, maximum: 0.2 }'],
    ['{ type: number, multipleOf: 1.0e+21 }'],
    ['{ type: number, minimum: 0.001, maximum: 0.002 }'],
    ['{ type: number, format: int64 }'],
    ['{ type: number, format: int32 }'],
    ['{ type: number, minimum: -1, maximum: 0 }'],
    ['{ type: number, minimum: 1, maximum: 1 }', 1],
    [
      '{ allOf: [{ type: integer, minimum: 1, maximum: 90 }, { minimum: 50, maximum: 99 }, { minimum: 20, maximum: 70 }] }'
    ],
    ['{ type: string, enum: [a, b] }', /^[ab]$/],
    ['{ allOf: [{ enum: [a, b] }, { enum: [b, c] }] }', 'b'],
    ['{ type: array, items: { type: string }, minItems: 3, maxItems: 3 }'],
    ['{ type: array, items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true }'],
    ['{ type: array, minItems: 50, uniqueItems: true, items: { type: integer, minimum: 1, maximum: 50 } }'],
    ['{ type: object, additionalProperties: { type: integer }, minProperties: 3 }'],
    ['{ type: object, properties: { a: { type: string } }, additionalProperties: false }', { a: String }],
    ['{ type: object, properties: { a: {}, b: {}, c: {} }, maxProperties: 1 }'],
    ['{ type: object, required: [a] }'],
    ['{ type: object, properties: { a: {} }, additionalProperties: { type: string } }'],
    ['{ allOf: [{ type: object, required: [a] }, { properties: { a: { type: integer } } }] }', { a: Number }],
    ['{ anyOf: [{ type: string }, { type: integer }] }'],
    ['{ type: array, minItems: 5, items: { oneOf: [{ type: integer }, { minimum: 2 }] } }'],
    [
      "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } }",
      { kind: /^(Cat|Dog)$/ }
    ],
    ['{ not: { type: string } }'],
    ['{ type: object, properties: { a: {} }, not: { required: [a] } }'],
    ['{ type: object, not: { properties: { a: { enum: [1] } }, required: [a] } }'],
    ['{ type: object, not: { properties: { a: { enum: [1] } } } }'],
    ['{ type: integer, not: { multipleOf: 2 } }'],
    ["{ $ref: '#/components/schemas/Chain' }"],
    ['{ type: object, properties: { a: { type: string, example: given } } }', { a: 'given' }],
    ['{ type: integer, example: no }', Number],
    ['{ type: integer, default: 42 }', 42],
    [
      '{ type: object, required: [homepage, phone, path], properties: { homepage: { type: string }, phone: { type: string }, path: { type: string } } }',
      { homepage: /^https:/, phone: /^\+43/, path: /^\// }
    ]
  ]),
  ...cases(
    [
      ['{ type: string, nullable: true, enum: [a] }', 'a'],
      ['{ nullable: true, allOf: [{ type: integer }] }', Number],
      ['{ type: integer, minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true }', 2]
    ],
    { version: '3.0.3' }
  ),
  ...cases(
    [
      ['{ type: number, exclusiveMinimum: 1, exclusiveMaximum: 2 }'],
      ["{ type: 'null' }", null],
      ["{ type: [string, 'null', array] }"],
      ["{ anyOf: [{ type: 'null' }, { type: integer }] }", Number],
      ["{ anyOf: [{ type: 'null' }, false] }", null],
      ['{ const: { a: [1] } }', { a: [1] }],
      ['{ enum: [null, a] }', 'a'],
      ['{ type: string, examples: [one, two] }', /^(one|two)$/],
      ['{ type: array, prefixItems: [{ type: string }, { type: integer }], items: false }', [String, Number]],
      ['{ type: array, prefixItems: [{ type: string }, false] }', [String]],
      [
        '{ type: array, items: { type: integer }, contains: { const: 7 }, minContains: 2, maxContains: 2 }',
        [7, 7]
      ],
      ['{ type: array, prefixItems: [{ type: string }], unevaluatedItems: { type: integer } }'],
      ['{ allOf: [{ type: object, properties: { a: { type: string } } }], unevaluatedProperties: false }'],
      [
        "{ type: object, patternProperties: { '^x-': { type: integer } }, additionalProperties: false, minProperties: 2 }"
      ],
      [
        "{ type: object, properties: { TOO: {} }, propertyNames: { pattern: '^[a-z]{3}$' }, minProperties: 1 }"
      ],
      ['{ type: object, properties: { a: {}, b: {}, c: {} }, dependentRequired: { a: [b], b: [c] } }'],
      [
        '{ type: object, properties: { a: {} }, dependentSchemas: { a: { required: [b] }, c: { required: [d] } } }'
      ],
      [
        '{ type: object, properties: { kind: { enum: [a, b] } }, required: [kind], if: { properties: { kind: { const: a } } }, then: { required: [x] }, else: { required: [y] } }'
      ],
      ['{ type: string, contentEncoding: base16 }', /^[0-9a-f]+$/],
      ['{ minLength: 2 }', String],
      ['{ format: uuid }', String],
      ['{ format: int32 }', Number],
      ['{}'],
      ['{ not: false, type: integer }', Number],
      ['{ contains: false }'],
      [
        '{ type: object, required: [a], dependentRequired: { a: [b], b: [c] }, properties: { c: { const: 5 } } }'
      ],
      [
        '{ type: object, required: [a], dependentSchemas: { a: { required: [b], dependentRequired: { b: [c] } } } }'
      ],
      ['{ not: { anyOf: [{ type: boolean }, { type: [string, integer] }] } }'],
      ['{ not: { not: { type: integer, minimum: -5, maximum: 7 } } }', Number],
      ["{ type: string, not: { $ref: '#/components/schemas/Tree', allOf: [{ type: string }] } }", String],
      ['{ type: string, not: { minLength: 3, pattern: x } }', String],
      ['{ type: object, not: { maxProperties: 3 } }'],
      ['{ oneOf: [{}, { type: [string, integer] }, { type: boolean }] }'],
      ['{ oneOf: [{ type: object, properties: { c: { type: integer } } }, { type: object }] }'],
      ['{ oneOf: [{ dependentRequired: { b: [z] } }, {}] }'],
      [
        '{ oneOf: [{ type: array, items: { type: object, properties: { a: { type: string } } } }, { type: array, items: { type: object, properties: { b: { type: string } } } }] }'
      ],
      [
        '{ oneOf: [{ type: object, properties: { m: { type: array, prefixItems: [{ type: string }], items: { type: integer } } } }, { type: object, properties: { m: { type: array, prefixItems: [{ type: string }], items: { type: number } } } }] }'
      ],
      [
        '{ oneOf: [{ type: object, additionalProperties: { type: integer } }, { type: object, properties: { a: {} } }] }'
      ],
      ['{ type: object, properties: { a: {} }, not: { additionalProperties: false } }'],
      ["{ type: array, contains: { type: 'null' }, unevaluatedItems: false }", [null]],
      ['{ type: array, items: { type: integer }, prefixItems: [{}], contains: { type: array } }'],
      [
        "{ type: object, minProperties: 3, patternProperties: { 'c$': {} }, propertyNames: { pattern: '^[a-z]$' } }"
      ],
      ["{ type: object, minProperties: 1, patternProperties: { '^x': false } }"],
      ['{ properties: { a: true }, anyOf: [{ unevaluatedProperties: { type: object } }] }'],
      [
        "{ type: object, allOf: [{ unevaluatedProperties: { pattern: '^[a-z]$' } }, { properties: { a: { const: ab } } }] }"
      ]
    ],
    { version: '3.1.0' }
  ),
  ...cases(
    [
      ['{ type: string, minLength: 4, maxLength: 2 }'],
      ["{ type: string, pattern: '^(?!.)x$' }"],
      ["{ type: string, pattern: '^[a-z]{5}$', minLength: 7 }"],
      ['{ type: integer, minimum: 5, maximum: 3 }'],
      ['{ type: number, minimum: 2, maximum: 1 }'],
      ['{ type: number, exclusiveMinimum: 1, exclusiveMaximum: 1 }'],
      ['{ allOf: [{ enum: [a] }, { enum: [c] }] }'],
      ['{ type: array, items: {}, minItems: 3, maxItems: 2 }'],
      ['{ type: array, items: { enum: [1, 2] }, minItems: 3, uniqueItems: true }'],
      ['{ type: array, prefixItems: [false], minItems: 1 }'],
      ['{ type: array, items: { type: string }, contains: { type: integer } }'],
      ['{ type: object, required: [a, b], maxProperties: 1 }'],
      ['{ type: object, required: [a], additionalProperties: false }'],
      ['{ type: object, required: [a], properties: { a: false } }'],
      ["{ $ref: '#/components/schemas/Endless' }"],
      ['{ not: {} }'],
      ['{ not: true }'],
      ['{ anyOf: [false, false] }']
    ],
    { isImpossible: true }
  ),
  { name: 'beyond a double', schema: { type: 'integer', minimum: 2n ** 53n + 1n }, isImpossible: true },
  {
    name: 'int64',
    schema: { type: 'integer', format: 'int64', minimum: 9_223_372_036_854_775_800n },
    is: (value: unknown) => typeof value === 'bigint'
  },
  {
    name: 'multiple',
    schema: { type: 'integer', multipleOf: 1.5, minimum: 1, maximum: 6 },
    is: (value: number) => value % 3 === 0
  },
  {
    name: 'two multiples',
    schema: { allOf: [{ type: 'integer', multipleOf: 4 }, { multipleOf: 6 }] },
    is: (value: number) => value % 12 === 0
  },
  {
    name: '__proto__',
    schema: JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"}}}'
    )
  }
]
