import t from 'tap'
import { parse } from 'yaml'
import { exactStringify, type OperationCodec, operationCodec } from '../../src/engine/codec.ts'
import { compiled, type Json } from './serve.ts'

t.setTimeout(900_000)

type Codec = OperationCodec<Record<string, unknown>, unknown>

/** Schemas that the schemas below refer to. */
const anchors = `
- &string { type: string }
- &int64 { type: integer, format: int64 }
- &a { type: object, properties: { a: {} } }
- &b { type: object, properties: { b: {} } }
- &xa { type: object, properties: { x: *a } }
- &xb { type: object, properties: { x: *b } }
- &z { type: object, properties: { z: {} } }
- &or { type: object, properties: { x: *a }, required: [y] }
- &tree { $ref: '#/components/schemas/Tree' }
`
const schemaOf = (yaml: string): Json =>
  parse(`anchors: ${anchors.replaceAll('\n', '\n  ')}\nschema: ${yaml}`, { merge: true }).schema
const components = parse(`
schemas:
  Tree:
    properties: { left: { $ref: '#/components/schemas/Tree' }, value: {} }
    allOf: [{ patternProperties: { '^le': { properties: { leaf: { type: object, properties: { a: {} } } } } } }]
  Name: { type: string, minLength: 1 }
  Named: { type: string, minLength: 1, title: Name }
  List: { type: object, properties: { next: { $ref: '#/components/schemas/List' } } }
  Chain: { type: object, properties: { next: { $ref: '#/components/schemas/Chain' } } }
  Long: { type: object, properties: { next: { $ref: '#/components/schemas/Long' }, value: {} } }
`)

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

/** Compiles one contract with an operation for each schema, and returns a codec of each. */
async function codecsOf(schemas: readonly string[]): Promise<Codec[]> {
  const paths = schemas.map((yaml, index) => {
    const schema = schemaOf(yaml)
    const content = { [json]: { schema } }
    const requestBody = { content: { ...content, 'text/plain': {}, [form]: { schema } } }
    const responses = { 200: { description: 'ok', content } }
    return [`/${index}`, { post: { operationId: `add${index}`, requestBody, responses } }]
  })
  const contract = await compiled(t, { paths: Object.fromEntries(paths), components })
  const asked = schemas.map((_, index) => ({ ...add, operationId: `add${index}` }))
  return Promise.all(asked.map((of) => operationCodec(contract, of as never))) as never
}
const add = { operationId: 'add', mediaType: json, status: 200, file: 'x.ts' }

t.test('what the contract does not have is named', async (t) => {
  const small = await compiled(
    t,
    parse(`
paths:
  /things:
    post:
      operationId: add
      requestBody: { content: { ${json}: { schema: { type: string } }, ${form}: { schema: { type: object } } } }
      responses: { 200: { description: ok, content: { ${json}: { schema: { type: string } } } } }
`)
  )
  for (const [asked, problem] of [
    [{ operationId: 'put' }, 'put is missing'],
    [{ mediaType: 'application/vnd.thing+json' }, 'add takes no application/vnd.thing+json'],
    [{ mediaType: form }, `add declares no JSON as ${form}`],
    [{ status: 201 }, 'add answers no JSON with status 201']
  ] as const)
    await t.rejects(operationCodec(small, { ...add, ...asked } as never), {
      name: 'BootError',
      message: `operation ${problem} in contract.json; x.ts asks for it`
    })
})

type Row = readonly [schema: string, given: string, declared: string]

/** Reads lines of three columns: a schema in YAML, a body, and its declared parts. */
const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | ') as unknown as Row)

