import { join } from 'node:path'
import t from 'tap'
import { createPlant } from '../../src/plants/create-plant.ts'
import { lineOf, loadPlants, type NewPlant } from '../../src/plants/plant.ts'
import { openStore } from '../../src/store/open.ts'
import { type Store, StoreOverloaded, StoreUnavailable } from '../../src/store/store.ts'

type Request = Parameters<ReturnType<typeof createPlant>>[0]

const plants = await loadPlants()
const create = (store: Store, body: NewPlant) => createPlant(store, plants)({ body } as Request)

t.test(
  'the same plant again is answered as the first time; another under its id changes nothing',
  async (t) => {
    const store = await openStore(`sqlite:${join(t.testdir(), 'plants.db')}`)
    t.teardown(() => store.close())
    const monstera = { id: 9007199254740993n, name: 'Monstera', tag: 'climber' }
    const table: [given: NewPlant, status: number, message?: string][] = [
      [monstera, 200],
      [{ ...monstera }, 200],
      [{ tag: 'climber', name: 'Monstera', id: 9007199254740993n }, 200],
      [{ ...monstera, name: 'Aloe' }, 400, 'id 9007199254740993 is taken by a different plant'],
      [{ id: monstera.id, name: 'Monstera' }, 400, 'id 9007199254740993 is taken by a different plant']
    ]
    for (const [given, status, message] of table) {
      const answer = await create(store, given)
      t.equal(answer.status, status)
      if (message !== undefined) t.strictSame(answer.body, { error: 4002, message })
    }
    t.strictSame(await Array.fromAsync(store.export(), lineOf), [
      '{"id":9007199254740993,"name":"Monstera","tag":"climber"}\n'
    ])
  }
)

t.test('a store that can not take it is told with a number and a time to come back', async (t) => {
  const failing = (error: Error) => ({ create: () => Promise.reject(error) }) as unknown as Store
  const body = { id: 1n, name: 'Aloe' }
  t.match(await create(failing(new StoreOverloaded('full')), body), {
    status: 503,
    headers: { 'Retry-After': '1' },
    body: { error: 5030 }
  })
  t.match(await create(failing(new StoreUnavailable('disk full at /secret/path')), body), {
    status: 503,
    headers: { 'Retry-After': '1' },
    body: { error: 5031, message: 'the store is unavailable' }
  })
  const crash = async () => create(failing(new RangeError('a bug')), body)
  await t.rejects(crash(), RangeError, 'anything else is for the engine to hide')
})
