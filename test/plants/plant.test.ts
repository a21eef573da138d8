import t from 'tap'
import contract from '../../generated/contract.ts'
import { lineOf, loadPlants } from '../../src/plants/plant.ts'

const { read, stored } = await loadPlants()

t.test('a plant is read by the contract and kept as its declared fields', async (t) => {
  const table: [given: string, id: bigint, document: string][] = [
    ['{"id":1,"name":"Aloe"}', 1n, '{"name":"Aloe"}'],
    [
      '{"tag":"t","name":"Aloe","id":-9223372036854775808,"extra":[1]}',
      -9223372036854775808n,
      '{"name":"Aloe","tag":"t"}'
    ],
    ['{"id":1e3,"name":"\\ud800 \\u0000"}', 1000n, '{"name":"\\ud800 \\u0000"}']
  ]
  for (const [given, id, document] of table) t.strictSame(read(Buffer.from(given)), { id, document })
})

t.test('what is wrong with a line is said', async (t) => {
  const table: [given: string, message: string][] = [
    ['{"id":1}', 'body/name is required'],
    ['{"id":9223372036854775808,"name":"Aloe"}', 'body/id'],
    ['{"id":"1","name":"Aloe"}', 'body/id must be integer'],
    ['nonsense', 'JSON']
  ]
  for (const [given, message] of table) {
    t.throws(() => read(Buffer.from(given)), { name: 'FailureError' })
    try {
      read(Buffer.from(given))
    } catch (error) {
      t.match(String(error), message)
    }
  }
})

t.test('a line of NDJSON begins with the id', async (t) => {
  t.equal(lineOf(stored({ id: 7n, name: 'Aloe' })), '{"id":7,"name":"Aloe"}\n')
  t.equal(lineOf({ id: 7n, document: '{}' }), '{"id":7}\n')
})

t.test('a contract that has no plants to create is refused', async (t) => {
  await t.rejects(loadPlants({ ...contract, operations: [] }), {
    message: 'createPlant takes and gives no JSON'
  })
})
