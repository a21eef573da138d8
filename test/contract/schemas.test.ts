/** Schemas of the model, printed as JSON Schema 2020-12: keywords, annotations, and what OpenAPI 3.0 writes otherwise. */
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../src/compiler/compile/compile.ts'
import { translatePattern } from '../../src/contract/document/translate-pattern.ts'
import { loadContract } from '../../src/contract/load/load.ts'
import { SchemaPrinter } from './print-schema.ts'
import { schemaOf } from './schema-of.ts'

t.setTimeout(900_000)

const [text, nothing] = [{ type: 'string' }, { type: 'null' }]
const union = { propertyName: 'a' }

/** A schema and how it is printed, if otherwise. */
type Row = readonly [written: unknown, printed?: unknown]

const rows: readonly Row[] = [
  [false],
  [true, {}],
  [text],
  [{ type: ['string', 'null'] }],
  [{ maximum: 9007199254740993n, minLength: 2, const: null, default: false, deprecated: true }],
  [{ maxItems: 3n, uniqueItems: false }, { maxItems: 3 }],
  [{ required: ['a', 'b'], minProperties: 1, dependentRequired: { d: ['e'] } }],
  [{ pattern: '^\\p{L}/$', patternProperties: { '^a': { title: 'A' } } }],
  [{ properties: { toString: { title: 'A' } } }],
  [JSON.parse('{"properties":{"__proto__":{}}}')],
  [{ contains: { title: 'A' } }, { contains: { title: 'A' }, minContains: 1 }],
  [{ contains: {}, minContains: 0, maxContains: 2 }],
  [{ minContains: 2 }, {}],
  [{ contentMediaType: 'application/json', contentEncoding: 'base64', contentSchema: { title: 'A' } }],
  [
    { dependencies: { a: ['b'], c: { title: 'C' } }, dependentSchemas: { c: { title: 'D' } } },
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { title: 'D' } } }
  ],
  [{ example: 1, examples: [2] }, { examples: [1, 2] }],
  [
    { 'x-a': 1, unknown: 2, xml: { name: 'a' } },
    { 'x-a': 1, xml: { name: 'a' } }
  ],
  [{ additionalProperties: false, propertyNames: { maxLength: 2 }, unevaluatedProperties: false }],
  [{ if: {}, then: { title: 'A' }, else: { title: 'B' }, not: { title: 'C' } }],
  [{ prefixItems: [{ title: 'A' }], items: false, unevaluatedItems: {} }],
  // A malformed annotation is left out.
  ...[{ readOnly: 'yes' }, { title: 1 }, { format: 1 }, { contentEncoding: 1 }, { contentMediaType: 1 }].map(
    (schema): Row => [schema, {}]
  ),
  ...[{ xml: 1 }, { examples: {} }, { discriminator: 'kind' }].map((schema): Row => [schema, {}]),
  [{ discriminator: { ...union, mapping: { b: 1 } } }, {}],
  [{ discriminator: { ...union, mapping: { b: 'None' } } }, {}],
  [{ discriminator: { ...union, defaultMapping: 'None' }, oneOf: [{}] }, { oneOf: [{}] }],
  // OpenAPI 3.0.
  [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  [{ maximum: 2n, exclusiveMaximum: false }, { maximum: 2n }],
  [{ exclusiveMinimum: true }, {}],
  [{ exclusiveMinimum: 1, minimum: 0 }],
  [{ ...text, nullable: true }, { type: ['string', 'null'] }],
  [{ ...text, nullable: false }, text],
  [{ type: ['string', 'integer'], nullable: true }, { type: ['string', 'integer', 'null'] }],
  [{ nullable: true, minimum: 3 }, { minimum: 3 }],
  [{ nullable: true, enum: ['a'] }, { enum: ['a', null] }],
  [{ nullable: true, enum: [null, 'a'] }, { enum: [null, 'a'] }],
  [{ nullable: true, const: 'a' }, { anyOf: [{ const: 'a' }, nothing] }],
  [
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
    { nullable: true, oneOf: [{ nullable: true, anyOf: [text] }], discriminator: union },
    { anyOf: [{ oneOf: [{ anyOf: [{ anyOf: [text] }, nothing] }], discriminator: union }, nothing] }
  ],
  [{ properties: { nullable: text } }],
  [{ examples: [{ nullable: true, type: 'string' }] }]
]

t.test('schemas are printed as JSON Schema 2020-12', async (t) => {
  for (const [written, printed = written] of rows) {
    const schema = schemaOf(written)
    t.strictSame(new SchemaPrinter(new Map()).schema(schema), printed)
    t.equal(schema.broken, undefined)
  }
})

t.test('patterns are Unicode where they can be, and keywords without a meaning are named', async (t) => {
  t.ok(schemaOf({ pattern: '^\\p{L}/$' }).pattern?.regexp.test('ä/'))
  t.ok(schemaOf({ pattern: '\\-' }).pattern?.regexp.test('-'))
  const known = {
    $ref: '#/$defs/a',
    $defs: { a: {} },
    $comment: 'b',
    'x-a': 1,
    $anchor: 'c',
    externalDocs: {}
  }
  t.equal(schemaOf(known).unknown, undefined)
  t.strictSame(schemaOf({ minlength: 1, foo: 1 }).unknown, ['minlength', 'foo'])
})

/** A pattern, its translation, and texts that it takes and refuses. */
type Pattern = readonly [pattern: string, translated: string, takes?: string, refuses?: string]

