/**
 * The parts of a project that a contract decides: bodies of errors, requests and answers, for many kinds of schemas.
 */
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../src/compiler/compiler.ts'
import { bodyOf, expressionsIn } from '../../src/compiler/scaffold/error-template.ts'
import { exampleResponses } from '../../src/compiler/scaffold/example-responses.ts'
import { type ErrorShape, scaffoldOf } from '../../src/compiler/scaffold.ts'
import { FailureError } from '../../src/engine/errors.ts'

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false
})
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more })

interface Row {
  readonly name: string
  readonly schema: object
  /** Expected body of 404 `no such path`. */
  readonly want: unknown
}

const message = 'no such path'

const rows: readonly Row[] = [
  {
    name: 'a problem of RFC 9457',
    schema: object({ type: text, title: text, status: number, detail: text, instance: text }, []),
    want: { type: 'about:blank', title: 'Not Found', status: 404, detail: message }
  },
  {
    name: 'a problem without a detail',
    schema: object({ type: { ...text, format: 'uri-reference' }, title: text }, []),
    want: { type: 'about:blank', title: message }
  },
  {
    name: 'a code and a message',
    schema: object({ code: text, message: text }),
    want: { code: 'not-found', message }
  },
  {
    name: 'a code in capitals, an id and a time',
    schema: object({
      code: { ...text, pattern: '^[A-Z_]+$' },
      msg: text,
      success: { type: 'boolean' },
      trace: { ...text, const: 'none' }
    }),
    want: { code: 'NOT_FOUND', msg: message, success: false, trace: 'none' }
  },
  {
    name: 'a number for a code',
    schema: object({ error: { ...number, format: 'int32' }, message: text }),
    want: { error: 404, message }
  },
  {
    name: 'an int64 for a code',
    schema: object({ code: { ...number, format: 'int64' }, message: text }),
    want: { code: 404, message }
  },
  {
    name: 'an enumeration of codes',
    schema: object({
      code: { ...text, enum: ['INTERNAL', 'PLANT_NOT_FOUND', 'NOT_FOUND', 'BAD'] },
      message: text
    }),
    want: { code: 'NOT_FOUND', message }
  },
  {
    name: 'numbers that begin with the status',
    schema: object({ code: { ...number, enum: [40000, 40100, 40400, 50000] }, reason: text }),
    want: { code: 40400, reason: message }
  },
  {
    name: 'a status among numbers that begin with it',
    schema: object({ code: { ...number, enum: [4041, 404, 400, 500] }, reason: text }),
    want: { code: 404, reason: message }
  },
  {
    name: 'an object inside',
    schema: object({
      error: object({ code: number, message: text, status: { ...text, enum: ['NOT_FOUND', 'OTHER'] } })
    }),
    want: { error: { code: 404, message, status: 'NOT_FOUND' } }
  },
  {
    name: 'the status as a text, and the name of the status',
    schema: object({ statusCode: number, error: text, message: text, status: text }),
    want: { statusCode: 404, error: 'Not Found', message, status: '404' }
  },
  {
    name: 'a list of errors that is the message',
    schema: object({
      errors: list(object({ status: text, title: text, detail: text, source: text }, ['detail']), {
        minItems: 1
      })
    }),
    want: { errors: [{ status: '404', title: 'Not Found', detail: message, source: '' }] }
  },
  {
    name: 'a list of problems beside the message',
    schema: object({ message: text, errors: list(object({ field: text, reason: text })) }),
    want: { message, errors: [] }
  },
  {
    name: 'a list of texts beside the message',
    schema: object({ title: text, detail: text, errors: list(text) }),
    want: { title: 'Not Found', detail: message, errors: [] }
  },
  {
    name: 'a list that is not to be shortened',
    schema: object({ message: text, errors: list({ ...text, const: 'see above' }, { minItems: 2 }) }),
    want: { message, errors: ['see above', 'see above'] }
  },
  { name: 'an error that is the message', schema: object({ error: text }), want: { error: message } },
  { name: 'a list of texts alone', schema: object({ errors: list(text) }), want: { errors: [message] } },
  {
    name: 'a short message',
    schema: object({ message: { ...text, maxLength: 12 } }),
    want: { message: 'no such pa' }
  },
  {
    name: 'a message that no failure fits',
    schema: object({ message: { ...text, pattern: '^x{3}$' }, help: { ...text, examples: ['see /help'] } }, [
      'message'
    ]),
    want: { message: 'xxx' }
  },
  {
    name: 'a code, a name for it and a list of places that are no names of JavaScript',
    schema: object({
      error: text,
      message: text,
      errors: list(
        object({
          'error-message': text,
          field: text,
          error: text,
          pointer: { ...text, format: 'json-pointer' }
        })
      ),
      details: list(object({ unknown: text })),
      timestamp: { ...text, format: 'date-time' },
      time: { type: 'number' }
    }),
    want: undefined
  },
  { name: 'a text', schema: text, want: message },
  {
    name: 'one of a list',
    schema: { oneOf: [object({ message: text }), object({ failure: text })] },
    want: undefined
  }
]

