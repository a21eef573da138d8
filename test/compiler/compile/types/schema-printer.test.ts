/** Types of schemas that openapi-typescript alone would type differently from the validators, or not at all. */
import t from 'tap'
import { DocumentPrinter } from '../../../../src/compiler/compile/types/document-printer.ts'
import { SchemaPrinter } from '../../../../src/compiler/compile/types/schema-printer.ts'
import { documentTypes } from '../../../../src/compiler/compile/types/transform.ts'
import type { JsonObject } from '../../../../src/contract/contract.ts'
import type { OwnFormats } from '../../../../src/contract/load/own-formats.ts'
import { contractOf } from '../../../contract/schema-of.ts'

const check = () => true
const formats: OwnFormats = new Map([
  ['money', { exported: 'money', format: { name: 'money', check, parse: Number } }],
  ['iban', { exported: 'iban', format: { name: 'iban', check } }]
])

type Count = NonNullable<Parameters<typeof documentTypes>[1]>

/** Returns the types of a document on one line. */
function typesOf(document: object, postTransform?: Count): string {
  const contract = contractOf(document)
  const schemas = new SchemaPrinter(contract.components.schemas, formats)
  const printed = new DocumentPrinter(contract, schemas, ({ item }) => item).entries()
  return documentTypes(printed, postTransform).replaceAll(/\s+/g, ' ')
}

const components = (schemas: object) => ({ components: { schemas } })

const list = { type: 'array' }
const int64 = { type: 'integer', format: 'int64' }
const object = { type: 'object', properties: { a: { type: 'string' } } }

const rows: readonly (readonly [schema: unknown, type: string])[] = [
  // Tuples
  [{ ...list, prefixItems: [{}, object.properties.a], minItems: 1 }, '[ unknown, string?, ...unknown[] ]'],
  [{ ...list, prefixItems: [object.properties.a], items: int64 }, '[ string?, ...bigint[] ]'],
  [{ ...list, prefixItems: [int64, int64], items: false, minItems: 2 }, '[ bigint, bigint ]'],
  [{ ...list, prefixItems: [int64], maxItems: 1 }, '[ bigint? ]'],
  [{ ...list, items: { allOf: [{ ...list, items: int64 }] } }, 'bigint[][]'],
  [{ ...list, items: false }, 'never[]'],
  // Integers of 64 bits
  [{ ...int64, type: ['null', 'integer', 'number'] }, 'null | bigint'],
  [{ ...int64, enum: [1, 2n ** 60n, 0.5, 'a'] }, '1n | 1152921504606846976n'],
  [{ ...int64, type: ['integer', 'string', 'null'], enum: [-1, 'a', null] }, '-1n | "a" | null'],
  [{ ...int64, const: 1.5 }, 'never'],
  // Values
  [{ type: 'integer', enum: [1, 1.5, 'a', 2n ** 60n] }, '1 | 1152921504606847000'],
  [{ type: ['string', 'null'], enum: ['a', null, 1] }, '"a" | null'],
  [{ enum: ['a', {}] }, 'unknown'],
  [{ const: null }, 'null'],
  [{ type: 'string', const: 1 }, 'never'],
  // Members
  [{ required: ['a'] }, '{ a: {} | null; }'],
  [{ type: 'object', required: ['a'] }, '{ a: {} | null; } & { [key: string]: unknown; }'],
  [{ ...object, required: ['a', 'b'] }, '{ a: string; b: {} | null; }'],
  [
    { type: ['object', 'integer'], format: 'int64', required: ['a'] },
    '({ a: {} | null; } & { [key: string]: unknown; }) | bigint'
  ],
  [{ ...object, patternProperties: { '^b': {} } }, '{ a?: string; } & { [key: string]: unknown; }'],
  [{ ...object, additionalProperties: int64 }, '{ a?: string; } & { [key: string]: bigint | string; }'],
  [
    { ...object, properties: { a: false }, additionalProperties: int64 },
    '{ a?: never; } & { [key: string]: bigint; }'
  ],
  [{ ...object, additionalProperties: false }, '{ a?: string; }'],
  // Formats of a project
  [{ type: ['string', 'null'], format: 'money', enum: ['1', null] }, 'Formats["money"] | null'],
  [{ type: 'string', format: 'iban' }, 'string'],
  [{ format: 'money' }, 'unknown'],
  [{ type: 'string', format: 'binary' }, 'string'],
  // Compositions
  [{ anyOf: [object, {}] }, 'unknown'],
  [{ anyOf: [object, { type: 'null' }], description: 'd' }, '{ a?: string; } | null'],
  [
    { type: ['object', 'null'], allOf: [{ properties: object.properties }] },
    '({ a?: string; } | null) & (Record<string, unknown> | null)'
  ],
  [
    { ...int64, type: ['object', 'integer'], allOf: [{ properties: object.properties }] },
    '({ a?: string; } | bigint) & (Record<string, unknown> | bigint)'
  ],
  [{ allOf: [object, { description: 'says nothing' }] }, '{ a?: string; }'],
  [false, 'never']
]

