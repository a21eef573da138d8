/** A violation of OpenAPI is an error with a location and a sentence; what OpenAPI allows is at most a warning. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import {
  ContractError,
  type ContractProblem,
  formatProblem
} from '../../../src/contract/diagnostics/problem.ts'

t.setTimeout(900_000)

type Files = Readonly<Record<string, string>>

interface Case {
  readonly name: string
  /** Text below `paths:`, or whole files by name, the root one `openapi.yaml`. */
  readonly given: string | Files
  /** Further text of the root file. */
  readonly rest?: string
  /** Place and message of the first error, `file:line:column message`; a part of the message is enough. */
  readonly refused?: string
  readonly warned?: string
  /** Part of a message that no warning has. */
  readonly unwarned?: string
}

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n'
const ok = "{ '204': { description: done } }"
const get = (path: string, more: string) => `  ${path}:\n    get: { ${more}, responses: ${ok} }\n`

const body = (schema: string) =>
  `  /a:\n    post:\n      requestBody: { content: { application/json: { schema: ${schema} } } }\n      operationId: a\n      responses: ${ok}\n`

const head32 = head.replace('3.1.0', '3.2.0')

/** Returns a contract of OpenAPI 3.2 whose operation has these parameters. */
const query32 = (parameters: string, rest = ''): Files => ({
  'openapi.yaml': `${head32}paths:\n${get('/a', `operationId: a, parameters: [${parameters}]`)}${rest}`
})

/** Returns a contract of OpenAPI 3.2 with these members of a path item. */
const item32 = (members: string): Files => ({ 'openapi.yaml': `${head32}paths:\n  /a: { ${members} }\n` })

/** Returns a contract of OpenAPI 3.2 with a body, and schemas to which its schema refers. */
const in32 = (schema: string, schemas: string): Files => ({
  'openapi.yaml': `${head32}paths:\n${body(schema)}components: { schemas: { ${schemas} } }\n`
})

