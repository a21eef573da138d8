/** Declarations of an operation without an effect, or with a wrong value: forms, media types, conditions, `x-` members. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../../src/compiler/compiler.ts'
import type { ContractProblem } from '../../../../src/contract/diagnostics/problem.ts'
import type { Json } from '../../../engine/serve.ts'

interface Row {
  readonly method?: string
  readonly content?: Json
  readonly more?: object
  /** Severity and message of each problem; none for a declaration with an effect. */
  readonly says?: readonly string[]
}

const named = /no effect|not enforced|covers no|no body fits|x-body-limit|x-str|not applied/

/** Compiles each operation, which stands in a line of its own, and compares what is said about it. */
async function check(t: Test, rows: readonly Row[], version = '3.1.0'): Promise<void> {
  const lines = rows.map(({ method = 'post', content, more }, index) => {
    const body = content === undefined ? {} : { requestBody: { content } }
    const operation = { operationId: `o${index}`, ...body, responses: { 204: { description: '' } }, ...more }
    return `"/${index}": ${JSON.stringify({ [method]: operation })}`
  })
  const head = `{ "openapi": "${version}", "info": { "title": "T", "version": "1" }, "paths": {`
  const file = join(t.testdir({}), 'openapi.json')
  await writeFile(file, `${head}\n${lines.join(',\n')}\n} }\n`)
  const { problems } = await compileContract(file, t.testdirName).catch(
    (error: { problems: readonly ContractProblem[] }) => error
  )
  for (const [index, { says = [] }] of rows.entries()) {
    const found = problems.filter(({ line, message }) => line === index + 2 && named.test(message))
    t.same(
      found.map(({ severity, message }) => `${severity} ${message}`),
      says,
      String(lines[index])
    )
  }
}

const properties: Json = { a: { type: 'string' }, b: { type: 'object' } }
/** Returns the content of a form with encodings. */
const form = (type: string, encoding: Json): Json => ({
  [type]: { schema: { type: 'object', properties }, encoding }
})

t.test('an encoding without effect is a warning', async (t) => {
  const multipart = 'multipart/form-data'
  const urlencoded = 'application/x-www-form-urlencoded'
  const unknown = (name: string) =>
    `warning the encoding of ${name} has no effect: the schema declares no such field`
  const noForm = 'warning encoding has no effect: only forms have fields'
  await check(t, [
    { content: form(multipart, { a: { contentType: 'text/plain, image/*' } }) },
    { content: form(multipart, { none: {} }), says: [unknown('none')] },
    { content: { [multipart]: { encoding: { a: {} } } }, says: [unknown('a')] },
    {
      content: form(multipart, { a: { contentType: 'png' } }),
      says: ['warning contentType of a is not enforced: png is not a media type']
    },
    {
      content: form(multipart, { a: { headers: { 'X-A': { schema: {} } } } }),
      says: ['warning headers of the part a are not enforced']
    },
    { content: form(urlencoded, { b: { contentType: 'application/json' } }) },
    { content: form(urlencoded, { a: { style: 'form' } }) },
    {
      content: form(urlencoded, { a: { contentType: 'text/plain' } }),
      says: ['warning contentType of a is not enforced: fields of this form have none']
    },
    {
      content: form(urlencoded, { b: { contentType: 'application/json', style: 'deepObject' } }),
      says: ['warning contentType of b has no effect beside style, explode, allowReserved']
    },
    { content: form('application/json', { a: {} }), says: [noForm] },
    { content: { 'image/png': { encoding: { a: {} } } }, says: [noForm] },
    { content: form('*/*', { none: {} }) }
  ])
})

t.test('a media type that no body can have, or no value of its schema, is a warning', async (t) => {
  const covers = (name: string, range: string) =>
    `warning ${name} covers no media type and has no effect: a range is */* or ${range}`
  const fits = (name: string, verb = 'read') => `warning no body fits: ${name} is ${verb} as a string`
  const plain = (schema: Json): Json => ({ 'text/plain': { schema } })
  const answering = (content: Json) => ({ more: { responses: { 200: { description: 'ok', content } } } })
  const rows: readonly Row[] = [
    { content: { 'application/*+json': {} }, says: [covers('application/*+json', 'application/*')] },
    { content: { '*/json': {} }, says: [covers('*/json', 'type/*')] },
    { content: { '*/*': {} } },
    { content: { 'image/*': {} } },
    { content: plain({ type: 'object' }), says: [fits('text/plain')] },
    { content: plain({ allOf: [{ type: 'integer' }] }), says: [fits('text/plain')] },
    { content: { 'text/csv': { schema: { enum: [1, 2] } } }, says: [fits('text/csv')] },
    { content: plain({ type: ['string', 'integer'] }) },
    { content: { 'text/*': { schema: { type: 'object' } } } },
    { content: { 'text/json': { schema: { type: 'object' } } } },
    { content: { 'text/event-stream': { schema: { type: 'integer' } } } },
    { ...answering({ '*/json': {} }), says: [covers('*/json', 'type/*')] },
    { ...answering(plain({ type: 'object' })), says: [fits('text/plain', 'sent')] },
    ...[plain({ allOf: [{ type: 'integer' }] }), { 'text/csv': { schema: { enum: [1, 2] } } }].map(answering)
  ]
  await check(t, rows)
})

