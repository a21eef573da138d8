/** Encodings of forms and `x-body-limit` without an effect, or with wrong values. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { ContractError, type ContractProblem } from '../../../../src/contract/diagnostics/problem.ts'
import type { Json } from '../../../engine/serve.ts'

const properties: Json = { a: { type: 'string' }, b: { type: 'object' } }
const form = (encoding: Json, schema: Json = { type: 'object', properties }): Json => ({ schema, encoding })

async function problemsOf(t: Test, content: Json, more: object = {}): Promise<readonly ContractProblem[]> {
  const folder = t.testdir({})
  const operation = {
    operationId: 'add',
    requestBody: { content },
    responses: { 204: { description: '' } },
    ...more
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { '/a': { post: operation } }
  }
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  try {
    return (await compileContract(file, folder)).problems
  } catch (error) {
    if (error instanceof ContractError) return error.problems
    throw error
  }
}

t.test('an encoding without effect is a warning', async (t) => {
  const multipart = 'multipart/form-data'
  const urlencoded = 'application/x-www-form-urlencoded'
  const rows: [mediaType: string, media: Json, message: string | undefined][] = [
    [multipart, form({ a: { contentType: 'text/plain, image/*' } }), undefined],
    [multipart, form({ none: {} }), 'the encoding of none has no effect: the schema declares no such field'],
    [
      multipart,
      { encoding: { a: {} } },
      'the encoding of a has no effect: the schema declares no such field'
    ],
    [
      multipart,
      form({ a: { contentType: 'png' } }),
      'contentType of a is not enforced: png is not a media type'
    ],
    [
      multipart,
      form({ a: { headers: { 'X-A': { schema: {} } } } }),
      'headers of the part a are not enforced'
    ],
    [urlencoded, form({ b: { contentType: 'application/json' } }), undefined],
    [urlencoded, form({ a: { style: 'form' } }), undefined],
    [
      urlencoded,
      form({ a: { contentType: 'text/plain' } }),
      'contentType of a is not enforced: fields of this form have none'
    ],
    [
      urlencoded,
      form({ b: { contentType: 'application/json', style: 'deepObject' } }),
      'contentType of b has no effect beside style, explode, allowReserved'
    ],
    ['application/json', form({ a: {} }), 'encoding has no effect: only forms have fields'],
    ['image/png', { encoding: { a: {} } }, 'encoding has no effect: only forms have fields'],
    ['*/*', form({ none: {} }), undefined]
  ]
  for (const [mediaType, media, message] of rows) {
    const found = (await problemsOf(t, { [mediaType]: media })).filter(({ message }) =>
      /no effect|not enforced/.test(message)
    )
    const label = `${mediaType}: ${JSON.stringify(media)}`
    t.same(
      found.map((problem) => [problem.severity, problem.message]),
      message === undefined ? [] : [['warning', message]],
      label
    )
  }
})

t.test('a media type that no body can have, or no value of its schema, is a warning', async (t) => {
  const covers = (name: string, range: string) =>
    `${name} covers no media type and has no effect: a range is */* or ${range}`
  const [read, sent] = [
    'no body fits: text/plain is read as a string',
    'no body fits: text/plain is sent as a string'
  ]
  const rows: [content: Json, message: string | undefined, answer?: string][] = [
    [{ 'application/*+json': {} }, covers('application/*+json', 'application/*')],
    [{ '*/json': {} }, covers('*/json', 'type/*')],
    [{ '*/*': {} }, undefined],
    [{ 'image/*': {} }, undefined],
    [{ 'text/plain': { schema: { type: 'object' } } }, read, sent],
    [{ 'text/plain': { schema: { allOf: [{ type: 'integer' }] } } }, read],
    [{ 'text/csv': { schema: { enum: [1, 2] } } }, 'no body fits: text/csv is read as a string'],
    [{ 'text/plain': { schema: { type: ['string', 'integer'] } } }, undefined],
    [{ 'text/*': { schema: { type: 'object' } } }, undefined],
    [{ 'text/json': { schema: { type: 'object' } } }, undefined],
    [{ 'text/event-stream': { schema: { type: 'integer' } } }, undefined]
  ]
  for (const [content, message, answer = message?.startsWith('no body') ? undefined : message] of rows) {
    const name = JSON.stringify(content)
    const named = (found: readonly ContractProblem[]) =>
      found.map((problem) => problem.message).filter((text) => /covers no|no body fits/.test(text))
    t.strictSame(
      named(await problemsOf(t, content)),
      [message].flatMap((each) => each ?? []),
      name
    )
    const responses = { 200: { description: 'ok', content } }
    const found = await problemsOf(t, { 'text/plain': {} }, { responses })
    t.strictSame(
      named(found),
      [answer].flatMap((each) => each ?? []),
      `${name} of an answer`
    )
  }
})