const cases: readonly Case[] = [
  {
    name: 'no operationId',
    given: get('/a', 'tags: []'),
    warned:
      'openapi.yaml:5:5 GET /a has no operationId: it is named get_a; to name it, add: operationId: get_a'
  },
  {
    name: 'a control character in an operationId',
    given: get('/a', 'operationId: "a\\nb"'),
    refused: 'openapi.yaml:5:12 operationId a\nb has a control character'
  },
  {
    name: 'a line separator in the name of a parameter',
    given: get('/a', 'operationId: a, parameters: [{ name: "a\\u2028b", in: query, schema: {} }]'),
    refused: 'openapi.yaml:5:43 the name a\u2028b has a control character'
  },
  {
    name: 'a control character in a media type',
    given: `  /a:\n    get: { operationId: a, responses: { 200: { description: x, content: { "text/\\x07": {} } } } }\n`,
    refused: 'openapi.yaml:5:75 the name text/\u0007 in content has a control character'
  },
  {
    name: 'a control character in the name of a scheme, and in that of an API key',
    given: get('/a', 'operationId: a'),
    rest: 'components: { securitySchemes: { "k\\x85": { type: apiKey, in: query, name: "a\\e[2J" } } }\n',
    refused: 'openapi.yaml:6:34 the name of security scheme k\u0085 has a control character'
  },
  {
    name: 'a control character in the name of a property',
    given: body('{ type: object, properties: { "a\\nb": { type: string } } }')
  },
  {
    name: 'an operationId twice',
    given: get('/a', 'operationId: a') + get('/b', 'operationId: a'),
    refused: 'openapi.yaml:7:12 operationId a is used twice: by GET /a too'
  },
  ...[
    ['then', '`await` calls a method of this name'],
    ['$build', 'the generated code exports this name']
  ].map(([id, reason]) => ({
    name: `an operationId ${id}`,
    given: get('/a', `operationId: ${id}`),
    refused: `openapi.yaml:5:12 operationId ${id} is taken, because ${reason}: choose another one`
  })),
  {
    name: 'an undeclared scheme',
    given: get('/a', 'operationId: a, security: [{ key: [] }]'),
    refused: 'openapi.yaml:5:41 security scheme key is not declared'
  },
  {
    name: 'an undeclared scheme that several operations name, reported once',
    given:
      get('/a', 'operationId: a, security: [{ key: [] }]') +
      get('/b', 'operationId: b, security: [{ key: [] }]'),
    refused:
      'openapi.yaml:5:41 security scheme key is not declared in components/securitySchemes; 2 requirements name it'
  },
  {
    name: 'an undeclared scheme for all',
    given: get('/a', 'operationId: a'),
    rest: 'security: [{ toString: [] }]\n',
    refused: 'openapi.yaml:6:14 security scheme toString is not declared'
  },
  {
    name: 'an undeclared scheme of an operation that stands in an extension',
    given: "  /a: { $ref: '#/x-items/a' }\n",
    rest: `x-items: { a: { get: { operationId: a, security: [{ key: [] }], responses: ${ok} } } }\n`,
    refused: 'openapi.yaml:5:53 security scheme key is not declared'
  },
  {
    name: 'an undeclared scheme of a webhook, which is not served',
    given: get('/a', 'operationId: a'),
    rest: `webhooks: { done: { post: { security: [{ key: [] }], responses: ${ok} } } }\n`,
    warned: 'openapi.yaml:6:42 security scheme key is not declared'
  },
  {
    name: 'an undeclared scheme of a callback, which is not served',
    given: get(
      '/a',
      `operationId: a, callbacks: { done: { "{$url}": { post: { security: [{ key: [] }], responses: ${ok} } } } }`
    ),
    warned: 'openapi.yaml:5:82 security scheme key is not declared'
  },
  {
    name: 'an undeclared path parameter',
    given: get('/a/{id}', 'operationId: a'),
    refused: 'openapi.yaml:5:5 GET /a/{id} does not declare its path parameter id'
  },
  {
    name: 'a path parameter that is not in the path',
    given: get('/a', 'operationId: a, parameters: [{ name: id, in: path, required: true, schema: {} }]'),
    refused: 'openapi.yaml:5:43 path parameter id is not in the path /a'
  },
  {
    name: 'a path parameter that stands twice',
    given: get(
      '/a/{id}/{id}',
      'operationId: a, parameters: [{ name: id, in: path, required: true, schema: {} }]'
    ),
    refused: 'openapi.yaml:4:3 a path parameter stands twice in /a/{id}/{id}'
  },
  {
    name: 'one parameter twice',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: {} }, { name: x, in: query, schema: {} }]'
    ),
    refused: 'openapi.yaml:5'
  },
  {
    name: 'one header twice, in other letters',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: X-A, in: header, required: true, schema: {} }, { name: x-a, in: header, required: true, schema: {} }]'
    ),
    refused: 'openapi.yaml:5:98 header x-a is declared twice'
  },
  {
    name: 'paths that differ only by parameter names',
    given:
      get('/a/{id}', 'operationId: a, parameters: [{ name: id, in: path, required: true, schema: {} }]') +
      get(
        '/a/{other}',
        'operationId: b, parameters: [{ name: other, in: path, required: true, schema: {} }]'
      ),
    refused: 'openapi.yaml:6:3 path /a/{other} differs from /a/{id} only by parameter names'
  },
  {
    name: 'paths that differ only by percent-encoding',
    given: get("'/a b'", 'operationId: a') + get('/a%20b', 'operationId: b'),
    refused: 'openapi.yaml:6:3 path /a%20b differs from /a b only by parameter names or percent-encoding'
  },
  {
    name: 'a path that is not percent-encoded',
    given: get('/50%', 'operationId: a'),
    refused: 'openapi.yaml:4:3 path /50% has a % that encodes no character'
  },
  {
    name: 'a path that is percent-encoded in no UTF-8',
    given: get('/%FF', 'operationId: a'),
    refused: 'openapi.yaml:4:3 path /%FF has a % that encodes no character'
  },
  {
    name: 'a parameter beside one that is the whole query',
    given: query32(
      '{ name: x, in: querystring, content: { text/plain: {} } }, { name: y, in: query, schema: {} }'
    ),
    refused: 'openapi.yaml:5:111 parameter y is in the query, and x is the whole query'
  },
  {
    name: 'two parameters that are the whole query',
    given: query32(
      '{ name: x, in: querystring, content: { text/plain: {} } }, { name: y, in: querystring, content: { text/plain: {} } }'
    ),
    refused: 'openapi.yaml:5:111 parameter y is in the query, and x is the whole query'
  },
  {
    name: 'a whole query without content',
    given: query32('{ name: x, in: querystring, schema: {} }'),
    refused: 'openapi.yaml:5:52 parameter x is the whole query: it needs a content with one media type'
  },
  {
    name: 'a whole query of a media type that is not read',
    given: query32('{ name: x, in: querystring, content: { application/xml: {} } }'),
    refused: 'openapi.yaml:5:80 a query cannot be application/xml: write a form, JSON or a text'
  },
  {
    name: 'a whole query of several parts',
    given: query32('{ name: x, in: querystring, content: { multipart/form-data: {} } }'),
    refused: 'openapi.yaml:5:80 a query cannot be multipart/form-data'
  },
  {
    name: 'a whole query of a range',
    given: query32("{ name: x, in: querystring, content: { 'text/*': {} } }"),
    refused: 'openapi.yaml:5:80 a query cannot be text/*'
  },
  {
    name: 'a whole query beside an API key in the query',
    given: query32(
      '{ name: x, in: querystring, content: { application/json: {} } }',
      'security: [{ k: [] }]\ncomponents: { securitySchemes: { k: { type: apiKey, in: query, name: key } } }\n'
    ),
    refused: 'openapi.yaml:5:52 parameter x is the whole query, which has no place for the API key key'
  },
  {
    name: 'a field of a whole query that is the API key beside it',
    given: query32(
      '{ name: x, in: querystring, content: { application/x-www-form-urlencoded: { schema: { properties: { key: {} } } } } }',
      'security: [{ k: [] }]\ncomponents: { securitySchemes: { k: { type: apiKey, in: query, name: key } } }\n'
    ),
    warned: 'openapi.yaml:5:69 the field key of the query is never read: it is the API key'
  },
  {
    name: 'a style of a whole query',
    given: query32('{ name: x, in: querystring, style: form, content: { text/plain: {} } }'),
    warned: 'openapi.yaml:5:69 style of x has no effect: its content says how the query is written'
  },
  {
    name: 'an encoding of a field that the form of a whole query does not have',
    given: query32(
      '{ name: x, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: {} } }, encoding: { b: {} } } } }'
    ),
    warned: 'openapi.yaml:5:178 the encoding of b has no effect: the schema declares no such field'
  },
  {
    name: 'reserved characters in a header',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: header, allowReserved: true, schema: {} }]'
    ),
    warned: 'openapi.yaml:5:64 allowReserved of x has no effect: its values are not percent-encoded'
  },
  {
    name: 'an additional operation that has a field',
    given: item32('additionalOperations: { Post: { operationId: a } }'),
    refused: 'openapi.yaml:4:33 Post is no additional operation: write it as `post` of the path'
  },
  {
    name: 'an additional operation of a webhook that has a field',
    given: { 'openapi.yaml': `${head32}webhooks: { a: { additionalOperations: { QUERY: {} } } }\n` },
    refused: 'openapi.yaml:3:42 QUERY is no additional operation: write it as `query` of the path'
  },
  {
    name: 'a method that Node does not read',
    given: item32('additionalOperations: { FETCH: { operationId: a } }'),
    refused: 'openapi.yaml:4:33 FETCH /a cannot be served: the HTTP parser of Node refuses this method'
  },
  {
    name: 'a method in lower case',
    given: item32('additionalOperations: { copy: { operationId: a } }'),
    refused:
      'openapi.yaml:4:33 copy /a cannot be served: methods are case-sensitive, and the HTTP parser of Node reads COPY only'
  },
  {
    name: 'CONNECT',
    given: item32('additionalOperations: { CONNECT: { operationId: a } }'),
    refused:
      'openapi.yaml:4:33 CONNECT /a cannot be served: it asks for a tunnel to another server, which is no route'
  },
  {
    name: 'an additional operation without a name',
    given: item32(`additionalOperations: { M-SEARCH: { responses: ${ok} } }`),
    warned: 'openapi.yaml:4:33 M-SEARCH /a has no operationId: it is named m__search_a'
  },
  {
    name: 'an encoding in an encoding',
    given: body('{}').replace(
      'application/json: { schema: {} }',
      'multipart/form-data: { schema: { properties: { p: {} } }, encoding: { p: { encoding: { q: {} } } } }'
    ),
    rest: '',
    warned: 'openapi.yaml:6:108 encoding of an encoding has no effect: parts of a part are not read'
  },
  {
    name: 'tags in a circle',
    given: {
      'openapi.yaml': `${head32}paths: {}\ntags: [{ name: a, parent: b }, { name: b, parent: c }, { name: c, parent: b }]\n`
    },
    warned: 'openapi.yaml:4:43 tag b is a parent of itself'
  },
  {
    name: 'a security scheme that says too little',
    given: get('/a', 'operationId: a'),
    rest: 'components:\n  securitySchemes:\n    a: { type: http }\n    b: { type: apiKey, name: X }\n    c: { type: apiKey, in: query }\n',
    refused: 'openapi.yaml:8:5 The field `scheme` must be present on this level.'
  },
  {
    name: 'a reference that is no URL',
    given: get('/a', "operationId: a, parameters: [{ name: x, in: query, schema: { $ref: 'http://[' } }]"),
    rest: "components:\n  schemas:\n    A: { $id: 'https://a.example/' }\n",
    refused: 'openapi.yaml:5:71'
  },
  {
    name: 'a reference that is not percent-encoded',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { $ref: '#/components/schemas/a%' } }]"
    ),
    rest: "components:\n  schemas:\n    'a%': { type: string }\n"
  },
  {
    name: 'a broken reference below a name with a per cent sign',
    given: get('/a', 'operationId: a'),
    rest: "components:\n  schemas:\n    'a%': { properties: { x: { $ref: '#/none' } } }\n",
    refused: 'openapi.yaml:8:30'
  },
  {
    name: 'a broken reference',
    given: `  /a:\n    get:\n      operationId: a\n      responses:\n        '200': { $ref: '#/components/responses/None' }\n`,
    refused: 'openapi.yaml:8:16'
  },
  {
    name: 'a pattern of properties that is none',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { patternProperties: { '[': {} } } }]"
    ),
    warned: 'openapi.yaml:5:73 pattern [ is no regular expression of ECMA-262: it is not enforced'
  },
  {
    name: 'references in a circle',
    given: `  /a:\n    get: { operationId: a, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } }\n`,
    rest: "components:\n  schemas:\n    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }\n",
    refused: 'openapi.yaml'
  },
  {
    name: 'types that exclude each other',
    given: body('{ allOf: [{ type: string }, { type: [integer, boolean] }] }'),
    warned:
      'openapi.yaml:6:63 branches of `allOf` exclude each other: no value fits: types string and integer and boolean exclude each other'
  },
  {
    name: 'values that exclude each other',
    given: body('{ allOf: [{ enum: [a, b] }, { const: c }] }'),
    warned:
      'openapi.yaml:6:63 branches of `allOf` exclude each other: no value fits: their values have none in common'
  },
  {
    name: 'a declared property that another branch forbids',
    given: body(
      '{ allOf: [{ properties: { x: {} } }, { additionalProperties: false, properties: { y: {} } }] }'
    ),
    warned:
      'openapi.yaml:6:63 branches of `allOf` exclude each other: no value has property x: property x is declared by one branch and forbidden by another'
  },
  {
    name: 'a property of two types',
    given: body(
      '{ allOf: [{ properties: { x: { type: string } } }, { properties: { x: { type: boolean } } }] }'
    ),
    warned:
      'openapi.yaml:6:63 branches of `allOf` exclude each other: no value has property x: property x: no value fits: types string and boolean exclude each other'
  },
  {
    name: 'no responses',
    given: {
      'openapi.yaml': `${head.replace('3.1', '3.0')}paths:\n  /a:\n    get: { operationId: a }\n`
    },
    refused: 'openapi.yaml:5:5 The field `responses` must be present on this level.'
  },
  {
    name: 'a default that fits a referenced schema, and one that does not',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { default: [1], type: array, items: { $ref: '#/components/schemas/A' } } }, { name: y, in: query, schema: { default: [one], type: array, items: { $ref: '#/components/schemas/A' } } }]"
    ),
    rest: 'components:\n  schemas:\n    A: { type: integer }\n',
    warned: 'openapi.yaml:5:169 the default of parameter y does not fit its schema and is not applied'
  },
  ...(
    [
      [
        '{ default: b }, { default: a }',
        'the schema of parameter x has several defaults: the first one applies'
      ],
      ['{ default: a }, { default: a }', undefined],
      ["{ $ref: '#/components/schemas/A' }, { default: b }", undefined],
      ['{ default: b }, { allOf: [{ default: a }] }', undefined],
      [
        "{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }",
        'the schema of parameter x has several defaults'
      ]
    ] as const
  ).map(([branches, warned]) => ({
    name: `defaults in branches: ${branches}`,
    given: get(
      '/a',
      `operationId: a, parameters: [{ name: x, in: query, schema: { type: string, allOf: [${branches}] } }]`
    ),
    rest: 'components: { schemas: { A: { default: a }, B: { default: b } } }\n',
    ...(warned === undefined ? { unwarned: 'several defaults' } : { warned: `openapi.yaml:5:63 ${warned}` })
  })),
  ...(
    [
      ['application/jsonl: { itemSchema: {} }', 108],
      ['text/event-stream: {}, application/json-seq: {}', 118],
      ['application/jsonl: {}, image/png: {}', undefined],
      ['image/png: {}', undefined]
    ] as const
  ).map(([content, column]) => ({
    name: `Content-Length of ${content}`,
    given: {
      'openapi.yaml': `${head32}paths:\n  /a:\n    get:\n      operationId: a\n      responses: { '200': { description: a, content: { ${content} }, headers: { content-length: { required: true, schema: { type: integer } } } } }\n`
    },
    ...(column === undefined
      ? { unwarned: 'is not sent' }
      : {
          warned: `openapi.yaml:7:${column} content-length is not sent: the length of a sequence is not known`
        })
  })),
  {
    name: 'a default beside a schema that cannot be compiled',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: string, minLength: -1, default: a } }]'
    ),
    refused: 'openapi.yaml:5:87 minLength must be a whole number, at least 0: it is -1'
  },
  {
    name: 'a file that holds a list',
    given: {
      'openapi.yaml': `${head}paths:\n${get('/a', "operationId: a, parameters: [{ name: x, in: query, schema: { $ref: 'list.yaml' } }]")}`,
      'list.yaml': '- type: string\n'
    },
    refused: 'openapi.yaml'
  },
  {
    name: 'no media type that can be parsed',
    given: `  /a:\n    post:\n      operationId: a\n      requestBody:\n        content:\n          application/xml: {}\n      responses: ${ok}\n`,
    warned: 'openapi.yaml:9:11 no media type of this request body can be parsed: every body is answered 415'
  },
  {
    name: 'a media type that cannot be parsed beside one that can',
    given: `  /a:\n    post:\n      operationId: a\n      requestBody:\n        content:\n          application/json: {}\n          application/xml: {}\n      responses: ${ok}\n`,
    warned: 'openapi.yaml:10:11 media type application/xml cannot be parsed: such requests are answered 415'
  },
  {
    name: 'an invalid pattern',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { type: string, pattern: '(' } }]"
    ),
    warned: 'openapi.yaml:5:87 pattern ( is no regular expression of ECMA-262: it is not enforced'
  },
  {
    name: 'an invalid value of a keyword',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: string, minLength: -1 } }]'
    ),
    refused: 'openapi.yaml:5:87 minLength must be a whole number, at least 0: it is -1'
  },
  {
    name: 'an invalid item of a keyword',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: object, required: [1] } }]'
    ),
    refused: 'openapi.yaml:5:87 required must be a list of different texts: it is [1]'
  },
  {
    name: 'a dynamic reference that leads nowhere',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { $dynamicRef: '#none' } }]"
    ),
    refused: 'openapi.yaml:5:73 $dynamicRef cannot be resolved: it is "#none"'
  },
  {
    name: 'nothing where something has to be',
    given: `  /a:\n    get:\n    put: { operationId: a, responses: ${ok} }\n`,
    refused: 'openapi.yaml:5:5 Expected type `Operation` (object) but got `null` at `get`'
  },
  {
    name: 'an unknown type beside int64',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: [integer, strnig], format: int64 } }]'
    ),
    refused: 'openapi.yaml:5'
  },
  {
    name: 'a misspelt reference',
    given: {
      'openapi.yaml': `openapi: 3.1.0
info: { title: x, version: '1' }
paths: { /a: { $ref: '#/components/pathItems/Itme' } }
components: { pathItems: { Item: {} } }
`
    },
    refused:
      "openapi.yaml:3:14 Can't resolve $ref #/components/pathItems/Itme. Did you mean `#/components/pathItems/Item`?"
  },
  {
    name: 'a misspelt file of a reference',
    given: {
      'openapi.yaml':
        "openapi: 3.1.0\ninfo: { title: x, version: '1' }\npaths: { /a: { $ref: 'parts/itme.yaml' } }\n",
      'parts/item.yaml': 'get: {}'
    },
    refused:
      "openapi.yaml:3:14 Can't resolve $ref parts/itme.yaml: ENOENT, there is no such file. Did you mean `parts/item.yaml`?"
  },
  {
    name: 'a misspelt method',
    given: get('/a', 'operationId: a').replace('get:', 'pots:'),
    refused: 'openapi.yaml:5:5 Property `pots` is not expected here. Did you mean `post`?'
  },
  {
    name: 'a misspelt security scheme',
    given: {
      'openapi.yaml': `openapi: 3.1.0
info: { title: x, version: '1' }
security: [{ bearerAuht: [] }]
paths: {}
components: { securitySchemes: { bearerAuth: { type: http, scheme: bearer } } }
`
    },
    refused:
      'openapi.yaml:3:14 security scheme bearerAuht is not declared in components/securitySchemes; did you mean bearerAuth?'
  },
  {
    name: 'a version that is a number',
    given: { 'openapi.yaml': "# a comment\nopenapi: 3.1\ninfo: { title: x, version: '1' }\npaths: {}\n" },
    refused: "openapi.yaml:2:1 openapi is a number: write '3.1.0'"
  },
  {
    name: 'a quote that is not closed',
    given: { 'openapi.yaml': "openapi: 3.1.0\ninfo:\n  title: 'x\n  version: '1'\npaths: {}\n" },
    refused: 'openapi.yaml:4:3 deficient indentation, or a quote is open above'
  },
  {
    name: 'an unknown type',
    given: get('/a', 'operationId: a, parameters: [{ name: x, in: query, schema: { type: strnig } }]'),
    refused:
      'openapi.yaml:5:73 type must be one of null, boolean, integer, number, string, array, object, or a list of these: '
  },
  {
    name: 'an unknown format',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: string, format: color } }]'
    ),
    warned: 'openapi.yaml:5:87 format `color` is not known and is not enforced'
  },
  {
    name: 'an unknown keyword',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: string, colour: 1 } }]'
    ),
    warned: 'openapi.yaml:5:87 keyword `colour` is not known and has no effect'
  },
  {
    name: 'a misspelt name',
    given: `  /a:\n    post:\n      operationId: a\n      requestbody: { content: { application/json: {} } }\n      responses: ${ok}\n`,
    refused: 'openapi.yaml:7:7 Property `requestbody` is not expected here. Did you mean `requestBody`?'
  },
  {
    name: 'a keyword of a schema that is like one that identifies it',
    given: get('/a', 'operationId: a, parameters: [{ name: x, in: query, schema: { schema: x } }]'),
    warned: 'openapi.yaml:5:73 keyword `schema` is not known and has no effect'
  },
  {
    name: 'a keyword of another vocabulary',
    given: get('/a', 'operationId: a, parameters: [{ name: x, in: query, schema: { min_items: 1 } }]'),
    warned: 'openapi.yaml:5:73 keyword `min_items` is not known and has no effect: did you mean `minItems`?'
  },
  {
    name: 'a keyword with an underscore in OpenAPI 3.0, which has no other vocabularies',
    given: {
      'openapi.yaml': `${head.replace('3.1', '3.0')}paths:\n${get('/a', 'operationId: a, parameters: [{ name: x, in: query, schema: { min_items: 1 } }]')}`
    },
    refused: 'openapi.yaml:5:73 Property `min_items` is not expected here. Did you mean `minItems`?'
  },
  {
    name: 'a reference in an example or a default, which is data',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { type: object, example: { $ref: 'some text' }, default: { $ref: '#/no' } } }]"
    )
  },
  {
    name: 'a reference to a missing file',
    given: get('/a', "operationId: a, parameters: [{ $ref: 'none.yaml' }]"),
    refused: "openapi.yaml:5:41 Can't resolve $ref none.yaml: ENOENT"
  },
  {
    name: 'a byte string of YAML',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: string, format: byte, default: !!binary aGVsbG8= } }]'
    )
  },
  {
    name: 'a misspelt description',
    given: get('/a', 'operationId: a, descripton: x'),
    warned: 'openapi.yaml:5:28 Property `descripton` is not expected here.'
  },
  {
    name: 'two letters swapped',
    given: `  /a:\n    get: { operationId: a, respnoses: {}, responses: ${ok} }\n`,
    refused: 'openapi.yaml:5:28 Property `respnoses` is not expected here. Did you mean `responses`?'
  },
  {
    name: 'a short name is not taken for a misspelt one',
    given: `  /a:\n    gt: {}\n    get: { operationId: a, responses: ${ok} }\n`,
    warned: 'openapi.yaml:5:5 Property `gt` is not expected here.'
  },
  {
    name: 'two documents in one file',
    given: { 'openapi.yaml': `${head}paths: {}\n---\n${head}paths: {}\n` },
    refused: 'openapi.yaml:1:1 expected a single document'
  },
  {
    name: 'YAML that is none',
    given: { 'openapi.yaml': `${head}paths:\n  /a: [\n` },
    refused: 'openapi.yaml:'
  },
  {
    name: 'JSON that is none',
    given: { 'openapi.json': '{\n  "openapi": "3.1.0",\n  "info": {,\n}' },
    refused: 'openapi.json:3:12'
  },
  { name: 'a file that is not there', given: {}, refused: 'openapi.yaml:1:1 the file cannot be read' },
  {
    name: 'another version',
    given: { 'openapi.yaml': 'swagger: "2.0"\n' },
    refused:
      'openapi.yaml:1:1 expected an OpenAPI document: `openapi: 3.0.x`, `3.1.x` or `3.2.x`; this is Swagger 2.0: convert it to OpenAPI 3'
  },
  {
    name: 'a version of OpenAPI that is not known',
    given: { 'openapi.yaml': 'openapi: 4.0.0\n' },
    refused:
      'openapi.yaml:1:1 expected an OpenAPI document: `openapi: 3.0.x`, `3.1.x` or `3.2.x`; this is OpenAPI 4.0.0'
  },
  {
    name: 'no document at all',
    given: { 'openapi.yaml': '' },
    refused: 'openapi.yaml:1:1 expected an OpenAPI document'
  },
  {
    name: 'a text',
    given: { 'openapi.yaml': 'hello' },
    refused: 'openapi.yaml:1:1 expected an OpenAPI document'
  },
  {
    name: 'a path without a slash',
    given: get('a', 'operationId: a'),
    refused: 'openapi.yaml:4:3 path a must begin with a slash'
  },
  {
    name: 'a path with half an expression',
    given: get("'/a/{id'", 'operationId: a'),
    refused: 'openapi.yaml:4:3 path /a/{id has a brace without its other half'
  },
  {
    name: 'a missing file',
    given: "  /a: { $ref: 'none.yaml' }\n",
    refused: 'openapi.yaml:4:7'
  },
  {
    name: 'a file on the network',
    given: "  /a: { $ref: 'https://nowhere.example/a.yaml' }\n",
    refused: 'openapi.yaml:4:7'
  },
  {
    name: 'no operationId in the second file',
    given: {
      'openapi.yaml': `${head}paths:\n  /a: { $ref: paths/a.yaml }\n`,
      'paths/a.yaml': `# the path\nget:\n  responses: ${ok}\n`
    },
    warned: 'paths/a.yaml:2:1 GET /a has no operationId: it is named get_a'
  },
  {
    name: 'an undeclared scheme in the second file',
    given: {
      'openapi.yaml': `${head}paths:\n  /a: { $ref: a.json }\n`,
      'a.json':
        '{ "get": {\n  "operationId": "a",\n  "security": [{ "none": [] }],\n  "responses": { "204": { "description": "" } } } }\n'
    },
    refused: 'a.json:3:18 security scheme none is not declared'
  },
  {
    name: 'a broken reference in the second file',
    given: {
      'openapi.yaml': `${head}paths:\n  /a: { $ref: a.yaml }\n`,
      'a.yaml': `get:\n  operationId: a\n  responses:\n    '200': { $ref: 'b.yaml#/none' }\n`,
      'b.yaml': 'some: { description: x }\n'
    },
    refused: 'a.yaml:4:12'
  },
  {
    name: 'an invalid value in the second file',
    given: {
      'openapi.yaml': `${head}paths:\n  /a:\n    get:\n      operationId: a\n      responses: ${ok}\n      parameters: [{ name: x, in: query, schema: { $ref: s.yaml } }]\n`,
      's.yaml': 'type: string\nmaxLength: many\n'
    },
    refused: 's.yaml:2:1'
  },
  {
    name: 'a second file that is no YAML',
    given: { 'openapi.yaml': `${head}paths:\n  /a: { $ref: a.yaml }\n`, 'a.yaml': 'get:\n  - [\n' },
    refused: 'a.yaml:'
  },
  {
    name: 'a discriminator that maps to nothing',
    given: get('/a', 'operationId: a'),
    rest: 'components:\n  schemas:\n    A: { type: object, discriminator: { propertyName: k, mapping: { a: None } } }\n',
    warned: 'openapi.yaml:8:69 no schema None to map a to: all alternatives are tried'
  },
  {
    name: 'an anchor twice',
    given: get('/a', "operationId: a, parameters: [{ name: x, in: query, schema: { $ref: '#b' } }]"),
    rest: 'components: { schemas: { A: { $anchor: b }, B: { $anchor: b } } }\n',
    refused: 'openapi.yaml:5:73 #b cannot be resolved'
  },
  {
    name: 'an invalid value in a schema that is bound in two ways',
    given: `  /a:\n    post: { operationId: a, requestBody: { content: { application/json: { schema: { $ref: words } } } }, responses: ${ok} }\n`,
    rest: `components:
  schemas:
    List: { $id: list, items: { $dynamicRef: '#item', minLength: -1 }, $defs: { any: { $dynamicAnchor: item } } }
    Words: { $id: words, $ref: list, $defs: { word: { $dynamicAnchor: item, type: string } } }
`,
    refused: 'openapi.yaml:8:55 minLength must be a whole number, at least 0: it is -1'
  },
  {
    name: 'a broken reference of a property named as an extension is',
    given: get('/a', 'operationId: a'),
    rest: "components: { schemas: { A: { type: object, properties: { x-a: { $ref: '#/none' } } } } }\n",
    refused: 'openapi.yaml:6:'
  },
  {
    name: 'an invalid value behind an alias',
    given: `  /a:
    get: { operationId: a, parameters: [&x { name: x, in: query, schema: { minLength: -1 } }], responses: ${ok} }
    put: { operationId: b, parameters: [*x], responses: ${ok} }
`,
    refused: 'openapi.yaml:5:76 minLength must be a whole number, at least 0: it is -1'
  },
  {
    name: 'an invalid value that is merged in',
    given: `  /a:
    parameters: [{ name: x, in: query, schema: &x { minLength: -1 } }]
    get:
      operationId: a
      parameters: [{ name: y, in: query, schema: { <<: *x, type: string } }]
      responses: ${ok}
`,
    refused: 'openapi.yaml:5:53 minLength must be a whole number, at least 0: it is -1'
  },
  {
    name: 'an undeclared scheme that is merged in',
    given: `  /a:
    get: &get { responses: ${ok}, security: [{ none: [] }] }
    put:
      <<: *get
      operationId: b
`,
    refused: 'openapi.yaml:5:75 security scheme none is not declared'
  },
  {
    name: 'an operation that is an alias of another',
    given: `  /a:\n    get: &get { operationId: a, responses: ${ok} }\n    put: *get\n`,
    refused: 'openapi.yaml:5:17 operationId a is used twice: by GET /a too'
  },
  {
    name: 'a key twice',
    given: get('/a', 'operationId: a, operationId: b'),
    refused: 'openapi.yaml:5:'
  },
  {
    name: 'an alias of no anchor',
    given: get('/a', 'operationId: a, tags: *none'),
    refused: 'openapi.yaml:5:'
  },
  {
    name: 'a misspelt method',
    given: `  /a:\n    gett: { operationId: a, responses: ${ok} }\n`,
    refused: 'openapi.yaml:5:5 gett is not a method of OpenAPI'
  },
  {
    name: 'a status that is none',
    given:
      '  /a:\n    get: { operationId: a, responses: { 6XX: { description: a }, 200: { description: b } } }\n',
    warned: 'openapi.yaml:5:41 GET /a cannot answer with status 6XX'
  },
  {
    name: 'a parameter with a schema and a content',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: {}, content: { application/json: {} } }]'
    ),
    refused: 'openapi.yaml:5:75 parameter x has a schema and a content'
  },
  {
    name: 'a parameter of two contents',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, content: { application/json: {}, text/plain: {} } }]'
    ),
    refused: 'openapi.yaml:5:63 the content of parameter x must have one media type'
  },
  {
    name: 'a style that is not for its place',
    given: get('/a', 'operationId: a, parameters: [{ name: x, in: query, style: matrix, schema: {} }]'),
    warned: 'openapi.yaml:5:63 style matrix is not for query parameters: x is read in style form'
  },
  {
    name: 'a path parameter that is not required',
    given: get('/a/{x}', 'operationId: a, parameters: [{ name: x, in: path, required: false, schema: {} }]'),
    warned: 'openapi.yaml:5:62 path parameter x is always required'
  },
  {
    name: 'items as a list, which is of earlier drafts',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: array, items: [{}] } }]'
    ),
    refused: 'openapi.yaml:5:86 `items` must be a schema, an object or a boolean: it is a list'
  },
  {
    name: 'an invalid pattern, beside a default',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { type: string, pattern: '(', default: a } }]"
    ),
    warned: 'openapi.yaml:5:87 pattern ( is no regular expression of ECMA-262: it is not enforced'
  },
  {
    name: 'a default that its own schema refuses',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: x, in: query, schema: { type: integer, minimum: 5, default: 1 } }]'
    ),
    warned: 'openapi.yaml:5:63 the default of parameter x does not fit its schema and is not applied'
  },
  {
    name: 'a pattern that takes exponential time',
    given: get('/a', "operationId: a, parameters: [{ name: x, in: query, schema: { pattern: '^(a+)+$' } }]"),
    warned:
      'openapi.yaml:5:73 pattern ^(a+)+$ of #/paths/~1a/get/parameters/0/schema takes exponential time: a short text can stop the server'
  },
  {
    name: 'a pattern that takes quadratic time',
    given: get('/a', "operationId: a, parameters: [{ name: x, in: query, schema: { pattern: '@.*@$' } }]"),
    warned:
      'openapi.yaml:5:73 pattern @.*@$ of #/paths/~1a/get/parameters/0/schema takes time that grows with the square of the length: simplify it, or give it a `maxLength` of at most 2048'
  },
  {
    name: 'a text in an encoding, which is an annotation since OpenAPI 3.1',
    given: body('{ type: string, contentEncoding: base64 }'),
    warned:
      'openapi.yaml:6:77 contentEncoding base64 is an annotation and is not enforced: a text in no encoding is valid'
  },
  {
    name: 'a misspelt keyword of a schema, which may have any since OpenAPI 3.1',
    given: get('/a', 'operationId: a, parameters: [{ name: x, in: query, schema: { emum: [a] } }]'),
    warned: 'openapi.yaml:5:73 keyword `emum` is not known and has no effect: did you mean `enum`?'
  },
  {
    name: 'responses that are indented like a method',
    given: `  /a:\n    get:\n      operationId: a\n    responses: ${ok}\n`,
    refused: 'openapi.yaml:7:5 responses stands beside the methods of a path; it belongs into an operation'
  },
  {
    name: 'the content of a response that is indented like a status',
    given: `  /a:\n    get:\n      operationId: a\n      responses:\n        '200':\n          description: a\n        content: { application/json: {} }\n`,
    refused: 'openapi.yaml:10:9 content stands among the statuses; it belongs into a response'
  },
  {
    name: 'no response at all',
    given: '  /a:\n    get: { operationId: a }\n',
    warned: 'openapi.yaml:5:5 GET /a declares no response: whatever its handler returns, the answer is 500'
  },
  {
    name: 'a response that refers to a schema',
    given: "  /a: { get: { operationId: a, responses: { '401': { $ref: '#/components/schemas/E' } } } }\n",
    rest: 'components: { schemas: { E: { type: object } } }\n',
    refused: 'openapi.yaml:4:54 #/components/schemas/E leads to a schema; a response is needed here'
  },
  {
    name: 'a schema that refers to a response',
    given: get(
      '/a',
      "operationId: a, parameters: [{ name: x, in: query, schema: { $ref: '#/components/responses/R' } }]"
    ),
    rest: 'components: { responses: { R: { description: a } } }\n',
    refused: 'openapi.yaml:5:73 #/components/responses/R leads to a response; a schema is needed here'
  },
  {
    name: 'a parameter under the heading of schemas',
    given: get('/a', "operationId: a, parameters: [{ $ref: '#/components/schemas/P' }]"),
    rest: 'components: { schemas: { P: { name: p, in: query, schema: {} } } }\n',
    warned: 'openapi.yaml:5:43 #/components/schemas/P is listed under schemas; by its shape it is a parameter'
  },
  {
    name: 'a parameter that refers to an extension of another shape',
    given: get('/a', "operationId: a, parameters: [{ $ref: '#/x-parts/P' }]"),
    rest: 'x-parts: { P: { description: a } }\n',
    refused: 'openapi.yaml:5:43 #/x-parts/P leads to another kind of object; a parameter is needed here'
  },
  {
    name: 'a method beside the reference of a path and where it leads',
    given: `  /a: { $ref: '#/components/pathItems/a', get: { operationId: b, responses: ${ok} } }\n`,
    rest: `components: { pathItems: { a: { get: { operationId: a, responses: ${ok} } } } }\n`,
    refused:
      'openapi.yaml:4:43 get stands beside the $ref of a path, and where the $ref leads: keep one of them'
  },
  {
    name: 'parameters beside the reference of a path to another file, and there',
    given: {
      'openapi.yaml': `${head}paths:\n  /a: { $ref: 'a.yaml', parameters: [] }\n  /b: { $ref: 'a.yaml#/x-b', summary: B }\n  /c: { $ref: 'none.yaml', parameters: [] }\n`,
      'a.yaml': `get: { operationId: a, responses: ${ok} }\nparameters: []\nx-b: { get: { operationId: b, responses: ${ok} } }\n`
    },
    refused:
      'openapi.yaml:4:25 parameters stands beside the $ref of a path, and where the $ref leads: keep one of them'
  },
  {
    name: 'a security scheme that no operation requires',
    given: get('/a', 'operationId: a'),
    rest: 'components: { securitySchemes: { key: { type: http, scheme: bearer } } }\n',
    warned: 'openapi.yaml:6:34 security scheme key is required by no operation: it has no handler'
  },
  {
    name: 'a required property that resembles a declared one',
    given: body('{ type: object, required: [nmae], properties: { name: {} } }'),
    warned: "openapi.yaml:6:88 Required property 'nmae' is not defined. Did you mean `name`?"
  },
  {
    name: 'a required property that no declared one resembles',
    given: body('{ type: object, required: [other], properties: { name: {} } }'),
    warned: "openapi.yaml:6:88 Required property 'other' is not defined."
  },
  {
    name: 'an empty enum',
    given: body('{ enum: [] }'),
    warned: 'openapi.yaml:6:63 `enum` is empty: no value fits'
  },
  {
    name: 'a header that the server answers itself',
    given: get(
      '/a',
      'operationId: a, parameters: [{ name: Content-Encoding, in: header, schema: { enum: [gzip] } }]'
    ),
    warned:
      'openapi.yaml:5:43 header Content-Encoding is declared, but a body with a content coding is answered 415'
  },
  {
    name: 'a schema that applies itself to the same value: allOf of itself',
    given: body("{ $ref: '#/components/schemas/A' }"),
    rest: "components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }, { type: object }] } } }\n",
    refused:
      'openapi.yaml:9:31 this schema applies itself to the same value, by allOf: validation would never end'
  },
  {
    name: 'a schema that applies itself to the same value: dependentSchemas that lead to it',
    given: body("{ $ref: '#/components/schemas/A' }"),
    rest: "components: { schemas: { A: { dependentSchemas: { a: { $ref: '#/components/schemas/A' } } } } }\n",
    refused:
      'openapi.yaml:9:31 this schema applies itself to the same value, by dependentSchemas: validation would never end'
  },
  {
    name: 'a schema that applies itself to the same value: not itself',
    given: body("{ $ref: '#/components/schemas/A' }"),
    rest: "components: { schemas: { A: { not: { $ref: '#/components/schemas/A' } } } }\n",
    refused:
      'openapi.yaml:9:31 this schema applies itself to the same value, by not: validation would never end'
  },
  {
    name: 'a schema that applies itself to the same value: a condition on itself',
    given: body("{ $ref: '#/components/schemas/A' }"),
    rest: "components: { schemas: { A: { if: { $ref: '#/components/schemas/A' }, then: { type: object } } } }\n",
    refused:
      'openapi.yaml:9:31 this schema applies itself to the same value, by if: validation would never end'
  },
  {
    name: 'a schema that applies itself to the same value: oneOf itself',
    given: body("{ $ref: '#/components/schemas/A' }"),
    rest: "components: { schemas: { A: { oneOf: [{ $ref: '#/components/schemas/A' }, { type: string }] } } }\n",
    refused:
      'openapi.yaml:9:31 this schema applies itself to the same value, by oneOf: validation would never end'
  },
  {
    name: 'a schema that applies itself to the same value: a consequence by another schema',
    given: body("{ $ref: '#/components/schemas/A' }"),
    rest: "components: { schemas: { A: { if: { required: [a] }, then: { $ref: '#/components/schemas/B' } }, B: { anyOf: [{ $ref: '#/components/schemas/A' }, { type: string }] } } }\n",
    refused:
      'openapi.yaml:9:54 this schema applies itself to the same value, by then and anyOf: validation would never end'
  },
  {
    name: 'a discriminator whose values do not tell the alternatives apart',
    given: body(
      "{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }], discriminator: { propertyName: k } }"
    ),
    rest: "components: { schemas: { K: { type: object, properties: { k: { enum: [a, b] } } }, A: { allOf: [{ $ref: '#/components/schemas/K' }] }, B: { allOf: [{ $ref: '#/components/schemas/K' }] } } }\n",
    warned: 'openapi.yaml:6:144 the property does not tell the alternatives apart: all of them are tried'
  },
  {
    name: 'a defaultMapping that is no alternative',
    given: in32(
      "{ anyOf: [{ $ref: '#/components/schemas/A' }], discriminator: { propertyName: k, defaultMapping: B } }",
      'A: { type: object, required: [k] }, B: {}'
    ),
    warned: 'openapi.yaml:6:142 defaultMapping B is none of the alternatives: all of them are tried'
  },
  {
    name: 'a defaultMapping beside an alternative that has no name',
    given: in32(
      '{ anyOf: [{ type: object, required: [k] }], discriminator: { propertyName: k, defaultMapping: B } }',
      'B: {}'
    ),
    warned: 'openapi.yaml:6:139 defaultMapping B is none of the alternatives: all of them are tried'
  },
  {
    name: 'a number sign in a path',
    given: get('/{x}#b', 'operationId: a, parameters: [{ name: x, in: path, required: true, schema: {} }]'),
    warned:
      'openapi.yaml:4:3 path /{x}#b has a #, with which the path of a URL ends: requests reach it by %23'
  },
  {
    name: 'a question mark in a path',
    given: get('/a?b', 'operationId: a'),
    warned: 'openapi.yaml:4:3 path /a?b has a ?, with which the path of a URL ends: requests reach it by %3F'
  },
  {
    name: 'a path that is equal to another when both are encoded',
    given: `${get('/a#b', 'operationId: a')}${get('/a%23b', 'operationId: b')}`,
    refused:
      'openapi.yaml:6:3 path /a%23b differs from /a#b only by parameter names or percent-encoding, and both have GET'
  },
  {
    name: 'a path that differs from another by the case of its percent-encoding',
    given: `${get('/a%2fb', 'operationId: a')}${get('/a%2Fb', 'operationId: b')}`,
    refused:
      'openapi.yaml:6:3 path /a%2Fb differs from /a%2fb only by parameter names or percent-encoding, and both have GET'
  }
]