const patterns: readonly Pattern[] = [
  ['^[\\w\\-]+\\_$', '^[\\w\\-]+\\_$'],
  ['^\\p{Lu}[^\\]a]\\d{2,}$', '^\\p{Lu}[^\\]a]\\d{2,}$'],
  ['(?=a)(?<n>b)(?:c)\\k<n>', '(?=a)(?<n>b)(?:c)\\k<n>'],
  ['(?i)^ab$', '(?i:^ab$)', 'aB', 'abc'],
  ['^(?i)a|b$', '^(?i:a)|(?i:b$)', 'B', 'ca'],
  ['^(a(?i)b|c)d$', '^(a(?i:b)|(?i:c))d$', 'Cd', 'cD'],
  ['^(?i:a)(?-i:b)$', '^(?i:a)(?-i:b)$', 'Ab', 'AB'],
  ['(?s)^a.b$', '(?s:^a.b$)', 'a\nb', 'a\n'],
  ['(?m)^b$', '(?m:^b$)', 'a\nb', 'ab'],
  ['(?iu)^ä$', '(?i:^ä$)', 'Ä', 'b'],
  ['(?m)\\Ab\\z', '(?m:(?-m:^)b(?-m:$))', 'b', 'a\nb'],
  ['\\A[a-z]+\\z', '^[a-z]+$', 'ab', 'ab\n'],
  ['\\A[a-z]+\\Z', '^[a-z]+(?=\\n?$)', 'ab\n', 'ab\n\n'],
  ['^[[:alpha:]_]+$', '^[A-Za-z_]+$', 'a_B', 'a1'],
  ['^[^[:space:]]+$', '^[^ \\t-\\r]+$', 'a', 'a b'],
  ['^\\p{Alnum}+\\P{Punct}$', '^[0-9A-Za-z]+[^!-\\/:-@\\x5b-\\x60\\x7b-\\x7e]$', 'a1b', 'a!'],
  ['^[\\p{Alnum}\\pL]$', '^[0-9A-Za-z\\p{L}]$', 'ä', '-'],
  ['^\\x{1F600}[\\x{41}]$', '^\\u{1F600}[\\u{41}]$', '😀A', 'A'],
  ['^(?P<a>x)(?P=a)$', '^(?<a>x)\\k<a>$', 'xx', 'x'],
  ["^(?'a'x)\\k<a>$", '^(?<a>x)\\k<a>$', 'xx', 'x'],
  ['^a(?#a comment)b$', '^ab$', 'ab', 'a'],
  ['^\\Qa.b\\E$', '^a\\.b$', 'a.b', 'axb'],
  ['^a{,2}$', '^a{0,2}$', '', 'aaa'],
  ['^\\a\\e$', '^\\x07\\x1b$', '\x07\x1b', 'ae'],
  ['^[(?i)]$', '^[(?i)]$', '?', 'I'],
  ['^[\\p{Alnum}&&[^b\\]]]+$', '^(?:(?=[^b\\]])[0-9A-Za-z])+$', 'ac', 'ab'],
  ['^[a&&b]$', '^[a&&b]$', '&', 'c']
]
t.test('patterns of other languages are translated, or left as they are', async (t) => {
  for (const [pattern, translated, takes, refuses] of patterns) {
    t.equal(translatePattern(pattern), translated)
    const matches = (text: string) => new RegExp(translated, 'u').test(text)
    if (takes !== undefined) t.ok(matches(takes), pattern)
    if (refuses !== undefined) t.notOk(matches(refuses), pattern)
  }
  const untranslated = '( a) a++ (?>a) (?x)a \\h+ [\\h] [[:^alpha:]] [\\P{Alnum}] \\p{IsGreek}'
  for (const pattern of untranslated.split(' ')) t.equal(translatePattern(pattern), undefined, pattern)
})

const openapi = `openapi: 3.0.3
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
`
const whole =
  "{ type: object, nullable: true, properties: { whole: { $ref: 'openapi.yaml#/components/schemas/Union' } } }"

t.test('references lead to the same schemas, places to what is written, and that is served', async (t) => {
  const path = join(t.testdir({ 'openapi.yaml': openapi, 's.yaml': whole }), 'openapi.yaml')
  const { operations, components } = (await loadContract(path)).model
  const union = components.schemas.get('Union')
  const [inner, nothing] = union?.anyOf ?? []
  const [, thing] = inner?.oneOf ?? []
  const { responses } = operations[0] ?? {}
  t.equal(responses?.get('404')?.contents[0]?.schema?.ref, thing)
  t.equal(responses?.get('200')?.contents[0]?.schema?.ref?.properties?.get('whole')?.ref, union)
  t.equal(inner?.discriminator?.mapping.get('b'), thing)
  t.equal(inner?.discriminator?.mapping.get('c'), union)
  const lines = [
    inner?.origin.at('oneOf'),
    nothing?.origin,
    thing?.properties?.get('a')?.origin.at('exclusiveMinimum')
  ]
  t.strictSame(
    lines.map((place) => place?.line),
    [14, 12, 16]
  )
  const { yaml, problems } = await compileContract(path, join(path, '..'))
  for (const text of [
    /^openapi: 3\.0\.3$/m,
    /Union:\n {6}nullable: true\n {6}oneOf:/,
    /exclusiveMinimum: true/,
    /\$ref: '#\/components\/schemas\/Union\/oneOf\/1'$/m
  ])
    t.match(yaml, text)
  t.notMatch(yaml, 'anyOf')
  const message = 'format `nonesuch` is not known and is not enforced'
  t.match(
    problems.filter((problem) => problem.message === message),
    [{ line: 15 }]
  )
})