t.test('x-body-limit is a number of bytes', async (t) => {
  const message = 'x-body-limit must be a number of bytes, at least 1'
  for (const limit of [0, -1, 1.5, '1MB', null, true]) {
    const found = await problemsOf(t, { 'text/plain': {} }, { 'x-body-limit': limit })
    t.same(
      found.filter(({ severity }) => severity === 'error').map((problem) => problem.message),
      [message],
      String(limit)
    )
  }
  const good = await problemsOf(t, { 'text/plain': { 'x-body-limit': 1 } }, { 'x-body-limit': 'unused' })
  t.same(
    good.filter(({ severity }) => severity === 'error'),
    []
  )
})

t.test('x-stream stands beside a body that can be streamed', async (t) => {
  const binary = { type: 'string', format: 'binary' }
  const files = { type: 'object', properties: { file: binary } }
  const jsonLines = { 'x-stream': true, schema: { type: 'object' } }
  const misplaced = 'x-stream has no effect: it belongs beside a media type of a request body'
  const whole = (mediaType: string) => `x-stream has no effect: a body of ${mediaType} is read as a whole`
  const rows: [content: Json, severity: string, message: string | undefined, more?: object][] = [
    [{ 'application/octet-stream': { 'x-stream': true } }, '', undefined],
    [{ 'image/*': { 'x-stream': true, schema: binary } }, '', undefined],
    [{ '*/*': { 'x-stream': true } }, '', undefined],
    [{ 'Multipart/Form-Data': { 'x-stream': true, schema: files } }, '', undefined],
    [{ 'application/json': { 'x-stream': false } }, '', undefined],
    [{ 'application/json': { 'x-stream': true } }, 'warning', whole('application/json')],
    [{ 'text/csv': { 'x-stream': true } }, 'warning', whole('text/csv')],
    [{ 'multipart/*': { 'x-stream': true } }, 'warning', whole('multipart/*')],
    [{ 'application/jsonl': jsonLines }, 'warning', 'x-stream has no effect: items are always streamed'],
    [{ 'image/png': { 'x-stream': 'yes' } }, 'error', 'x-stream must be true or false'],
    [
      { 'image/png': { 'x-stream': true, schema: { ...binary, maxLength: 5 } } },
      'warning',
      'minLength and maxLength of a streamed body have no effect: x-body-limit bounds it'
    ],
    [{ 'image/png': {} }, 'warning', misplaced, { 'x-stream': true }],
    [
      { 'image/png': {} },
      'warning',
      misplaced,
      { responses: { 200: { description: '', content: { 'image/png': { 'x-stream': true } } } } }
    ],
    [{ 'multipart/form-data': { schema: { ...files, 'x-stream': true } } }, 'warning', misplaced]
  ]
  for (const [content, severity, message, more] of rows) {
    const found = (await problemsOf(t, content, more)).filter((problem) =>
      /x-stream|streamed/.test(problem.message)
    )
    t.same(
      found.map((problem) => [problem.severity, problem.message]),
      message === undefined ? [] : [[severity, message]],
      JSON.stringify(content)
    )
    t.ok(found.every(({ line }) => line === 1))
  }
})

t.test('a default of a required parameter is a warning', async (t) => {
  const parameter = { name: 'q', in: 'query', schema: { type: 'integer', default: 5 } }
  const warnings = async (required: boolean) => {
    const found = await problemsOf(t, {}, { parameters: [{ ...parameter, required }] })
    return found.filter(({ message }) => message === 'parameter q is required, so its default is not applied')
      .length
  }
  t.same([await warnings(true), await warnings(false)], [1, 0])
})