for (const given of cases) t.test(given.name, (t) => check(t, given))

async function check(t: Test, { given, rest = '', refused, warned, unwarned }: Case): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'refusal-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const files = typeof given === 'string' ? { 'openapi.yaml': `${head}paths:\n${given}${rest}` } : given
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  const root = Object.keys(files)[0] ?? 'openapi.yaml'
  const { error, problems } = await outcome(join(folder, root), folder)
  const linesOf = (severity: string) =>
    problems
      .filter((problem) => problem.severity === severity)
      .map((problem) => formatProblem(problem, folder))
  if (refused === undefined) t.equal(error, undefined, 'is compiled')
  else
    t.ok(
      linesOf('error').some((line) => line.startsWith(refused)),
      'is refused',
      { refused, found: linesOf('error') }
    )
  if (warned !== undefined)
    t.ok(
      linesOf('warning').some((line) => line.startsWith(warned)),
      'is warned of',
      { warned, found: linesOf('warning') }
    )
  if (unwarned !== undefined) t.notMatch(linesOf('warning').join('\n'), unwarned)
}

const to = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`

t.test('a defaultMapping that is an alternative is not warned of, by name nor by reference', async (t) => {
  for (const [name, warnings] of [
    ['A', []],
    ["'#/components/schemas/A'", []],
    ['C', ['defaultMapping C is none of the alternatives: all of them are tried']],
    ['None', ['defaultMapping None is none of the alternatives: all of them are tried']]
  ] as const) {
    const union = `{ anyOf: [${to('A')}, ${to('B')}], discriminator: { propertyName: k, defaultMapping: ${name} } }`
    const tagged = '{ type: object, required: [k], properties: { k: {} } }'
    const folder = t.testdir(in32(union, `A: ${tagged}, B: ${tagged}, C: {}`))
    const { problems } = await outcome(join(folder, 'openapi.yaml'), folder)
    const messages = problems.map(({ message }) => message)
    t.strictSame(
      messages.filter((message) => message.startsWith('defaultMapping')),
      warnings
    )
  }
})

t.test('a property that may be absent needs a defaultMapping, which may be on a parent', async (t) => {
  const tagged = '{ type: object, properties: { k: {} } }'
  const parent = (mapping: string) =>
    `A: { type: object, discriminator: { propertyName: k, defaultMapping: ${mapping} } }, B: { allOf: [${to('A')}] }`
  const absent = 'k may be absent: write a defaultMapping; without it the union judges'
  for (const [files, message] of [
    [in32(`{ oneOf: [${to('A')}], discriminator: { propertyName: k } }`, `A: ${tagged}`), absent],
    [
      in32(`{ oneOf: [${to('A')}], required: [k], discriminator: { propertyName: k } }`, `A: ${tagged}`),
      undefined
    ],
    [in32(to('A'), parent('B')), undefined],
    [in32(to('A'), parent('C')), 'defaultMapping C is none of the alternatives: all of them are tried']
  ] as const) {
    const folder = t.testdir(files)
    const { problems } = await outcome(join(folder, 'openapi.yaml'), folder)
    const found = problems.filter(({ rule }) => rule !== 'example').map((problem) => problem.message)
    t.strictSame(found, message === undefined ? [] : [message])
  }
})

async function outcome(
  path: string,
  folder: string
): Promise<{ error?: unknown; problems: readonly ContractProblem[] }> {
  try {
    return { problems: (await compileContract(path, join(folder, 'out'))).problems }
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return { error, problems: error.problems }
  }
}

t.test('a contract with every valid part of OpenAPI 3.2 has no problem', async (t) => {
  const text = await readFile(resolve(import.meta.dirname, 'openapi-3.2.yaml'))
  const folder = t.testdir({ 'openapi.yaml': text })
  t.strictSame(await outcome(join(folder, 'openapi.yaml'), folder), { problems: [] })
})
