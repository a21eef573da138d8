/** The mock of a large contract boots at once, because it compiles a validator when a request needs it. */
import t from 'tap'
import { DefinitionCompiler } from '../../../src/compiler/compile/validators/validators.ts'
import { largeContract } from '../../contracts/large-contract.ts'
import { mocked } from './mocked.ts'

const compiled = new Set<string>()
const { validator } = DefinitionCompiler.prototype
DefinitionCompiler.prototype.validator = function (name) {
  compiled.add(name)
  return validator.call(this, name)
}

t.test('the boot compiles few validators, and a request those that it needs', async (t) => {
  const { get, operations } = await mocked(t, largeContract({ operations: 320 }))
  t.equal(operations, 320)
  t.ok(compiled.size < 32, 'by the boot', { compiled })
  const before = compiled.size
  const { status } = await get('/nurseries/a1/orders', { authorization: 'Bearer mock' })
  t.equal(status, 200)
  t.ok(compiled.size > before && compiled.size - before < 32, 'by the request', { compiled, before })
})
