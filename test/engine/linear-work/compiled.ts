/** Compiles schemas as the bodies of one contract, and returns a reader of bodies by the name of its schema. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { writeFiles } from '../../../src/compiler/compile/emit/write.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { jsonBody } from '../../../src/engine/server/body/parse.ts'
import { compileDocument } from '../../contracts/compile-cache.ts'

export type Schemas = Readonly<Record<string, unknown>>

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Resolves with a function that returns what a handler receives, or the failure. */
export async function compiled(
  t: Test,
  schemas: Schemas
): Promise<(schema: string, bytes: Buffer) => unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'keywords-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFiles(await compileDocument(documentOf(schemas), folder), folder)
  const contract = (await import(pathToFileURL(join(folder, 'contract.ts')).href)).default as Contract
  const code = await contract.load()
  return (schema, bytes) => {
    const operation = contract.operations.find(({ operationId }) => operationId === schema)
    const content = operation?.requestBody?.content[0]
    try {
      return content && jsonBody(bytes, content, code)
    } catch (error) {
      return error
    }
  }
}

function documentOf(schemas: Schemas): object {
  const operation = (name: string) => ({
    operationId: name,
    requestBody: { content: { 'application/json': { schema: ref(name) } } },
    responses: { 204: { description: 'ok' } }
  })
  const paths = Object.keys(schemas).map((name) => [`/${name}`, { post: operation(name) }])
  return {
    openapi: '3.1.0',
    info: { title: 'Keywords', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas }
  }
}
