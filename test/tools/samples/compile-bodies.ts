/** Compiles schemas as the bodies of operations, all of one contract, and hands out their validators. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { stringify } from '../../../src/engine/json/exact-values.ts'
import type { Direction, Json, JsonObject } from '../../../src/tools/samples/samples.ts'
import { type Case, components } from './schemas.ts'

export interface Bodies {
  readonly document: JsonObject
  /** Returns the schema of a case as the compiler reads it. */
  readonly schemaOf: (of: Case) => Json
  readonly validator: (of: Case, direction: Direction) => (value: unknown) => boolean
}

export async function compileBodies(t: Test, openapi: string, cases: readonly Case[]): Promise<Bodies> {
  const folder = await mkdtemp(join(tmpdir(), 'instances-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const paths = Object.fromEntries(
    cases.map(({ schema }, index) => [`/${index}`, { post: operation(schema, index) }])
  )
  const path = join(folder, 'openapi.json')
  const schemas = openapi.startsWith('3.0') ? components.of30 : components.of31
  await writeFile(
    path,
    stringify({ openapi, info: { title: 'x', version: '1' }, paths, components: { schemas } })
  )
  const { contract, document } = await compileInMemory(path)
  const { validators } = await contract.load()
  return {
    document,
    schemaOf: (each) => ({
      $ref: `#/paths/~1${cases.indexOf(each)}/post/requestBody/content/application~1json/schema`
    }),
    validator(each, direction) {
      const { requestBody, responses } = contract.operations[cases.indexOf(each)] ?? {}
      const [content] = (direction === 'request' ? requestBody : responses?.['200'])?.content ?? []
      return (value) => validators[String(content?.validate)]?.call(undefined, value) === true
    }
  }
}

function operation(schema: unknown, index: number): object {
  const content = { 'application/json': { schema } }
  return {
    operationId: `op${index}`,
    requestBody: { required: true, content },
    responses: { 200: { description: 'ok', content } }
  }
}