t.test('the types of schemas', async (t) => {
  const types = typesOf(components(Object.fromEntries(rows.map(([schema], at) => [`S${at}_`, schema]))))
  for (const [at, [, type]] of rows.entries())
    t.equal(
      new RegExp(`S${at}_: (.*?); (?:/\\*\\* [^/]* \\*/ )?(?:S${at + 1}_: |\\}; responses)`).exec(types)?.[1],
      type
    )
})

const kind = { type: 'string' }
const other = {
  Cat: { type: 'object', required: ['kind'], properties: { kind } },
  Dog: { type: 'object', properties: { kind } },
  Listed: { type: 'object', required: ['kind'], properties: { kind: { ...kind, enum: ['l', 'm'] } } },
  Heir: { allOf: [{ $ref: '#/components/schemas/Cat' }, { properties: { a: kind } }] },
  Maybe: { type: ['object', 'null'], properties: { kind } },
  Bare: { properties: { kind } },
  List: { type: 'array', items: kind },
  Hidden: { type: 'object', properties: { kind: { ...kind, writeOnly: true } } },
  Any: {}
}
const typeOf = (name: keyof typeof other) => `components["schemas"]["${name}"]`
const ofKind = (name: keyof typeof other, tag: string) =>
  `(${typeOf(name)} & { /** @enum {string} */ ${tag}; })`

const cat = ofKind('Cat', 'kind: "Cat"')
/** Branches, what the discriminator has besides its name, and the type. */
const unions: readonly (readonly [names: (keyof typeof other)[], discriminator: object, type: string])[] = [
  [['Dog', 'Cat'], {}, `${ofKind('Dog', 'kind?: "Dog"')} | ${cat}`],
  [
    ['Dog', 'Cat'],
    { mapping: { c: 'Cat', d: '#/components/schemas/Dog', e: 'Dog' } },
    `${ofKind('Dog', 'kind?: "d" | "e"')} | ${ofKind('Cat', 'kind: "c"')}`
  ],
  [['Listed', 'Cat'], {}, `${typeOf('Listed')} | ${cat}`],
  [['Heir', 'Cat'], {}, `${ofKind('Heir', 'kind: "Heir"')} | ${cat}`],
  [['Dog', 'Cat'], { defaultMapping: 'Dog' }, `${typeOf('Dog')} | ${cat}`],
  [
    ['Maybe', 'Cat'],
    {},
    `(${typeOf('Maybe')} & ({ /** @enum {string} */ kind?: "Maybe"; } | null)) | ${cat}`
  ],
  [['Bare', 'Cat'], {}, `${ofKind('Bare', 'kind?: "Bare"')} | ${cat}`],
  [['List', 'Cat'], {}, `${typeOf('List')} | ${cat}`],
  [['Any', 'Cat'], {}, `${typeOf('Any')} | ${cat}`],
  [['Hidden', 'Cat'], {}, `${typeOf('Hidden')} | ${cat}`]
]

t.test('values of a discriminator stand beside the branches', async (t) => {
  for (const [names, discriminator, type] of unions) {
    const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
    const Subject = { oneOf, discriminator: { propertyName: 'kind', ...discriminator } }
    const types = typesOf(components({ ...other, Subject }))
    t.equal(/Subject: (.*?); \}; responses/.exec(types)?.[1], type)
    t.match(types, 'Cat: { kind: string; }; Dog: { kind?: string; };')
  }
})