const response = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } })

async function scaffold(t: Test, paths: object, components: object = {}) {
  const folder = t.testdir({})
  const info = { title: 'Rows', version: '1' }
  await writeFile(join(folder, 'openapi.json'), JSON.stringify({ openapi: '3.1.0', info, paths, components }))
  const compiled = await compileInMemory(join(folder, 'openapi.json'))
  return { ...(await scaffoldOf(compiled)), ...compiled }
}

t.test('error bodies describe the failure in the shape of the schema', async (t) => {
  const paths = rows.map(({ schema }, index) => [
    `/row${index}`,
    {
      get: { operationId: `row${index}`, responses: { 204: { description: 'x' }, default: response(schema) } }
    }
  ])
  const { errors, unfit } = await scaffold(t, Object.fromEntries(paths))
  const { failure } = new FailureError('not-found')
  const made = new Map(
    errors.flatMap(({ template, uses }) =>
      (uses.get(404) ?? []).map(
        (operationId) => [operationId, template && bodyOf(template, failure)] as const
      )
    )
  )
  const sources = errors
    .flatMap(({ template }) => (template ? expressionsIn(template) : []))
    .map(({ source }) => source)
  const fields =
    "'error-message': each.message, field: each.place, error: each.message, pointer: each.pointer"
  t.ok(sources.includes(`problems.map((each) => ({ ${fields} }))`))
  for (const [index, { name, want }] of rows.entries())
    if (want !== undefined) t.strictSame(made.get(`row${index}`), want, name)
  t.strictSame(
    unfit(({ operationId, ...failure }) => {
      const shape = errors.find(({ uses }) => uses.get(failure.status)?.includes(String(operationId)))
      return shape?.template === undefined ? {} : bodyOf(shape.template, failure)
    }),
    [],
    'every failure of every operation fits'
  )
})

t.test('a schema without a value has no body, and its failures are reported', async (t) => {
  const responses = {
    204: { description: 'x' },
    400: response({ allOf: [{ type: 'string' }, { type: 'number' }] })
  }
  const { errors, unfit } = await scaffold(t, { '/x': { get: { operationId: 'x', responses } } })
  t.equal(errors[0]?.template, undefined)
  t.match(
    unfit(() => ({})),
    [/^x 400: body/]
  )
})

t.test('an error that declares a media type without a schema has an empty object', async (t) => {
  const responses = {
    204: { description: 'x' },
    400: { description: 'x', content: { 'application/json': {} } }
  }
  const { errors, unfit } = await scaffold(t, { '/x': { get: { operationId: 'x', responses } } })
  const [{ name, template }] = errors as [ErrorShape]
  t.equal(name, 'x 400')
  t.strictSame(template && bodyOf(template, new FailureError('mismatch').failure), {})
  t.strictSame(
    unfit(() => ({})),
    []
  )
})