t.test('x-body-limit is a number of bytes, x-stream stands beside a body that can be streamed', async (t) => {
  const binary = { type: 'string', format: 'binary' }
  const files = { type: 'object', properties: { file: binary } }
  const streamed = (type: string, media: object = {}): Json => ({ [type]: { 'x-stream': true, ...media } })
  const misplaced = 'warning x-stream has no effect: it belongs beside a media type of a request body'
  const whole = (type: string) => [`warning x-stream has no effect: a body of ${type} is read as a whole`]
  const png: Json = { 'image/png': {} }
  await check(t, [
    ...[0, -1, 1.5, '1MB', null, true].map((limit) => ({
      content: { 'text/plain': {} },
      more: { 'x-body-limit': limit },
      says: ['error x-body-limit must be a number of bytes, at least 1']
    })),
    {
      content: { 'image/png': { 'x-stream': 'yes' } },
      says: ['error x-stream must be true or false']
    },
    { content: streamed('application/octet-stream') },
    { content: streamed('image/*', { schema: binary }) },
    { content: streamed('*/*') },
    { content: streamed('Multipart/Form-Data', { schema: files }) },
    { content: streamed('application/json', { 'x-stream': false }) },
    ...['application/json', 'text/csv', 'multipart/*'].map((type) => ({
      content: streamed(type),
      says: whole(type)
    })),
    {
      content: streamed('application/jsonl', { schema: { type: 'object' } }),
      says: ['warning x-stream has no effect: items are always streamed']
    },
    {
      content: streamed('image/png', { schema: { ...binary, maxLength: 5 } }),
      says: ['warning minLength and maxLength of a streamed body have no effect: x-body-limit bounds it']
    },
    { content: png, more: { 'x-stream': true }, says: [misplaced] },
    {
      content: png,
      more: { responses: { 200: { description: '', content: streamed('image/png') } } },
      says: [misplaced]
    },
    { content: { 'multipart/form-data': { schema: { ...files, 'x-stream': true } } }, says: [misplaced] }
  ])
  await check(t, [{ content: { 'text/plain': { 'x-body-limit': 1 } }, more: { 'x-body-limit': 1 } }])
})

t.test('a default of a required parameter is a warning', async (t) => {
  const parameter = { name: 'q', in: 'query', schema: { type: 'integer', default: 5 } }
  await check(t, [
    {
      more: { parameters: [{ ...parameter, required: true }] },
      says: ['warning parameter q is required, so its default is not applied']
    },
    { more: { parameters: [parameter] } }
  ])
})

t.test('a condition that no response of the operation answers is a warning', async (t) => {
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
  const asking = (method: string, names: readonly string[], statuses: readonly string[], says: string[]) => ({
    method,
    more: {
      parameters: [...names.map(header), { ...header('If-Match'), in: 'query' }],
      responses: Object.fromEntries(['200', ...statuses].map((status) => [status, { description: '' }]))
    },
    says: says.map((text) => {
      const [name, status] = text.split(' ')
      const reason = status === undefined ? 'is neither GET nor HEAD' : `declares no response ${status}`
      return `warning ${name} has no effect: the operation ${reason}`
    })
  })
  const both = ['If-Match', 'if-none-match']
  const dates = ['If-Modified-Since', 'if-unmodified-since']
  await check(t, [
    asking('get', both, [], ['If-Match 412', 'if-none-match 304']),
    asking('head', both, ['default'], ['if-none-match 304']),
    asking('get', both, ['3XX', '4XX'], []),
    asking('get', both, ['304', '412'], []),
    asking('put', both, ['304'], ['If-Match 412', 'if-none-match 412']),
    asking('delete', both, ['default'], []),
    asking('get', ['X-Other', 'constructor'], [], []),
    asking('get', dates, [], ['If-Modified-Since 304', 'if-unmodified-since 412']),
    asking('head', dates, ['3XX', 'default'], []),
    asking('put', dates, [], ['If-Modified-Since', 'if-unmodified-since 412']),
    asking('post', dates, ['304', '4XX'], ['If-Modified-Since'])
  ])
})

t.test('x-deprecation, x-sunset and x-strict-query that have no effect are named', async (t) => {
  const dates = ['soon', 20270131, '2027-02-30', '2027-13-01', '2027-01-31T25:00:00Z', '2027-01-31 12:00']
  const noDate = 'warning x-sunset has no effect: it is no date such as 2027-01-31 or 2027-01-31T12:00:00Z'
  await check(t, [
    ...dates.map((date) => ({ more: { deprecated: true, 'x-sunset': date }, says: [noDate] })),
    {
      more: { 'x-deprecation': '2027-01-31' },
      says: ['warning x-deprecation has no effect: the operation is not `deprecated: true`']
    },
    { more: { 'x-strict-query': 1 }, says: ['error x-strict-query must be true or false'] }
  ])
  const whole = { name: 'q', in: 'querystring', content: { 'application/json': {} } }
  const says = [
    'warning x-strict-query has no effect: the schema of the whole query decides which names it has'
  ]
  await check(t, [{ more: { 'x-strict-query': true, parameters: [whole] }, says }], '3.2.0')
})