t.test('references to properties whose names differ by punctuation', async (t) => {
  const properties = { 'leaf-size': int64, leaf_size: object.properties.a, 'leaf.size': { type: 'boolean' } }
  const oneOf = Object.keys(properties).map((name) => ({
    $ref: `#/components/schemas/Plant/properties/${name}`
  }))
  const types = typesOf(components({ Plant: { type: 'object', properties }, Size: { oneOf } }))
  const names = ['', '_2', '_3'].map((suffix) => `components_schemas_Plant_properties_leaf_size${suffix}`)
  t.match(types, `Size: ${names.map((name) => `components["schemas"]["${name}"]`).join(' | ')};`)
  for (const [index, type] of ['bigint', 'string', 'boolean'].entries())
    t.match(types, `${names[index]}: ${type};`)
})

t.test('headers that the server gives are optional, others as they are declared', async (t) => {
  const to = (name: string) => ({ $ref: `#/components/headers/${name}` })
  const required = to('Required')
  const headers = { A: to('Free'), B: required, 'Content-Length': required, Connection: required }
  const types = typesOf({
    paths: { '/a': { get: { responses: { 200: { summary: 'Found', description: 'found', headers } } } } },
    components: { headers: { Free: { schema: int64 }, Required: { required: true, schema: int64 } } }
  })
  t.match(types, 'A?: components["headers"]["Free"];')
  for (const member of ['B', '"Content-Length"?', 'Connection?'])
    t.match(types, `${member}: components["headers"]["Required"];`)
  t.match(types, '* Found * @description found */ 200: {')
})

t.test('a method that openapi-typescript does not know has a path item of its own', async (t) => {
  const operation = { responses: { 204: {} } }
  const A = { get: operation, query: operation, additionalOperations: { LOCK: operation } }
  const paths = { '/a': { $ref: '#/components/pathItems/A' } }
  const types = typesOf({ paths, components: { pathItems: { A } } })
  for (const path of ['/a', 'QUERY /a', 'LOCK /a']) t.match(types, `"${path}": {`)
  t.match(types, 'pathItems: { A: {')
})

t.test('files of a form, in the schemas to which it refers, too', async (t) => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const post = (more: object) => {
    const content = { 'multipart/form-data': { schema: to('Form'), ...more } }
    return { post: { requestBody: { content }, responses: { 204: {} } } }
  }
  const types = typesOf({
    paths: { '/read': post({}), '/streamed': post({ 'x-stream': true }) },
    ...components({
      Form: { type: 'object', properties: { picture: to('Picture'), note: to('Note') } },
      Picture: { type: 'string', contentMediaType: 'image/png' },
      Note: { type: 'string' }
    })
  })
  const [read, streamed] = ['', 'streamed_'].map(
    (mode) => `components["schemas"]["multipart_field_${mode}Picture"]`
  )
  t.match(types, `multipart_body_Form: { picture?: ${read}; note?: components["schemas"]["Note"]; }`)
  t.match(types, `multipart_body_streamed_Form: { picture?: ${streamed};`)
  t.match(types, 'multipart_field_Picture: FilePart; ')
  t.match(types, 'multipart_field_streamed_Picture: UploadedFile; ')
})

type Nest = (inner: JsonObject) => JsonObject

const listOf: Nest = (items) => ({ type: 'array', items })
const objectOf: Nest = (member) => ({ type: 'object', properties: { member } })
const nests: readonly Nest[] = [
  listOf,
  (inner) => objectOf(listOf({ anyOf: [{ type: 'null' }, inner] })),
  (inner) => objectOf({ type: 'array', prefixItems: [inner, { type: 'string' }] }),
  (inner) => objectOf({ ...listOf(inner), type: ['array', 'null'] }),
  (inner) => ({ type: 'object', additionalProperties: objectOf(listOf(inner)) })
]

t.test('each schema is typed once, however deep', async (t) => {
  for (const nest of nests) {
    const [half = 0, whole = 0] = [8, 16].map((depth) => {
      let count = 0
      let Deep: JsonObject = { type: 'string' }
      for (let level = 0; level < depth; level++) Deep = nest(Deep)
      typesOf(components({ Deep }), () => void count++)
      return count
    })
    t.ok(half >= 8)
    t.ok(whole <= 2 * half, `${half} and ${whole}: ${nest}`)
  }
})
