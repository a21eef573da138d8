/** Validators of schemas, each compiled as the body of an operation. */
import type { Test } from 'tap'
import { compileInMemory } from '../../src/compiler/compile/in-memory.ts'
import { stringify } from '../../src/engine/json.ts'
import type { Validator } from '../../src/engine/model/compiled-contract.ts'

/** @param schemas of JSON Schema 2020-12; their integers may be bigints */
export async function validatorsOf(t: Test, schemas: readonly unknown[]): Promise<readonly Validator[]> {
  const operations = schemas.map((schema, index) => {
    const requestBody = { content: { 'application/json': { schema } } }
    const responses = { 204: { description: 'done' } }
    return [`/${index}`, { post: { operationId: `o${index}`, requestBody, responses } }] as const
  })
  const info = { title: 'Schemas', version: '1' }
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(operations) }
  const folder = t.testdir({ 'openapi.json': stringify(document as never) })
  const { contract } = await compileInMemory(`${folder}/openapi.json`)
  const { validators } = await contract.load()
  return contract.operations.map(
    ({ requestBody }) => validators[String(requestBody?.content[0]?.validate)] as Validator
  )
}
