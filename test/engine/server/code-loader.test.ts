import t from 'tap'
import { until } from '../../time.ts'
import { compiled, request, serve } from '../serve.ts'
import { document, shaped } from './errors/failing-contract.ts'

const contract = await compiled(t, document)

t.test('a contract of more than 300 operations loads its code with the first request', async (t) => {
  const [first] = contract.operations
  const narrow = contract.operations.find(({ operationId }) => operationId === 'narrow')
  const operations = Array.from({ length: 301 }, (_, index) => ({
    ...(index === 300 ? narrow : first),
    operationId: `o${index}`,
    path: `/o${index}`,
    url: `/o${index}`
  }))
  const many = Object.fromEntries(
    operations.map(({ operationId }) => [operationId, () => ({ status: 200, body: operationId })])
  )
  const large = { ...contract, operations } as typeof contract
  const good = await serve(t, large, { handlers: many, errorBody: shaped })
  const warned = () => good.log.some(({ level }) => level === 40)
  t.notOk(warned(), 'it has not read the code')
  t.same(
    [(await good.ask(request('GET /o7'))).value, (await good.ask(request('GET /o8'))).value],
    ['o7', 'o8']
  )
  await until(warned)
  t.ok(warned(), 'an error body that breaks the contract is found in the code')
  const load = () => Promise.reject(new Error('secret'))
  const { ask, log } = await serve(t, { ...large, load }, { handlers: many, errorBody: shaped })
  const failed = await ask(request('GET /o7'))
  t.same([failed.status, failed.value], [500, { type: 'internal', status: 500 }])
  t.ok(log.some(({ err }) => Object(err).message === 'secret'))
})
