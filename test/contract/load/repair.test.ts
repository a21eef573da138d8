/**
 * Flaws with a single possible meaning are repaired when a contract is loaded: each is a warning, and the compiled
 * document has the meaning.
 */
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { formatProblem } from '../../../src/contract/diagnostics/problem.ts'

interface Row {
  readonly name: string
  readonly version?: '3.0.3'
  /** Schema of the body. */
  readonly schema?: string
  /** Further text of the contract. */
  readonly rest?: string
  /** Members below `get:`. */
  readonly operation?: string
  /** Warnings that are not about examples, as `line message`. */
  readonly warned: readonly string[]
  /** Pointer to the repaired part in the compiled document, with its value. */
  readonly at?: string
  readonly becomes?: unknown
}

const schemaAt = '/paths/~1a/post/requestBody/content/application~1json/schema'
const scheme = 'components: { securitySchemes: { a:'
const used = 'security: [{ a: [] }]\n'

const rows: readonly Row[] = [
  {
    name: 'a type that is null',
    schema: '{ anyOf: [{ type: integer }, { type: null }] }',
    warned: ["7 `type` is null: it is read as type 'null'"],
    at: `${schemaAt}/anyOf/1`,
    becomes: { type: 'null' }
  },
  {
    name: 'null among types',
    schema: '{ type: [string, null] }',
    warned: ["7 null in `type` is read as 'null'"],
    at: `${schemaAt}/type`,
    becomes: ['string', 'null']
  },
  {
    name: "type 'null' in OpenAPI 3.0",
    version: '3.0.3',
    schema: "{ anyOf: [{ type: string }, { type: 'null' }] }",
    warned: ["7 type 'null' is not of OpenAPI 3.0: it is read as in OpenAPI 3.1"]
  },
  {
    name: 'several types in OpenAPI 3.0',
    version: '3.0.3',
    schema: '{ type: [string, integer] }',
    warned: ['7 `type` is a list, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1']
  },
  {
    name: 'a name twice in required',
    schema: '{ type: object, required: [a, b, a], properties: { a: {}, b: {} } }',
    warned: ['7 `required` lists a twice'],
    at: `${schemaAt}/required`,
    becomes: ['a', 'b']
  },
  {
    name: 'a property that is required by itself',
    schema: '{ type: object, properties: { a: { type: string, required: true } } }',
    warned: [
      '7 `required: true` has no effect in a schema: list a in `required` of the schema that has the property'
    ],
    at: `${schemaAt}/properties/a`,
    becomes: { type: 'string' }
  },
  {
    name: 'an exclusive bound of OpenAPI 3.0 in 3.1',
    schema: '{ type: integer, minimum: 1, exclusiveMinimum: true, exclusiveMaximum: false }',
    warned: [
      '7 `exclusiveMinimum: true` is of OpenAPI 3.0: it is read as there',
      '7 `exclusiveMaximum: false` is of OpenAPI 3.0: it is read as there'
    ]
  },
  {
    name: 'an exclusive bound of OpenAPI 3.1 in 3.0',
    version: '3.0.3',
    schema: '{ type: integer, exclusiveMinimum: 1, maximum: 5, exclusiveMaximum: 9 }',
    warned: [
      '7 `exclusiveMinimum` is a number, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1',
      '7 `exclusiveMaximum` is a number, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1',
      '7 `maximum` and `exclusiveMaximum` stand beside each other: the stricter one applies'
    ],
    at: schemaAt,
    becomes: { type: 'integer', exclusiveMinimum: 1, maximum: 5, exclusiveMaximum: 9 }
  },
  {
    name: 'nullable in OpenAPI 3.1',
    schema:
      '{ anyOf: [{ type: string, nullable: true }, { title: a, nullable: true }, { type: integer, nullable: false }] }',
    warned: [
      "7 `nullable` has no effect since OpenAPI 3.1: write type: [string, 'null']",
      "7 `nullable` has no effect since OpenAPI 3.1: add type 'null'",
      '7 `nullable` has no effect since OpenAPI 3.1'
    ],
    at: `${schemaAt}/anyOf`,
    becomes: [{ type: 'string' }, { title: 'a' }, { type: 'integer' }]
  },
  {
    name: 'siblings of a reference in OpenAPI 3.0',
    version: '3.0.3',
    schema:
      "{ type: object, properties: { a: { $ref: '#/components/schemas/A', description: x, readOnly: true, x-b: 1, type: string } } }",
    rest: 'components: { schemas: { A: { type: integer } } }\n',
    warned: [
      '7 `type` beside a $ref has no effect in OpenAPI 3.0: write allOf: [{ $ref }] with `type` beside it'
    ],
    at: `${schemaAt}/properties/a`,
    becomes: { $ref: '#/components/schemas/A', description: 'x', readOnly: true, 'x-b': 1 }
  },
  {
    name: 'siblings of a reference to a parameter in OpenAPI 3.1',
    operation: "parameters: [{ $ref: '#/components/parameters/A', required: true }]",
    rest: 'components: { parameters: { A: { name: a, in: query, schema: {} } } }\n',
    warned: ['4 `required` beside a $ref has no effect'],
    at: '/paths/~1a/get/parameters/0',
    becomes: { $ref: '#/components/parameters/A' }
  },
  {
    name: 'a pattern of another language',
    schema: "{ type: string, pattern: '(?i)^a' }",
    warned: ['7 pattern (?i)^a is no regular expression of ECMA-262: it is read as (?i:^a)'],
    at: `${schemaAt}/pattern`,
    becomes: '(?i:^a)'
  },
  ...[
    ['/^a$/i', '^a$'],
    ['/a$/', 'a$'],
    ['/^a/', '^a']
  ].map(([pattern, bare]) => ({
    name: `a pattern with delimiters: ${pattern}`,
    schema: `{ type: string, pattern: '${pattern}' }`,
    warned: [`7 pattern ${pattern} fits no text: the slashes belong to it; without them: ${bare}`],
    at: `${schemaAt}/pattern`,
    becomes: pattern
  })),
  ...['/api/', '/a\\$/', '^/a/$'].map((pattern) => ({
    name: `a pattern with slashes: ${pattern}`,
    schema: `{ type: string, pattern: '${pattern}' }`,
    warned: [],
    at: `${schemaAt}/pattern`,
    becomes: pattern
  })),
  {
    name: 'a pattern that has no translation',
    schema: "{ type: string, pattern: 'a++' }",
    warned: ['7 pattern a++ is no regular expression of ECMA-262: it is not enforced'],
    at: schemaAt,
    becomes: { type: 'string' }
  },
  {
    name: 'names of properties by such patterns',
    schema:
      "{ patternProperties: { '(?i)^a': { type: string }, 'a++': false, b: {} }, additionalProperties: false }",
    warned: [
      '7 pattern (?i)^a is no regular expression of ECMA-262: it is read as (?i:^a)',
      '7 pattern a++ is no regular expression of ECMA-262: it is not enforced'
    ],
    at: `${schemaAt}/patternProperties`,
    becomes: { '(?i:^a)': { type: 'string' }, '': true, b: {} }
  },
  {
    name: 'null for what is absent',
    schema: '{ type: string, nullable: null, minLength: null, description: null, default: null }',
    rest: 'tags: null\n',
    warned: [
      '7 `nullable` is null: it is read as absent',
      '7 `minLength` is null: it is read as absent',
      '7 `description` is null: it is read as absent',
      '8 `tags` is null: it is read as absent'
    ],
    at: schemaAt,
    becomes: { type: 'string', default: null }
  },
  {
    name: 'scopes that are null',
    operation: 'security: [{ a: null }]',
    rest: `${scheme} { type: oauth2, flows: { implicit: { authorizationUrl: https://a.example, scopes: null }, clientCredentials: { tokenUrl: https://a.example, scopes: { b: null } } } } } }\n`,
    warned: [
      '4 `a` is null: it is read as no scopes',
      '9 `scopes` is null: it is read as no scopes',
      '9 `b` is null: it is read as no description'
    ],
    at: '/paths/~1a/get/security',
    becomes: [{ a: [] }]
  },
  {
    name: 'fields beside a type of security scheme that has them not',
    operation: 'summary: a',
    rest: `${used}${scheme} { type: http, scheme: bearer, in: header } } }\n`,
    warned: ['10 The field `in` is not allowed here.']
  },
  {
    name: 'a response without a description, a licence without a name',
    operation: 'summary: a',
    rest: "webhooks: { a: { post: { responses: { '204': {} } } } }\ntags: [{ description: x }]\n",
    warned: [
      '9 The field `description` must be present on this level.',
      '10 The field `name` must be present on this level.'
    ]
  },
  {
    name: 'webhooks without paths in OpenAPI 3.0',
    version: '3.0.3',
    warned: [
      '1 The field `paths` must be present on this level.',
      '3 Property `webhooks` is not expected here.'
    ],
    rest: "webhooks: { a: { post: { responses: { '204': { description: x } } } } }\n"
  },
  {
    name: 'an example that is missing',
    operation: 'summary: a',
    rest: "components: { responses: { A: { description: a, content: { application/json: { examples: { a: { $ref: '#/none' } } } } } } }\n",
    warned: ["9 Can't resolve $ref #/none"]
  }
]

