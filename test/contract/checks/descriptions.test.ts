/** Objects that describe, and what has no effect in them: one contract with every flaw, and its warnings. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ContractError, compileContract } from '../../../src/compiler/compiler.ts'

const contract = `openapi: 3.2.0
$self: http://[
jsonSchemaDialect: http://json-schema.org/draft-07/schema#
info: { title: T, version: '1' }
servers: [{ url: '/{a}/{a}?b', name: one, variables: { a: { default: x } } }, { url: /two, name: one }]
security: []
paths:
  /a:
    servers: [{ url: '/a#b' }, { url: /b }]
    put:
      operationId: a
      parameters: [{ name: X-A, in: header, allowEmptyValue: true, schema: { $ref: '#/components/schemas/A' } }]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                a: { $schema: 'https://json-schema.org/draft/2020-12/schema', xml: { nodeType: attribute, attribute: true, namespace: a/b } }
                b: { xml: { nodeType: wrong, wrapped: true } }
                c: { xml: { nodeType: text, name: c, namespace: 'urn:c' } }
                links: { type: string }
            examples:
              one: { value: 1, dataValue: 1 }
              two: { value: 1, serializedValue: '1' }
              three: { value: 1, externalValue: three.json }
              four: { serializedValue: '1', externalValue: four.json }
              five: { dataValue: {}, serializedValue: '{}' }
            example: {}
          multipart/form-data: { schema: { type: array } }
      responses:
        '200':
          description: done
          headers:
            X-B: { schema: { type: string }, style: form, allowReserved: true }
            Link: { content: { application/linkset: { schema: { type: object } } } }
            X-C: { content: { text/plain: { schema: { type: string } } }, style: simple }
          content: { multipart/form-data: { encoding: { a: { contentType: text/plain } } } }
          links:
            one: { operationId: a }
            two: { operationId: hooked }
            three: { operationRef: '#/paths/~1a/put' }
            four: { operationRef: 'https://b.example/openapi.yaml#/paths/~1b/get' }
            five: { operationId: none }
            six: { operationRef: '#/paths/~1none/get' }
            seven: { operationId: a, operationRef: '#/paths/~1a/put' }
            eight: { description: nowhere }
    get:
      operationId: b
      requestBody: { content: {} }
      responses: { '204': { description: done } }
webhooks: { hook: { post: { operationId: hooked, responses: { '204': { description: done } } } } }
components:
  schemas: { A: { type: string } }
  examples: { six: { value: 1, dataValue: 1 } }
  mediaTypes: { a b: { schema: {} } }
  pathItems: { a.b-c_d: {} }
`

const want = [
  '2 $self http://[ is not a URI, and has no effect',
  '3 the dialect http://json-schema.org/draft-07/schema# is not known: schemas are read by JSON Schema 2020-12',
  '5 the URL of a server has no query and no fragment: /{a}/{a}?b',
  '5 the variable {a} stands twice in the URL of a server',
  '5 two servers have the name one',
  '9 the URL of a server has no query and no fragment: /a#b',
  '12 allowEmptyValue of X-A has no effect: it is not in the query',
  '19 attribute has no effect beside nodeType',
  '19 the XML namespace a/b is not a URI with a scheme',
  '20 nodeType wrong has no effect: it is one of element, attribute, text, cdata, none',
  '20 wrapped has no effect beside nodeType',
  '21 name has no effect: a node of type text has no name',
  '24 value and dataValue of the example one exclude each other',
  '25 value and serializedValue of the example two exclude each other',
  '26 value and externalValue of the example three exclude each other',
  '27 serializedValue and externalValue of the example four exclude each other',
  '29 example and examples exclude each other: example comes first',
  '30 no body fits: multipart/form-data is read as an object of its fields',
  '35 allowReserved of X-B has no effect: it is a header',
  '35 style form is not for headers: X-B has style simple',
  '36 Link is not written as application/linkset, but in style simple',
  '38 encoding of a response has no effect: its handler writes the body',
  '44 a link leads to no operation: none',
  '45 a link leads to no operation: #/paths/~1none/get',
  '46 a link has either an operationId or an operationRef',
  '47 a link has either an operationId or an operationRef',
  '50 this request body declares no media type: every body is answered 415',
  '55 value and dataValue of the example six exclude each other',
  '56 the name a b in mediaTypes has characters other than A-Z a-z 0-9 . - _'
]

const warnings = async (t: Test, files: Parameters<Test['testdir']>[0]): Promise<string[]> => {
  const folder = t.testdir(files)
  const problems = await compileContract(join(folder, 'openapi.yaml'), join(folder, 'out')).then(
    (compiled) => compiled.problems,
    (error: unknown) => (error instanceof ContractError ? error.problems : [])
  )
  return problems
    .filter(({ rule }) => rule !== 'example')
    .map(({ severity, line, message }) => `${severity} ${line} ${message}`)
}

t.test('each flaw is named, at its line', async (t) => {
  t.strictSame(
    (await warnings(t, { 'openapi.yaml': contract })).sort(),
    want.map((line) => `warning ${line}`).sort()
  )
})

const rootOf = (self: string) =>
  `openapi: 3.2.0\n${self}info: { title: T, version: '1' }\npaths: { /a: { get: { operationId: a, responses: { '200': { $ref: 'parts/b.yaml#/components/responses/R' } } } } }\n`
const partOf = (self: string) =>
  `openapi: 3.2.0\n${self}info: { title: P, version: '1' }\ncomponents: { responses: { R: { description: done } } }\n`

t.test('$self of another file is named unless it is where references find the file', async (t) => {
  const root = '$self: https://a.example/v1/openapi.yaml\n'
  const message = '$self has no effect: references lead to this file by its place beside the contract'
  const rows: [root: string, part: string, isNamed: boolean][] = [
    [root, '$self: https://a.example/v1/parts/b.yaml\n', false],
    [root, '$self: https://a.example/other.yaml\n', true],
    [root, '$self: https://a.example/v1/openapi.yaml\n', true],
    ['', '$self: b.yaml\n', false],
    ['', '$self: ../c.yaml\n', true],
    ['', '', false]
  ]
  for (const [self, own, isNamed] of rows) {
    const found = await warnings(t, { 'openapi.yaml': rootOf(self), parts: { 'b.yaml': partOf(own) } })
    t.strictSame(
      found.filter((each) => each.includes('$self')),
      isNamed ? [`warning 2 ${message}`] : [],
      self + own
    )
  }
})
