/** One validator for each schema, however many operations, responses and headers use it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { Int64Plans } from '../../../../src/compiler/compile/operations/int64-plan.ts'
import { Serializers } from '../../../../src/compiler/compile/shapes/serializers.ts'
import { schemaIn } from '../../../../src/contract/build/build-contract.ts'
import { validityDigest } from '../../../../src/contract/contract.ts'
import type { JsonObject } from '../../../../src/contract/model/json.ts'
import { schemaChain, sharedComponents } from './shared-components.ts'

t.setTimeout(900_000)

async function sizesOf(t: Test, document: object): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'validators-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  const { files } = await compileContract(join(folder, 'openapi.json'), join(folder, 'out'))
  const code = String(files.get('validators.js'))
  return {
    validators: code.match(/^function \w+\$/gm)?.length ?? 0,
    patterns: code.match(/^var pattern_.*a-shared-pattern/gm)?.length ?? 0,
    plans: String(files.get('operations.js')).split('int64: true').length - 1
  }
}

t.test('more operations add only the validators of their own parameters', async (t) => {
  const few = await sizesOf(t, sharedComponents(2))
  const many = await sizesOf(t, sharedComponents(40))
  t.equal(many['patterns'], few['patterns'], 'shared parameters, headers, bodies and responses')
  t.equal(many['plans'], few['plans'], 'plans of int64')
  t.equal(Number(many['validators']) - Number(few['validators']), 0)
})

t.test('schemas that refer to each other in a long cycle', async (t) => {
  const length = 200
  const { validators } = await sizesOf(t, schemaChain(length))
  t.ok(Number(validators) >= length, 'each has a validator', { validators })
})

t.test('a chain of references is compiled without recursion', async (t) => {
  const length = 3000
  const { schemas } = schemaChain(length)['components'] as Record<'schemas', Record<string, JsonObject>>
  const document: JsonObject = { components: { schemas } }
  const start = schemaIn(document, { $ref: '#/components/schemas/S0' })
  t.match(validityDigest(start), /^[\da-f]{64}$/, 'its digest')
  const plan = new Int64Plans().add(start, () => '')
  t.equal(Object.keys(plan?.plans ?? {}).length, 2 * length, 'its plans of int64')
  const serializers = new Serializers()
  serializers.add(start, 'post')
  t.equal([...serializers.modules('./runtime').values()].join().split('function ').length - 1, length)
})
