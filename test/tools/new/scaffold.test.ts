/**
 * The parts of a project that a contract decides: bodies of errors, requests and answers, for many kinds of schemas.
 */
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { FailureError } from '../../../src/engine/errors.ts'
import { bodyOf, type ErrorSample, scaffoldOf } from '../../../src/tools/new/scaffold.ts'
import { read } from '../../contracts/exchanges.ts'

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false
})
interface Row {
  readonly name: string
  readonly schema: object
  readonly mediaType?: string
  readonly want: unknown
}

const rows = read(`${import.meta.dirname}/errors.yaml`) as readonly Row[]

const response = (schema: object, mediaType = 'application/json') => ({
  description: 'x',
  content: { [mediaType]: { schema } }
})

async function scaffold(t: Test, paths: object, components: object = {}) {
  const folder = t.testdir({})
  const info = { title: 'Rows', version: '1' }
  await writeFile(join(folder, 'openapi.json'), JSON.stringify({ openapi: '3.1.0', info, paths, components }))
  const compiled = await compileInMemory(join(folder, 'openapi.json'))
  return { ...(await scaffoldOf(compiled)), ...compiled }
}

/** Returns the body with a mark in place of the message and of each undecided part. */
function marked(body: unknown, undecided: readonly string[], way = ''): unknown {
  if (undecided.includes(way)) return 'SAMPLE'
  if (body === 'no such path') return 'MESSAGE'
  if (typeof body !== 'object' || body === null) return body
  const at = (name: string, part: unknown) => marked(part, undecided, way === '' ? name : `${way}/${name}`)
  if (Array.isArray(body)) return body.map((item, index) => at(String(index), item))
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, at(name, part)]))
}

t.test('the message stands where the contract leaves one place for it, samples elsewhere', async (t) => {
  const paths = rows.map(({ schema, mediaType }, index) => {
    const responses = { 204: { description: 'x' }, default: response(schema, mediaType) }
    return [`/row${index}`, { get: { operationId: `row${index}`, responses } }]
  })
  const { errors, unfit } = await scaffold(t, Object.fromEntries(paths))
  const { failure } = new FailureError('not-found')
  const of = (id: string, status: number) =>
    errors.find(({ uses }) => uses.some((use) => use.operationId === id && use.status === status))
  for (const [index, { name, want }] of rows.entries()) {
    const { body, undecided = [] } = of(`row${index}`, 404) ?? {}
    t.strictSame(marked(bodyOf(body, failure), undecided), want, name)
  }
  const long = new FailureError('not-found', { message: 'x'.repeat(3000) }).failure
  const short = rows.findIndex(({ schema }) => JSON.stringify(schema).includes('"maxLength":25'))
  t.strictSame(
    bodyOf(of(`row${short}`, 404)?.body, long),
    { message: 'x'.repeat(20) },
    'a long message is cut'
  )
  const bodies = ({ operationId, ...made }: typeof failure & { readonly operationId: string | undefined }) =>
    bodyOf(of(String(operationId), made.status)?.body, made)
  t.strictSame(
    unfit(bodies).filter((line) => !line.startsWith('no operation')),
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
  t.equal(errors[0]?.body, undefined)
  t.match(
    unfit(() => ({})),
    [/^x 400: body/]
  )
})

t.test('an error that declares a media type without a schema has the status and the message', async (t) => {
  const responses = {
    204: { description: 'x' },
    400: { description: 'x', content: { 'application/json': {} } }
  }
  const { errors, unfit } = await scaffold(t, { '/x': { get: { operationId: 'x', responses } } })
  const [{ name, body }] = errors as [ErrorSample]
  t.equal(name, 'x 400')
  const { failure } = new FailureError('mismatch')
  t.strictSame(bodyOf(body, failure), { status: 400, message: failure.message })
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
  const contract = resolve(import.meta.dirname, '../../projects/contracts/photos.json')
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
  const { answers, contract, ...compiled } = await scaffold(t, {
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
  const load = { value: async () => ({ ...code, validators }) }
  const failing = await scaffoldOf({ ...compiled, contract: Object.create(contract, { load }) })
  t.throws(() => failing.answers(), { message: 'a defect' })
})
