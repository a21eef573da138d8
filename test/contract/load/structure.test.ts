/** Mistakes in the structure of a contract: for each kind its severity, place and message. */
import { join } from 'node:path'
import t from 'tap'
import { formatProblem } from '../../../src/contract/diagnostics/problem.ts'
import { loadContract } from '../../../src/contract/load/load.ts'

const versions = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' } as const
type Version = keyof typeof versions

const all: readonly Version[] = ['3.0', '3.1', '3.2']
const since31: readonly Version[] = ['3.1', '3.2']

/** A text from line 3 of a contract, the versions in which it is tried, and the problems that it has there. */
type Row = readonly [text: string, versions: readonly Version[], ...problems: readonly string[]]

const operation = "operationId: a, responses: { '204': { description: d } }"
const get = (members: string) => `paths: { /a: { get: { ${operation},\n ${members} } } }`
const media = (members: string) => get(`requestBody: { content: { application/json: {\n ${members} } } }`)
const schema = (text: string) => media(`schema: ${text}`)
const components = (members: string) => `paths: {}\ncomponents: {\n ${members} }`
const parameter = (text: string) => get(`parameters: [\n ${text}]`)
const scheme = (text: string) => components(`securitySchemes: { s: {\n ${text} } }`)

const unknown = (name: string, meant?: string) =>
  `Property \`${name}\` is not expected here.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`
const missing = (name: string) => `The field \`${name}\` must be present on this level.`
const type = (expected: string, found: string, at: string) =>
  `Expected type \`${expected} but got \`${found}\` at \`${at}\``