t.test('the declared properties of a request are kept, in their order and exactly', async (t) => {
  const rows = rowsOf(String.raw`
    { type: object, properties: { a: *string, b: {} } } | {"b":1,"c":2,"a":"x"} | {"a":"x","b":1}
    { <<: *b, required: [a] } | {"c":1,"b":2,"a":3} | {"a":3,"b":2}
    { type: object, properties: { a: { type: array, items: *b } } } | {"a":[{"b":1,"c":2},{}]} | {"a":[{"b":1},{}]}
    *a | {"a":{"b":[{"c":null}]}} | {"a":{"b":[{"c":null}]}}
    { <<: *a, additionalProperties: *string } | {"b":"x","a":1} | {"a":1,"b":"x"}
    { <<: *a, patternProperties: { '^x': *b } } | {"b":1,"x1":{"b":1,"z":2}} | {"x1":{"b":1}}
    { anyOf: [{ <<: *a, required: [a] }, { <<: *b, required: [b] }] } | {"c":1,"b":"x"} | {"b":"x"}
    { type: object, properties: { toString: {}, constructor: *string } } | {"constructor":"x","toString":2} | {"toString":2,"constructor":"x"}
    { type: object, properties: { a: *int64, b: { type: number } } } | {"a":9223372036854775807.0,"b":-0.1} | {"a":9223372036854775807,"b":-0.1}
    { type: object, properties: { a: *string } } | {"a":"\u0000\ud800\u2028"} | {"a":"\u0000\ud800${'\u2028'}"}
  `)
  const codecs = await codecsOf(rows.map(([schema]) => schema))
  for (const [index, [schema, given, declared]] of rows.entries()) {
    const { parse, read, declared: declaredOf } = codecs[index] as Codec
    t.equal(exactStringify(declaredOf(parse(Buffer.from(given)))), declared, schema)
    t.equal(exactStringify(declaredOf(read(given))), declared, 'the same without validation')
    t.equal(exactStringify(declaredOf(read(Buffer.from(given)))), declared, 'and of bytes')
  }
})

t.test('members that several subschemas declare have what each of them declares', async (t) => {
  const all = '{"x":{"a":1,"b":2}}'
  const more = '{"x":{"a":1,"b":2,"c":3}}'
  const onlyA = '{"x":{"a":1}}'
  /** Schemas by what they declare of `more`. */
  const united: Readonly<Record<string, readonly string[]>> = {
    [all]: [
      "{ <<: *xa, patternProperties: { '^x': *b } }",
      "{ patternProperties: { '^x': *a, x$: *b } }",
      '{ allOf: [*xa, { additionalProperties: *b }] }',
      "{ allOf: [{ patternProperties: { '^x': *a } }, { patternProperties: { x$: *b } }] }",
      "{ allOf: [{ patternProperties: { '^x': *a } }, { additionalProperties: *b }] }",
      '{ anyOf: [*xa, { additionalProperties: *b }] }',
      '{ oneOf: [*or, { patternProperties: { x: *b } }] }',
      '{ patternProperties: { x: *a }, if: { required: [x] }, then: *xb }',
      '{ <<: *xa, if: { required: [y] }, else: { additionalProperties: *b } }',
      '{ <<: *xa, dependentSchemas: { x: { patternProperties: { x: *b } } } }'
    ],
    [onlyA]: [
      "{ <<: *xa, patternProperties: { '^y': *b } }",
      '{ <<: *xa, additionalProperties: *b }',
      '{ patternProperties: { x: *a }, additionalProperties: *b }',
      '{ required: [x], additionalProperties: *a }',
      '{ allOf: [*xa, { required: [x] }] }'
    ],
    [more]: [
      '{ anyOf: [*or, { properties: { x: true } }] }',
      '{ additionalProperties: true, anyOf: [*or, *z] }'
    ]
  }
  const ofMore = Object.entries(united).flatMap(([declared, schemas]) =>
    schemas.map((schema): Row => [schema, more, declared])
  )
  const rows = [
    ...ofMore,
    ...rowsOf(`
    { allOf: [*xa, { additionalProperties: true }] } | {"x":{"a":1,"b":2},"y":{"z":1}} | {"x":{"a":1},"y":{"z":1}}
    { anyOf: [*or, *z], unevaluatedProperties: *b } | {"x":{"b":2}} | {"x":{"b":2}}
    { properties: { x: *xa }, patternProperties: { x: { patternProperties: { x: *b } } } } | {"x":{"x":{"a":1,"b":2,"c":3}}} | {"x":{"x":{"a":1,"b":2}}}
    { allOf: [{ patternProperties: { '^x': { items: *a } } }, { patternProperties: { x$: { items: *b } } }] } | {"x":[{"a":1,"b":2,"c":3},{"b":4}]} | {"x":[{"a":1,"b":2},{"b":4}]}
    { allOf: [{ prefixItems: [*a] }, { items: *b }] } | [{"a":1,"b":2,"c":3},{"a":1,"b":2}] | [{"a":1,"b":2},{"b":2}]
    { type: array, prefixItems: [*a], items: *b } | [{"a":1,"b":2},{"a":1,"b":2}] | [{"a":1},{"b":2}]
    { anyOf: [{ type: array, prefixItems: [*a], items: false }, { type: array, prefixItems: [*a, *b], items: false }] } | [{"a":1,"b":2},{"a":1,"b":2}] | [{"a":1},{"b":2}]
    { anyOf: [{ type: array, items: *a, minItems: 2 }, { type: array }] } | [{"b":2}] | [{"b":2}]
    { type: array, items: *a, contains: *b } | [{"a":1,"b":2,"c":3}] | [{"a":1,"b":2}]
    *tree | {"left":{"value":1,"leaf":{"a":1},"c":1}} | {"left":{"value":1,"leaf":{"a":1}}}
    { allOf: [{ patternProperties: { '^__': *a } }, { additionalProperties: *b }] } | {"__x__":{"a":1,"b":2,"c":3}} | {"__x__":{"a":1,"b":2}}
    { properties: { x: { properties: { a: *int64 } } }, patternProperties: { x: { properties: { b: *int64 } } } } | {"x":{"a":9007199254740993,"b":9007199254740995}} | {"x":{"a":9007199254740993,"b":9007199254740995}}
    `)
  ]
  const codecs = await codecsOf(rows.map(([schema]) => schema))
  for (const [index, [schema, given, declared]] of rows.entries()) {
    const codec = codecs[index] as Codec
    t.equal(exactStringify(codec.declared(codec.parse(Buffer.from(given)))), declared, schema)
    const answer = JSON.parse(declared)
    t.same(JSON.parse(codec.serialize(answer)), answer, 'and the answer has them')
  }
})

