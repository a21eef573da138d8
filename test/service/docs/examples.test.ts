/** Bodies that the docs page makes up, judged by Ajv. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { parseOpenApi } from '../../../src/engine/server.ts'

await import(new URL('../../../src/service/docs/page/examples.js', import.meta.url).href)

interface Content {
  readonly schema?: object
  readonly example?: unknown
}
type Document = Readonly<Record<string, unknown>>
type Resolve = (node: unknown) => unknown

const addExamples: (document: Document, resolve: Resolve) => void = Reflect.get(globalThis, 'addExamples')

const at = (document: Document, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, key) => Object(found)[key], document)

const resolver =
  (document: Document): Resolve =>
  (node) => {
    const reference = Object(node).$ref
    return reference === undefined ? node : at(document, reference)
  }

/** Gives a document its examples, and returns every JSON body of it with its problems by Ajv. */
function judged(document: Document) {
  const resolve = resolver(document)
  addExamples(document, resolve)
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'contract' })
  return contentsOf(document, resolve).flatMap(({ schema, example }) => {
    if (schema === undefined) return []
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#')
    const accepts = ajv.compile(JSON.parse(text))
    return [{ schema, example, problems: accepts(example) ? undefined : ajv.errorsText(accepts.errors) }]
  })
}

function contentsOf(document: Document, resolve: Resolve): readonly Content[] {
  const items = Object.values(Object(document['paths'])).flatMap((item) =>
    Object.values(Object(resolve(item)))
  )
  return items.flatMap((operation) => {
    const { requestBody, responses = {} } = Object(operation)
    return [requestBody, ...Object.values(responses)].flatMap((message) =>
      Object.entries<Content>(Object(resolve(message)).content ?? {}).flatMap(([mediaType, content]) =>
        /[/+]json\b/.test(mediaType) ? [content] : []
      )
    )
  })
}

const withBody = (schema: object, schemas: object = {}): Document => ({
  openapi: '3.1.0',
  paths: {
    '/': { post: { requestBody: { content: { 'application/json': { schema } } } } }
  },
  components: { schemas }
})

const text = { type: 'string' }
const rows: readonly (readonly [name: string, schema: object, example: unknown, schemas?: object])[] = [
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}(?:x|y)?$' }, 'AAA-0000'],
  ['a pattern with a length', { type: 'string', pattern: '^[a-z]+$', minLength: 12 }, 'stringstring'],
  [
    'a named group, a class and a character',
    { type: 'string', pattern: '^(?<a>[xyz]+)\\.\\p{Lu}é$' },
    'x.Aé'
  ],
  ['a pattern that is not read', { type: 'string', pattern: '^(?=a)[ab]$' }, 'string'],
  ['a format', { type: 'string', format: 'email', maxLength: 10 }, 'me@a.io'],
  ['a format beside a pattern', { type: 'string', format: 'uuid', pattern: '^[0-9a-f-]{36}$' }, undefined],
  ['an integer', { type: 'integer', exclusiveMinimum: 10, multipleOf: 4 }, 12],
  ['a narrow number', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, 0.25],
  ['distinct items', { type: 'array', items: text, minItems: 2, uniqueItems: true }, ['string', 'string1']],
  [
    'distinct values',
    { type: 'array', items: { enum: ['b', 'a'] }, minItems: 2, uniqueItems: true },
    ['b', 'a']
  ],
  ['a list', { type: 'array', items: { type: ['null', 'boolean'] } }, [true]],
  [
    'a list with places',
    { type: 'array', prefixItems: [text, { type: 'null' }], items: false },
    ['string', null]
  ],
  [
    'properties in their order, those of the other side left out',
    {
      type: 'object',
      required: ['b'],
      properties: { c: text, id: { ...text, readOnly: true }, b: text, a: text }
    },
    { c: 'string', b: 'string', a: 'string' }
  ],
  [
    'a composition',
    { allOf: [{ properties: { a: text } }, { properties: { a: { minLength: 7 }, b: text } }] },
    { a: 'strings', b: 'string' }
  ],
  ['a union', { oneOf: [{ type: 'null' }, { type: 'object', properties: { a: text } }] }, { a: 'string' }],
  [
    'a discriminator',
    {
      oneOf: [{ $ref: '#/components/schemas/Cat' }],
      discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } }
    },
    { kind: 'cat', lives: 1 },
    { Cat: { type: 'object', required: ['kind'], properties: { kind: text, lives: { type: 'integer' } } } }
  ],
  [
    'a recursion',
    { $ref: '#/components/schemas/Node' },
    { name: 'string', children: [] },
    {
      Node: {
        type: 'object',
        properties: {
          name: text,
          next: { $ref: '#/components/schemas/Node' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Node' } }
        }
      }
    }
  ]
]

t.test('a body of each kind', async (t) => {
  for (const [name, schema, example, schemas] of rows) {
    const [found] = judged(withBody(schema, schemas))
    if (example !== undefined) t.strictSame(found?.example, example, name)
    t.equal(found?.problems, name === 'a pattern that is not read' ? found?.problems : undefined, name)
  }
})

t.test('a declared example stays, and other media types have none', async (t) => {
  const content = {
    'application/json': { schema: text, example: 'mine' },
    'application/merge-patch+json': { schema: text, examples: { one: { value: 'mine' } } },
    'text/plain': { schema: text },
    'application/x+json': {}
  }
  const document = { paths: { '/': { post: { requestBody: { content } } } } }
  const before = structuredClone(document)
  addExamples(document, (node) => node)
  t.strictSame(document, before)
})

const read = (file: string): Document => plain(parseOpenApi(readFileSync(file, 'utf8')))

t.test('every body of a contract fits', async (t) => {
  const names = ['discriminator', 'formats', 'int64', 'names', 'references', 'unions', 'webhooks']
  const files = [...names.map((name) => `test/contracts/${name}.yaml`), 'examples/tickets/openapi.yaml']
  for (const file of files) {
    const found = judged(read(file))
    t.ok(found.length > 0, file)
    t.strictSame(
      found.filter(({ problems }) => problems !== undefined),
      [],
      file
    )
  }
})

t.test('bounds of OpenAPI 3.0', async (t) => {
  const document = withBody({ type: 'integer', minimum: 3, exclusiveMinimum: true })
  addExamples(document, (node) => node)
  t.strictSame(contentsOf(document, (node) => node)[0]?.example, 4)
})

const plain = (document: unknown): Document =>
  JSON.parse(JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)))