const rows: readonly Row[] = [
  // Fields that are unknown.
  [`paths: {}\nfoo: 1`, all, `warning 4:1 ${unknown('foo')}`],
  [`paths: {}\nservres: []`, all, `error 4:1 ${unknown('servres', 'servers')}`],
  [`paths: {}\nwebhooks: {}`, ['3.0'], `warning 4:1 ${unknown('webhooks')}`],
  [`paths: {}\n$self: https://a.example/`, ['3.0', '3.1'], `warning 4:1 ${unknown('$self')}`],
  [`paths: { a: {} }`, all, `warning 3:10 ${unknown('a')}`],
  [`paths: { /a: { query: { ${operation} } } }`, ['3.0', '3.1'], `warning 3:16 ${unknown('query')}`],
  [`paths: { /a: { psot: { ${operation} } } }`, all, `error 3:16 ${unknown('psot', 'post')}`],
  [get('requestbody: {}'), all, `error 4:2 ${unknown('requestbody', 'requestBody')}`],
  [get('descripton: a'), all, `warning 4:2 ${unknown('descripton', 'description')}`],
  [get('x-a: 1'), all],
  [media('shema: {}'), all, `error 5:2 ${unknown('shema', 'schema')}`],
  [media('itemSchema: {}'), ['3.0', '3.1'], `warning 5:2 ${unknown('itemSchema')}`],
  [schema('{ minlength: 1 }'), ['3.0'], `error 5:12 ${unknown('minlength', 'minLength')}`],
  [schema('{ minlength: 1 }'), since31, `warning 5:12 ${unknown('minlength', 'minLength')}`],
  [schema('{ const: 1 }'), ['3.0'], `warning 5:12 ${unknown('const')}`],
  [schema('{ const: 1, $defs: {}, prefixItems: [{}] }'), since31],
  [components('parts: {}'), all, `warning 5:2 ${unknown('parts')}`],
  [components('pathItems: {}'), ['3.0'], `warning 5:2 ${unknown('pathItems')}`],
  [components('mediaTypes: {}'), ['3.0', '3.1'], `warning 5:2 ${unknown('mediaTypes')}`],
  [get("callbacks: { c: { '{$url}': {\n psot: {} } } }"), all, `error 5:2 ${unknown('psot', 'post')}`],
  [
    scheme('type: http, scheme: basic,\n in: header'),
    all,
    `warning 7:2 The field \`in\` is not allowed here.`
  ],
  // Fields that are missing.
  ['x-a: {}', ['3.0'], `warning 1:1 ${missing('paths')}`],
  [
    'x-a: {}',
    since31,
    'error 1:1 Must contain at least one of the following fields: paths, components, webhooks.'
  ],
  [`paths: { /a: {\n get: { operationId: a } } }`, ['3.0'], `error 4:2 ${missing('responses')}`],
  [`paths: { /a: {\n get: { operationId: a } } }`, since31],
  [`paths: {}\nservers: [\n {}]`, all, `warning 5:2 ${missing('url')}`],
  [`paths: {}\ntags: [\n {}]`, all, `warning 5:2 ${missing('name')}`],
  [
    `paths: { /a: { get: { operationId: a, responses: {\n '204': {} } } } }`,
    ['3.0', '3.1'],
    `warning 4:2 ${missing('description')}`
  ],
  [parameter('{ schema: {} }'), all, `error 5:2 ${missing('name')}`, `error 5:2 ${missing('in')}`],
  [
    parameter('{ name: a, in: query }'),
    all,
    'error 5:2 Must contain at least one of the following fields: schema, content.'
  ],
  [get('requestBody:\n  {}'), all, `error 4:2 ${missing('content')}`],
  [schema('{ oneOf: [{}],\n discriminator: {} }'), all, `error 6:2 ${missing('propertyName')}`],
  [scheme('type: http'), all, `error 5:21 ${missing('scheme')}`],
  [scheme('type: apiKey, in: header'), all, `error 5:21 ${missing('name')}`],
  [scheme('type: oauth2'), all, `warning 5:21 ${missing('flows')}`],
  [
    scheme('type: oauth2, flows: {\n implicit: { scopes: {} } }'),
    all,
    `warning 7:2 ${missing('authorizationUrl')}`
  ],
  // Values of another type.
  [`paths: []`, all, `error 3:8 ${type('Paths` (object)', 'array', 'paths')}`],
  [`paths: { /a: 1 }`, all, `error 3:14 ${type('PathItem` (object)', 'integer', '/a')}`],
  [`paths: {}\ntags: {}`, all, `error 4:7 ${type('array`', 'object', 'tags')}`],
  [`paths: {}\ncomponents: { responses: [] }`, all, `error 4:26 ${type('object`', 'array', 'responses')}`],
  [get('tags: [1]'), all, `error 4:9 ${type('string`', 'integer', 'tags')}`],
  [get('deprecated: yes please'), all, `error 4:14 ${type('boolean`', 'string', 'deprecated')}`],
  [get('summary: 1.5'), all, `error 4:11 ${type('string`', 'number', 'summary')}`],
  [schema('{ minLength: a }'), ['3.0'], `error 5:23 ${type('integer`', 'string', 'minLength')}`],
  [schema('{ minLength: -1 }'), ['3.0'], `error 5:23 ${type('integer` of at least 0', '-1', 'minLength')}`],
  [schema('{ minLength: a }'), since31, `warning 5:23 ${type('integer`', 'string', 'minLength')}`],
  [
    schema('{ discriminator: kind }'),
    ['3.0'],
    `error 5:27 ${type('Discriminator` (object)', 'string', 'discriminator')}`
  ],
  [
    schema('{ discriminator: kind }'),
    since31,
    `warning 5:27 ${type('Discriminator` (object)', 'string', 'discriminator')}`
  ],
  [
    media('examples: { a: { externalValue: 1 } }'),
    all,
    `warning 5:34 ${type('string`', 'integer', 'externalValue')}`
  ],
  [
    `paths: {}\nservers: [{ url: /, variables: { p: { default: 1 } } }]`,
    all,
    `warning 4:48 ${type('string`', 'integer', 'default')}`
  ],
  [`paths: {}\nsecurity: [{ a: b }]`, all, `error 4:17 ${type('array`', 'string', 'a')}`],
  // Values that are not among those allowed.
  [
    parameter('{ name: a, in: body, schema: {} }'),
    ['3.0', '3.1'],
    'error 5:17 `in` can be one of the following only: "query", "header", "path", "cookie"; it is body.'
  ],
  [
    parameter('{ name: a, in: query, style: cookie, schema: {} }'),
    ['3.0', '3.1'],
    'error 5:31 `style` can be one of the following only: "form", "simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject"; it is cookie.'
  ],
  [
    scheme('type: mutualTLS'),
    ['3.0'],
    'error 6:8 `type` can be one of the following only: "apiKey", "http", "oauth2", "openIdConnect"; it is mutualTLS.'
  ],
  [scheme('type: mutualTLS'), since31],
  [
    schema('{ type: strng }'),
    ['3.0'],
    'error 5:18 `type` can be one of the following only: "object", "array", "string", "number", "integer", "boolean", "null"; it is strng.'
  ],
  // References.
  [schema("{ $ref: '#/components/schemas/A' }"), all, "error 5:10 Can't resolve $ref #/components/schemas/A"],
  [
    schema('{ $ref: none.yaml }'),
    all,
    "error 5:10 Can't resolve $ref none.yaml: ENOENT, there is no such file"
  ],
  [schema("{ $ref: '#none' }"), all, "error 5:10 Can't resolve $ref #none"],
  [
    `${schema("{ $ref: '#/components/schemas/Thng' }")}\ncomponents: { schemas: { Thing: {} } }`,
    all,
    "error 5:10 Can't resolve $ref #/components/schemas/Thng. Did you mean `#/components/schemas/Thing`?"
  ],
  [media("examples: { a: { $ref: '#/none' } }"), all, "warning 5:17 Can't resolve $ref #/none"],
  [media("example: { $ref: '#/none' }"), all],
  [get("x-a: { $ref: '#/none' }"), all],
  [
    schema("{ oneOf: [{}], discriminator: { propertyName: k,\n defaultMapping: '#/none' } }"),
    ['3.2'],
    "error 6:18 Can't resolve $ref #/none"
  ]
]

for (const [text, among, ...problems] of rows)
  for (const version of among)
    t.test(`${version}: ${text}`, async (t) => {
      const head = `openapi: ${versions[version]}\ninfo: { title: T, version: '1' }\n`
      const folder = t.testdir({ 'openapi.yaml': `${head}${text}\n` })
      const loaded = await loadContract(join(folder, 'openapi.yaml'))
      const found = loaded.problems.map(
        (problem) => `${problem.severity} ${formatProblem(problem, folder).replace('openapi.yaml:', '')}`
      )
      t.strictSame(found.sort(), [...problems].sort())
    })