function contractOf({ version = '3.1.0' as never, schema, operation, rest = '' }: Row): string {
  const head = `openapi: ${version}\ninfo: { title: T, version: '1' }\n`
  const get = `    get: { operationId: a,         ${operation}, responses: { '204': { description: a } } }\n`
  const post = `    post:\n      responses: { '204': { description: a } }\n      requestBody: { content: { application/json: { schema: ${schema} } } }\n`
  if (operation !== undefined)
    return `${head}paths: { /a: {\n${get.replace('    get', '  get')}  } }\n\n\n\n${rest}`
  return schema === undefined ? `${head}${rest}` : `${head}paths:\n  /a:\n${post}${rest}`
}

for (const row of rows)
  t.test(row.name, async (t) => {
    const folder = t.testdir({ 'openapi.yaml': contractOf(row) })
    const { problems, document } = await compileContract(join(folder, 'openapi.yaml'), folder)
    const warnings = problems
      .filter(({ rule, message }) => rule !== 'example' && !message.includes('has no operationId'))
      .map((problem) => formatProblem(problem, folder).replace(/^openapi\.yaml:(\d+):\d+/, '$1'))
    t.strictSame(warnings, row.warned)
    const path = (row.at ?? '').split('/').slice(1)
    const found = path.reduce<unknown>((node, key) => Object(node)[key.replaceAll('~1', '/')], document)
    if (row.at !== undefined) t.strictSame(found, row.becomes)
  })

t.test('a second file is repaired in the version of the root', async (t) => {
  const folder = t.testdir({
    'openapi.yaml':
      "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: { operationId: a, parameters: [{ name: x, in: query, schema: { $ref: s.yaml } }], responses: { '204': { description: a } } }\n",
    's.yaml': 'type: string\nnullable: true\npattern: (?i)a\nminLength: null\n'
  })
  const { problems } = await compileContract(join(folder, 'openapi.yaml'), folder)
  t.strictSame(
    problems.map((problem) => formatProblem(problem, folder)).filter((line) => line.startsWith('s.yaml')),
    [
      's.yaml:3:1 pattern (?i)a is no regular expression of ECMA-262: it is read as (?i:a)',
      's.yaml:4:1 `minLength` is null: it is read as absent'
    ]
  )
})
