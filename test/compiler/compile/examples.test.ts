/** Examples that are not valid, or have members that their schemas do not declare, with their places. */
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { formatProblem } from '../../../src/contract/diagnostics/problem.ts'

t.setTimeout(900_000)

interface Row {
  readonly what: string
  /** Media type in line 4, of a request by default. */
  readonly media: string
  readonly isAnswer?: boolean
  readonly version?: string
  readonly schemas?: string
  readonly problems?: readonly string[]
}

const object = "{ type: object, properties: { a: { type: string }, b: { $ref: '#/components/schemas/B' } } }"
const inB = '{ B: { properties: { c: { enum: [1, 2] } } } }'

const rows: readonly Row[] = [
  { what: 'a valid example', media: `{ schema: ${object}, example: { a: x, b: { c: 1 } } }`, schemas: inB },
  {
    what: 'values of a wrong type, and others than those listed',
    media: '{ schema: { properties: { a: { type: string }, b: { const: 1 } } },\n example: { a: 1, b: 2 } }',
    problems: ['5:16 the example must be of type string at `a`; it must be 1 at `b`']
  },
  {
    what: 'a wrong value behind a reference',
    media: `{ schema: ${object}, example: {\n b: { c: 3 } } }`,
    schemas: inB,
    problems: ['5:10 the example must be one of 1, 2 at `b.c`']
  },
  {
    what: 'a required member that is missing',
    media: '{ schema: { required: [a], properties: { a: {}, b: {} } },\n example: { b: 1 } }',
    problems: ['5:11 the example must have `a`']
  },
  {
    what: 'members that are not declared, and not allowed',
    media:
      '{ schema: { properties: { a: { additionalProperties: false } } },\n example: { a: { b: 1 }, c: 1 } }',
    problems: [
      '5:18 the example has `b` in `a`, which its schema does not allow',
      '5:26 the example has `c`, which its schema does not declare'
    ]
  },
  {
    what: 'members that parts of a schema declare',
    media:
      '{ schema: { allOf: [{ properties: { a: {} } }, { patternProperties: { ^b: {} } }], if: { required: [a] }, then: { properties: { c: {} } }, dependentSchemas: { a: { properties: { d: {} } } }, oneOf: [{ properties: { e: { const: 1 } } }] }, example: { a: 1, b: 1, c: 1, d: 1, e: 1 } }'
  },
  {
    what: 'members beside additionalProperties',
    media: '{ schema: { properties: { a: {} }, additionalProperties: true }, example: { b: 1 } }'
  },
  {
    what: 'an item of a list',
    media: '{ schema: { items: { minLength: 2 } }, example: [ab,\n a] }',
    problems: ['5:2 the example must fit `minLength: 2` at `1`']
  },
  {
    what: 'a value that no alternative accepts',
    media: '{ schema: { oneOf: [{ type: string }, { type: boolean }] },\n example: 1 }',
    problems: ['5:11 the example fits none of the schemas']
  },
  {
    what: 'members of an alternative that does not accept the value',
    media:
      '{ schema: { properties: { a: {} }, oneOf: [{ properties: { b: { type: string } } }, { required: [c] }] },\n example: { b: 1 } }',
    problems: ['5:11 the example fits none of the schemas']
  },
  {
    what: 'examples by name, one of them by reference',
    media:
      "{ schema: { type: string }, examples: { a: { value:\n 1 }, b: { value: x }, c: { $ref: '#/components/examples/C' } } }",
    problems: ['5:2 the example must be of type string', '8:27 the example must be of type string']
  },
  {
    what: 'dataValue of OpenAPI 3.2',
    version: '3.2.0',
    media: '{ schema: { type: string }, examples: { a: { dataValue:\n 1 } } }',
    problems: ['5:2 the example must be of type string']
  },
  {
    what: 'a readOnly member of a request',
    media:
      '{ schema: { required: [a], properties: { a: { readOnly: true }, b: {} } },\n example: { a: 1, b: 1 } }',
    problems: ['5:16 the example has `a`, which no request has']
  },
  {
    what: 'a readOnly member of an answer',
    isAnswer: true,
    media: '{ schema: { required: [a], properties: { a: { readOnly: true } } }, example: { a: 1 } }'
  },
  {
    what: 'examples of a schema',
    media: '{ schema: { properties: { a: { type: string, examples: [x,\n 1], example: 2 } } } }',
    problems: ['5:2 the example must be of type string', '5:15 the example must be of type string']
  },
  {
    what: 'examples of a schema that are no list',
    media: '{ schema: { type: string, examples: { a: { value: x } } } }',
    problems: ['4:37 the examples of a schema are a list, and these are an object: they are not read']
  },
  {
    what: 'an integer beyond doubles',
    media: '{ schema: { type: integer, format: int64 }, example: 9223372036854775807 }'
  },
  {
    what: 'null where OpenAPI 3.0 allows it',
    version: '3.0.3',
    media: '{ schema: { type: string, nullable: true }, example: null }'
  },
  { what: 'an example without a schema', media: '{ example: 1 }' }
]

function contractOf({ media, version = '3.1.0', schemas = '{}', isAnswer = false }: Row): string {
  const content = `content: { application/json:\n${media} }`
  const body = isAnswer ? '' : `requestBody: { ${content} }, `
  const response = isAnswer ? `, ${content}` : ''
  return `openapi: ${version}\ninfo: { title: T, version: '1' }\npaths: { /a: { post: { operationId: a, ${body}responses: { '200': { description: d${response} } } } } }\ncomponents:\n  schemas: ${schemas}\n  examples: { C: { value: 1 } }\n`
}

for (const row of rows)
  t.test(row.what, async (t) => {
    const folder = t.testdir({ 'openapi.yaml': contractOf(row) })
    const { problems } = await compileContract(join(folder, 'openapi.yaml'), folder)
    t.strictSame(
      problems.flatMap((problem) =>
        problem.rule === 'example' ? [formatProblem(problem, folder).replace('openapi.yaml:', '')] : []
      ),
      row.problems ?? []
    )
  })

const next = "{ $ref: '#/components/schemas/NEXT' }"
const doubled: Readonly<Record<string, string>> = {
  allOf: `{ allOf: [${next}, ${next}] }`,
  anyOf: `{ anyOf: [${next}, ${next}] }`,
  'oneOf and not': `{ oneOf: [${next}, { not: ${next} }] }`,
  'if, then and else': `{ if: ${next}, then: ${next}, else: ${next} }`,
  items: `{ items: ${next}, contains: ${next} }`,
  dependentSchemas: `{ dependentSchemas: { a: ${next}, b: ${next} } }`
}

for (const [what, schema] of Object.entries(doubled))
  t.test(`28 levels of ${what} are checked`, async (t) => {
    const levels = Array.from({ length: 28 }, (_, index) => index)
    const chain = levels.map((level) => `L${level + 1}: ${schema.replaceAll('NEXT', `L${level}`)}`)
    const schemas = `{ L0: { properties: { a: { type: string } } }, ${chain.join(', ')} }`
    const media = `{ schema: { allOf: [{ $ref: '#/components/schemas/L28' }], required: [zz] }, example: { a: 1 } }`
    const folder = t.testdir({ 'openapi.yaml': contractOf({ what, media, schemas }) })
    const { problems } = await compileContract(join(folder, 'openapi.yaml'), folder)
    t.match(problems.map(({ message }) => message).join('\n'), /the example must have `zz`/)
    t.match(problems.map(({ message }) => message).join('\n'), /Required property 'zz' is not defined/)
  })