t.test('a body is read without validation, and refused with it', async (t) => {
  const [readOnly, needed, any] = (await codecsOf([
    '{ type: object, properties: { a: { type: string, readOnly: true }, b: {} } }',
    '{ type: object, properties: { a: *int64 }, required: [a] }',
    '*a'
  ])) as [Codec, Codec, Codec]
  const refused = (codec: Codec, text: string, message: string | RegExp) =>
    t.throws(() => codec.parse(Buffer.from(text)), { name: 'FailureError', message })
  refused(readOnly, '{"a":"x"}', 'body/a is read-only and must not be sent')
  t.strictSame(readOnly.declared(readOnly.read('{"a":"x","b":1}')), { b: 1 })
  t.strictSame(needed.read('{"a":"x","b":1}'), { a: 'x', b: 1 })
  refused(needed, '{"b":1}', 'body/a is required')
  t.throws(() => needed.read('{'), /JSON/)
  refused(needed, '{', /^the body is not valid JSON/)
  const deep = any.parse(Buffer.from(`{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`))
  t.throws(() => any.declared(deep), { name: 'FailureError', message: 'body is nested too deeply' })
})

t.test('the digest changes only with the accepted values', async (t) => {
  const ref = (name: string) => `{ $ref: '#/components/schemas/${name}' }`
  const named = (name: string, more: string) =>
    `{ type: object, properties: { a: ${ref(name)}, b: {} }, ${more} }`
  const same = [
    named('Name', 'required: [a, b]'),
    named('Named', 'required: [a, b]'),
    named('Name', 'required: [a, b], description: x, example: {}, x-y: 1'),
    `{ required: [b, a], properties: { b: {}, a: ${ref('Name')} }, type: object }`
  ]
  const other = [
    named('Name', 'required: [a]'),
    `{ type: object, properties: { a: ${ref('Name')}, b: {}, description: {} }, required: [a, b] }`,
    '{ type: object, properties: { a: { type: integer }, b: {} }, required: [a, b] }',
    `{ type: object, properties: { a: ${ref('Name')}, b: { enum: [{ description: 1 }] } }, required: [a, b] }`
  ]
  const lists = ['List', 'Chain', 'Long'].map(ref)
  const digests = (await codecsOf([...same, ...other, ...lists])).map(({ digest }) => digest)
  const [base] = digests
  for (const [index, schema] of same.entries()) t.equal(digests[index], base, schema)
  for (const [index, schema] of other.entries()) t.not(digests[same.length + index], base, schema)
  const [list, chain, long] = digests.slice(-3)
  t.equal(list, chain, 'schemas that refer to themselves, by another name')
  t.not(list, long)
})