t.test('shapes have the name of their schema, then of their response, then of their operation', async (t) => {
  const schemas = { Problem: object({ detail: text }) }
  const responses = { Missing: response(object({ missing: text })) }
  const { errors } = await scaffold(
    t,
    {
      '/x': {
        get: {
          operationId: 'getX',
          responses: {
            200: { description: 'x' },
            400: response({ $ref: '#/components/schemas/Problem' }),
            404: { $ref: '#/components/responses/Missing' },
            '5xx': response(object({ own: text }))
          }
        }
      }
    },
    { schemas, responses }
  )
  t.strictSame(errors.map(({ name }) => name).sort(), ['Missing', 'Problem', 'getX 5XX'])
})

t.test('each operation has a valid request, and an answer in the types of its handler', async (t) => {
  const contract = resolve(import.meta.dirname, '../projects/contracts/photos.json')
  const { withoutRequest, answers } = await scaffoldOf(await compileInMemory(contract))
  t.strictSame(withoutRequest, [])
  const photo = answers().get('uploadPhoto')
  t.equal(typeof Reflect.get(Object(photo?.body), 'bytes'), 'bigint', 'an int64 is a bigint')
  t.strictSame(Object.keys(photo?.headers ?? {}), ['Location'], 'headers are spelled as in the contract')
  t.ok(answers().get('getPhoto')?.body instanceof Uint8Array)
})

t.test('no request or answer is made if none is valid', async (t) => {
  const impossible = { allOf: [{ type: 'string' }, { type: 'number' }] }
  const operation = {
    operationId: 'x',
    requestBody: { required: true, content: { 'application/json': { schema: impossible } } },
    responses: { 200: response(impossible) }
  }
  const { withoutRequest, answers } = await scaffold(t, { '/x': { post: operation } })
  t.strictSame(withoutRequest, ['x'])
  t.equal(answers().size, 0)
})

t.test('int64 in examples are bigints, also in a branch of a union', async (t) => {
  const int64 = { type: 'integer', format: 'int64' }
  const schema = {
    oneOf: [object({ id: int64, count: number }), object({ name: text })],
    examples: [{ id: 5, count: 2 }]
  }
  const { answers } = await scaffold(t, {
    '/x': { get: { operationId: 'x', responses: { 200: response(schema) } } }
  })
  t.strictSame(answers().get('x')?.body, { id: 5n, count: 2 })
})

t.test('an answer has no writeOnly property: the types of handlers refuse it', async (t) => {
  const schema = object({ name: text, password: { ...text, writeOnly: true } })
  const example = { name: 'fern', password: 'secret' }
  const content = { 'application/json': { schema, example } }
  const lines = { 'application/jsonl': { schema, example: [example] } }
  const { answers } = await scaffold(t, {
    '/x': { get: { operationId: 'x', responses: { 200: { description: 'x', content } } } },
    '/lines': { get: { operationId: 'lines', responses: { 200: { description: 'x', content: lines } } } }
  })
  t.strictSame(answers().get('x')?.body, { name: 'fern' })
  t.strictSame(answers().get('lines')?.body, [{ name: 'fern' }])
})

t.test('an example that is not valid is passed over, and a defect is not', async (t) => {
  const json = { schema: { ...text, const: 'good' }, example: 'bad' }
  const responses = { 200: { description: 'x', content: { 'application/json': json } } }
  const { answers, contract, document } = await scaffold(t, {
    '/x': { get: { operationId: 'x', responses } }
  })
  t.equal(answers().get('x')?.body, 'good')
  const code = await contract.load()
  const validators = Object.fromEntries(
    Object.keys(code.validators).map((name) => [
      name,
      () => {
        throw new TypeError('a defect')
      }
    ])
  )
  t.throws(() => exampleResponses({ contract, document, code: { ...code, validators } }), {
    message: 'a defect'
  })
})
