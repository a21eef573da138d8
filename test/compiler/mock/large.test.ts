/** The mock of a large contract boots at once, because it compiles a validator when a request needs it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { largeContract } from '../../contracts/large-contract.ts'
import { mocked } from './mocked.ts'

const compile = Ajv2020.prototype.compile as unknown as (...args: unknown[]) => unknown
let compiled = 0
Object.assign(Ajv2020.prototype, {
  compile(this: unknown, ...args: unknown[]) {
    compiled++
    return compile.apply(this, args)
  }
})

t.test('the boot compiles few validators, and a request those that it needs', async (t) => {
  const { get, operations } = await mocked(t, largeContract({ operations: 320 }))
  t.equal(operations, 320)
  t.ok(compiled < 32, 'by the boot', { compiled })
  const before = compiled
  const { status } = await get('/nurseries/a1/orders', { authorization: 'Bearer mock' })
  t.equal(status, 200)
  t.ok(compiled > before && compiled - before < 32, 'by the request', { compiled, before })
})
