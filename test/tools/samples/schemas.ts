/** Schemas, each with the form of its plain instances. */
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

const both: readonly Direction[] = ['request', 'response']
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const tree = {
  type: 'object',
  required: ['value', 'children'],
  properties: {
    value: { type: 'integer' },
    children: { type: 'array', items: ref('Tree') },
    next: ref('Tree')
  }
}
const chain = {
  type: 'object',
  required: ['next'],
  properties: { next: { anyOf: [ref('Chain'), { type: 'string' }] } }
}
const endless = { type: 'object', required: ['next'], properties: { next: ref('Endless') } }
const cat = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { type: 'string' }, lives: { type: 'integer' } }
}
const dog = {
  type: 'object',
  required: ['kind', 'barks'],
  properties: { kind: { type: 'string' }, barks: { type: 'boolean' } }
}
const shared = {
  Tree: tree,
  Chain: chain,
  Endless: endless,
  Cat: cat,
  Dog: dog,
  User: {
    type: 'object',
    required: ['id', 'password'],
    properties: { id: { type: 'integer', readOnly: true }, password: { type: 'string', writeOnly: true } },
    additionalProperties: false
  }
}
export const components = { of30: shared, of31: shared }

/** Texts that a format, patterns and lengths narrow together. */
const texts = (
  [
    [{ format: 'byte', minLength: 44, maxLength: 44 }],
    [{ format: 'byte', pattern: '^[A-Za-z0-9+/]{43}=$' }],
    [{ format: 'ipv4', pattern: '^192\\.168\\.' }],
    [{ format: 'ipv4', maxLength: 7 }],
    [{ format: 'ipv6', pattern: '^fe80:' }],
    [{ format: 'ipv6', pattern: '^([0-9a-f]{4}:){7}[0-9a-f]{4}$' }],
    [{ format: 'date-time', pattern: '[+-]\\d{2}:\\d{2}$' }],
    [{ format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+\\d{2}:\\d{2}$' }],
    [{ format: 'date-time', minLength: 25, maxLength: 25 }],
    [{ format: 'date-time', pattern: '\\.\\d{6}Z$' }],
    [{ format: 'date', pattern: '^1987-' }],
    [{ format: 'time', pattern: '^23:.*-' }],
    [{ format: 'duration', pattern: '^PT' }],
    [{ format: 'uuid', pattern: '^.{14}7' }],
    [{ format: 'uuid', pattern: '^[0-9A-F-]+$' }],
    [{ format: 'email', maxLength: 15 }],
    [{ format: 'email', maxLength: 8 }],
    [{ format: 'email', minLength: 60, maxLength: 64 }],
    [{ format: 'email', pattern: '@acme\\.com$', maxLength: 14 }],
    [{ format: 'hostname', pattern: '^[^.]+\\.internal$', minLength: 30 }],
    [{ format: 'uri', pattern: '^https?://' }],
    [{ format: 'uri', pattern: '^urn:isbn:\\d{13}$' }],
    [{ format: 'uri', pattern: '\\.(png|jpg)$' }],
    [{ format: 'uri', minLength: 200 }],
    [{ format: 'uri-reference', pattern: '^/[a-z]+$' }],
    [{ format: 'json-pointer', pattern: '^/a/\\d+$' }],
    [{ format: 'int64', maxLength: 5 }, /^-?\d{1,5}$/],
    [{ format: 'decimal', pattern: '^\\d+\\.\\d{4}$' }],
    [
      {
        pattern:
          '^https?:\\/\\/(www\\.)?[-a-zA-Z0-9@:%._\\+~#=]{1,256}\\.[a-zA-Z0-9()]{1,6}\\b([-a-zA-Z0-9()@:%_\\+.~#?&//=]*)$'
      }
    ],
    [{ pattern: '\\b[A-Z]{3}\\b' }],
    [{ pattern: '^\\w+\\b \\b\\w+$' }],
    [{ pattern: '^a\\Bb$' }],
    [{ pattern: '^(a|b)\\1$' }],
    [{ pattern: '^(?<quote>["\'])[a-z]+\\k<quote>$' }],
    [{ pattern: '^\\d{4}([-/])\\d{2}\\1\\d{2}$' }],
    [{ pattern: '^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#$%]).{8,20}$' }],
    [{ pattern: '^(?!admin$)[a-z]{5}$' }],
    [{ pattern: '^(?:(?!--)[a-z-])+$', minLength: 20 }],
    [{ pattern: '^[a-z]{4}(?<!x)$' }],
    [{ pattern: '[а-я]{3}\\u{1F600}' }],
    [{ pattern: '^[a-z]+(-[a-z]+)*$', minLength: 17, maxLength: 17 }],
    [{ pattern: '^sk_', minLength: 30, maxLength: 30 }],
    [{ pattern: 'foo', allOf: [{ pattern: '^[a-z]+$' }, { pattern: 'bar$' }] }],
    [{ pattern: '^[A-Z]{3}', maxLength: 7, allOf: [{ pattern: '\\d{4}$' }] }]
  ] as const
).map(([keywords, plain]): Case => {
  return { name: JSON.stringify(keywords), schema: { type: 'string', ...keywords }, ...(plain && { plain }) }
})

export const schemas: readonly Case[] = [
  { name: 'string', schema: { type: 'string' }, plain: /^[a-z]+-[a-z]+$/, directions: both },
  { name: 'lengths', schema: { type: 'string', minLength: 60, maxLength: 62 }, plain: /^.{60,62}$/ },
  { name: 'impossible lengths', schema: { type: 'string', minLength: 4, maxLength: 2 }, isImpossible: true },
  { name: 'pattern', schema: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' }, plain: /^[A-Z]{3}-\d+$/ },
  {
    name: 'pattern with lengths',
    schema: { type: 'string', pattern: '^[a-z]+$', minLength: 30, maxLength: 32 }
  },
  { name: 'pattern of fixed length', schema: { type: 'string', pattern: '^\\d{4}$' }, plain: /^\d{4}$/ },
  {
    name: 'pattern with a lookahead',
    schema: { type: 'string', pattern: '^(?!x)[a-z]{2,5}$' },
    plain: /^[a-z]{2,5}$/
  },
  {
    name: 'pattern of letters of any script',
    schema: { type: 'string', pattern: '^\\p{Lu}[\\p{L} ]{2,5}$' }
  },
  { name: 'pattern without an end', schema: { type: 'string', pattern: '^n_' }, plain: /^n_\w+$/ },
  {
    name: 'pattern with alternatives',
    schema: { type: 'string', pattern: '^(?:red|blue)$|^green$' },
    plain: /^(red|blue|green)$/
  },
  {
    name: 'pattern and format',
    schema: { type: 'string', format: 'date', pattern: '^20' },
    plain: /^20\d\d-/
  },
  ...texts,
  { name: 'pattern that no text has', schema: { type: 'string', pattern: '^(?!.)x$' }, isImpossible: true },
  { name: 'integer', schema: { type: 'integer' }, directions: both },
  { name: 'bounds', schema: { type: 'integer', minimum: -7, maximum: -3 } },
  { name: 'impossible bounds', schema: { type: 'integer', minimum: 5, maximum: 3 }, isImpossible: true },
  { name: 'int32', schema: { type: 'integer', format: 'int32', minimum: 2_147_483_640 } },
  {
    name: 'int64',
    schema: { type: 'integer', format: 'int64', minimum: 9_223_372_036_854_775_800n },
    is: (value: unknown) => typeof value === 'bigint'
  },
  {
    name: 'integer beyond a double',
    schema: { type: 'integer', minimum: 9_007_199_254_740_993n },
    isImpossible: true
  },
  {
    name: 'multiple',
    schema: { type: 'integer', multipleOf: 1.5, minimum: 1, maximum: 6 },
    is: (value: number) => value % 3 === 0
  },
  { name: 'decimal multiple', schema: { type: 'number', multipleOf: 0.01, minimum: 0.1, maximum: 0.2 } },
  {
    name: 'two multiples',
    schema: { allOf: [{ type: 'integer', multipleOf: 4 }, { multipleOf: 6 }] },
    is: (value: number) => value % 12 === 0
  },
  { name: 'large multiple', schema: { type: 'number', multipleOf: 1e21 } },
  { name: 'number', schema: { type: 'number', format: 'float' }, directions: both },
  { name: 'narrow number', schema: { type: 'number', minimum: 0.001, maximum: 0.002 } },
  { name: 'number with the format int64', schema: { type: 'number', format: 'int64' } },
  { name: 'boolean', schema: { type: 'boolean' }, directions: both },
  { name: 'enum', schema: { type: 'string', enum: ['a', 'b'] }, plain: /^[ab]$/ },
  { name: 'enum and another', schema: { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, plain: 'b' },
  { name: 'enum without a value', schema: { allOf: [{ enum: ['a'] }, { enum: ['c'] }] }, isImpossible: true },
  { name: 'list', schema: { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 3 } },
  {
    name: 'impossible list',
    schema: { type: 'array', items: {}, minItems: 3, maxItems: 2 },
    isImpossible: true
  },
  {
    name: 'unique items',
    schema: { type: 'array', items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true }
  },
  {
    name: 'too few unique items',
    schema: { type: 'array', items: { enum: [1, 2] }, minItems: 3, uniqueItems: true },
    isImpossible: true
  },
  { name: 'map', schema: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 3 } },
  {
    name: 'closed object',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    plain: { a: String }
  },
  {
    name: 'object of few properties',
    schema: { type: 'object', properties: { a: {}, b: {}, c: {} }, maxProperties: 1 }
  },
  {
    name: 'too many required properties',
    schema: { type: 'object', required: ['a', 'b'], maxProperties: 1 },
    isImpossible: true
  },
  {
    name: 'required and not declared',
    schema: { type: 'object', required: ['a'] },
    is: (value: object) => 'a' in value
  },
  {
    name: 'required and impossible',
    schema: { type: 'object', required: ['a'], additionalProperties: false },
    isImpossible: true
  },
  {
    name: 'open object',
    schema: { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } }
  },
  {
    name: '__proto__',
    schema: JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"}}}'
    )
  },
  {
    name: 'allOf',
    schema: { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'integer' } } }] },
    plain: { a: Number }
  },
  { name: 'anyOf', schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  {
    name: 'oneOf that overlaps',
    schema: { type: 'array', minItems: 5, items: { oneOf: [{ type: 'integer' }, { minimum: 2 }] } }
  },
  {
    name: 'oneOf with a discriminator',
    schema: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    plain: { kind: /^(Cat|Dog)$/ }
  },
  { name: 'not a type', schema: { not: { type: 'string' } } },
  {
    name: 'not with required',
    schema: { type: 'object', properties: { a: {} }, not: { required: ['a'] } },
    is: (value: object) => !('a' in value)
  },
  {
    name: 'not with properties',
    schema: { type: 'object', not: { properties: { a: { enum: [1] } }, required: ['a'] } }
  },
  {
    name: 'not with properties alone',
    schema: { type: 'object', not: { properties: { a: { enum: [1] } } } }
  },
  { name: 'not with another keyword', schema: { type: 'integer', not: { multipleOf: 2 } } },
  { name: 'nothing', schema: { not: {} }, isImpossible: true },
  { name: 'recursive', schema: ref('Tree'), plain: { children: Array }, directions: both },
  { name: 'recursive in required properties', schema: ref('Chain') },
  { name: 'endless', schema: ref('Endless'), isImpossible: true },
  {
    name: 'read-only and write-only, response',
    schema: ref('User'),
    plain: { id: Number },
    directions: ['response']
  },
  {
    name: 'read-only and write-only, request',
    schema: ref('User'),
    plain: { password: String },
    directions: ['request']
  },
  {
    name: 'example',
    schema: { type: 'object', properties: { a: { type: 'string', example: 'given' } } },
    plain: { a: 'given' }
  },
  { name: 'example that is wrong', schema: { type: 'integer', example: 'no' }, plain: Number },
  { name: 'default', schema: { type: 'integer', default: 42 }, plain: 42 },
  { name: 'nullable', version: '3.0.3', schema: { type: 'string', nullable: true, enum: ['a'] }, plain: 'a' },
  {
    name: 'nullable without a type',
    version: '3.0.3',
    schema: { nullable: true, allOf: [{ type: 'integer' }] },
    plain: Number
  },
  {
    name: 'exclusive bounds of 3.0',
    version: '3.0.3',
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true },
    plain: 2
  },
  {
    name: 'exclusive bounds',
    version: '3.1.0',
    schema: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }
  },
  {
    name: 'no number between exclusive bounds',
    version: '3.1.0',
    schema: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1 },
    isImpossible: true
  },
  { name: 'null', version: '3.1.0', schema: { type: 'null' }, plain: null },
  { name: 'types', version: '3.1.0', schema: { type: ['string', 'null', 'array'] } },
  {
    name: 'null or another',
    version: '3.1.0',
    schema: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
    plain: Number
  },
  {
    name: 'null alone of a union',
    version: '3.1.0',
    schema: { anyOf: [{ type: 'null' }, false] },
    plain: null
  },
  {
    name: 'false',
    version: '3.1.0',
    schema: { type: 'object', required: ['a'], properties: { a: false } },
    isImpossible: true
  },
  { name: 'const', version: '3.1.0', schema: { const: { a: [1] } }, plain: { a: [1] } },
  { name: 'enum with null', version: '3.1.0', schema: { enum: [null, 'a'] }, plain: 'a' },
  {
    name: 'examples',
    version: '3.1.0',
    schema: { type: 'string', examples: ['one', 'two'] },
    plain: /^(one|two)$/
  },
  {
    name: 'prefix',
    version: '3.1.0',
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    plain: [String, Number]
  },
  {
    name: 'prefix with an impossible item',
    version: '3.1.0',
    schema: { type: 'array', prefixItems: [{ type: 'string' }, false] },
    plain: [String]
  },
  {
    name: 'prefix with an impossible first item',
    version: '3.1.0',
    schema: { type: 'array', prefixItems: [false], minItems: 1 },
    isImpossible: true
  },
  {
    name: 'all of fifty different items',
    schema: {
      type: 'array',
      minItems: 50,
      uniqueItems: true,
      items: { type: 'integer', minimum: 1, maximum: 50 }
    }
  },
  {
    name: 'contains',
    version: '3.1.0',
    schema: {
      type: 'array',
      items: { type: 'integer' },
      contains: { const: 7 },
      minContains: 2,
      maxContains: 2
    },
    plain: [7, 7]
  },
  {
    name: 'contains what is impossible',
    version: '3.1.0',
    schema: { type: 'array', items: { type: 'string' }, contains: { type: 'integer' } },
    isImpossible: true
  },
  {
    name: 'unevaluated items',
    version: '3.1.0',
    schema: { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: { type: 'integer' } }
  },
  {
    name: 'unevaluated properties',
    version: '3.1.0',
    schema: {
      allOf: [{ type: 'object', properties: { a: { type: 'string' } } }],
      unevaluatedProperties: false
    }
  },
  {
    name: 'patternProperties',
    version: '3.1.0',
    schema: {
      type: 'object',
      patternProperties: { '^x-': { type: 'integer' } },
      additionalProperties: false,
      minProperties: 2
    }
  },
  {
    name: 'propertyNames',
    version: '3.1.0',
    schema: {
      type: 'object',
      properties: { TOO: {} },
      propertyNames: { pattern: '^[a-z]{3}$' },
      minProperties: 1
    }
  },
  {
    name: 'dependentRequired',
    version: '3.1.0',
    schema: { type: 'object', properties: { a: {}, b: {}, c: {} }, dependentRequired: { a: ['b'], b: ['c'] } }
  },
  {
    name: 'dependentSchemas',
    version: '3.1.0',
    schema: {
      type: 'object',
      properties: { a: {} },
      dependentSchemas: { a: { required: ['b'] }, c: { required: ['d'] } }
    }
  },
  {
    name: 'if',
    version: '3.1.0',
    schema: {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] } },
      required: ['kind'],
      if: { properties: { kind: { const: 'a' } } },
      then: { required: ['x'] },
      else: { required: ['y'] }
    }
  },
  {
    name: 'contentEncoding',
    version: '3.1.0',
    schema: { type: 'string', contentEncoding: 'base16' },
    plain: /^[0-9a-f]+$/
  },
  { name: 'no type: text', version: '3.1.0', schema: { minLength: 2 }, plain: String },
  { name: 'no type: a format', version: '3.1.0', schema: { format: 'uuid' }, plain: String },
  { name: 'no type: a format of numbers', version: '3.1.0', schema: { format: 'int32' }, plain: Number },
  { name: 'no type: anything', version: '3.1.0', schema: {} },
  { name: 'any number', schema: { type: 'number', minimum: -1, maximum: 0 } },
  { name: 'number of 32 bits', schema: { type: 'number', format: 'int32' } },
  { name: 'one number', schema: { type: 'number', minimum: 1, maximum: 1 }, plain: 1 },
  { name: 'no number', schema: { type: 'number', minimum: 2, maximum: 1 }, isImpossible: true },
  {
    name: 'the narrowest of several bounds',
    schema: {
      allOf: [
        { type: 'integer', minimum: 1, maximum: 90 },
        { minimum: 50, maximum: 99 },
        { minimum: 20, maximum: 70 }
      ]
    }
  },
  {
    name: 'pattern with a dot in brackets',
    schema: { type: 'string', pattern: '^[a.]{3}$' },
    plain: /^[a.]{3}$/
  },
  { name: 'pattern without a start', schema: { type: 'string', pattern: 'x\\d$' }, plain: /x\d$/ },
  {
    name: 'pattern of a least length',
    schema: { type: 'string', pattern: '^[a-z]{3,}$' },
    plain: /^[a-z]{3,}$/
  },
  {
    name: 'pattern too short for the length',
    schema: { type: 'string', pattern: '^[a-z]{5}$', minLength: 7 },
    isImpossible: true
  },
  {
    name: 'names of properties',
    schema: {
      type: 'object',
      required: ['homepage', 'phone', 'path'],
      properties: { homepage: { type: 'string' }, phone: { type: 'string' }, path: { type: 'string' } }
    },
    plain: { homepage: /^https:/, phone: /^\+43/, path: /^\// }
  },
  { name: 'not nothing', version: '3.1.0', schema: { not: false, type: 'integer' }, plain: Number },
  { name: 'not anything', version: '3.1.0', schema: { not: true }, isImpossible: true },
  { name: 'union without a branch', version: '3.1.0', schema: { anyOf: [false, false] }, isImpossible: true },
  { name: 'contains nothing', version: '3.1.0', schema: { contains: false } },
  ...[
    'date',
    'time',
    'date-time',
    'iso-time',
    'iso-date-time',
    'duration',
    'email',
    'idn-email',
    'hostname',
    'idn-hostname',
    'ipv4',
    'ipv6',
    'uri',
    'url',
    'iri',
    'uri-reference',
    'iri-reference',
    'uri-template',
    'uuid',
    'json-pointer',
    'json-pointer-uri-fragment',
    'relative-json-pointer',
    'regex',
    'byte',
    'base64url',
    'base32',
    'decimal',
    'password',
    'int32',
    'int64'
  ].map((format): Case => ({ name: `format ${format}`, schema: { type: 'string', format } }))
]
