/** Schemas with thousands of properties compile, and are checked as all others. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { inGroups } from '../../../../src/compiler/compile/validators/normalise.ts'
import type { Validator } from '../../../../src/engine/model/compiled-contract.ts'

t.setTimeout(900_000)

const properties = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'integer' }]))

t.test('up to 500 properties stay as they are', async (t) => {
  const schema = { properties: properties(500) }
  t.equal(inGroups(schema), schema)
  t.strictSame(inGroups({ type: 'string' }), { type: 'string' })
})

t.test('more are declared once and checked in groups', async (t) => {
  const { allOf, ...declared } = inGroups({ allOf: [{ minProperties: 1 }], properties: properties(1001) })
  t.same(Object.keys(declared['properties'] as object), Object.keys(properties(1001)))
  t.strictSame(allOf, [
    { minProperties: 1 },
    ...[0, 500, 1000].map((start) => ({
      properties: Object.fromEntries(Object.entries(properties(1001)).slice(start, start + 500))
    }))
  ])
})

t.test('4,000 properties are checked in requests and answers', async (t) => {
  const schema = { type: 'object', properties: properties(4_000), additionalProperties: false }
  const content = { 'application/json': { schema } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { required: true, content },
          responses: { 200: { description: 'x', content } }
        }
      }
    }
  }
  const folder = t.testdir({ 'openapi.json': JSON.stringify(document) })
  const { files } = await compileContract(join(folder, 'openapi.json'), join(folder, 'out'))
  const code = join(folder, 'validators.mjs')
  await writeFile(code, String(files.get('validators.js')))
  const written: Record<string, unknown> = await import(code)
  const validators = Object.values(written).filter((each) => typeof each === 'function') as Validator[]
  t.equal(validators.length, 2)
  for (const validate of validators) {
    const accepts = (value: unknown) => validate.call(new Map(), value)
    t.strictSame([{ p0: 1, p3999: 2 }, { p0: 'x' }, { p3999: 'x' }, { p4000: 1 }].map(accepts), [
      true,
      false,
      false,
      false
    ])
  }
})
