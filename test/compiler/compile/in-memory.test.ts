/** A contract compiled in memory equals the generated files. */
import { resolve } from 'node:path'
import t from 'tap'
import { servedOperation } from '../../../src/compiler/compile/emit/operations-module.ts'
import { ContractError, compileInMemory } from '../../../src/compiler/compiler.ts'
import { generate } from '../../contracts/drive.ts'

/** Exports of a module besides the id of its build. */
const namesOf = (module: object) =>
  Object.keys(module)
    .filter((name) => name !== '$build')
    .sort()

t.test('its data are those of the generated files', async (t) => {
  const { contract: generated } = await generate(t, 'unions.yaml')
  const { contract, problems } = await compileInMemory(
    resolve(import.meta.dirname, '../../contracts/unions.yaml')
  )
  t.equal(await contract.yaml(), await generated.yaml())
  t.same(contract.operations.map(servedOperation), generated.operations)
  t.same(contract.securitySchemes, generated.securitySchemes)
  t.equal(contract.title, generated.title)
  const [requests, { shapes, bodies }] = await Promise.all([contract.requests(), generated.requests()])
  t.same(requests, { shapes, bodies })
  const [code, { validators, serializers }] = await Promise.all([contract.load(), generated.load()])
  t.same(Object.keys(code.validators).sort(), namesOf(validators))
  t.same(
    Object.keys(code.serializers)
      .filter((name) => name !== 'undefined')
      .sort(),
    namesOf(serializers)
  )
  t.notMatch(JSON.stringify(problems), /license/, 'no matters of taste')
})

t.test('a wrong contract is refused with its problems', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: x, version: 1 }\n' })
  await t.rejects(compileInMemory(resolve(folder, 'openapi.yaml')), ContractError)
})
