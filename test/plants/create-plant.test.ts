import { join } from 'node:path'
import t from 'tap'
import { createPlant } from '../../src/plants/create-plant.ts'
import { lineOf, type NewPlant, Plants } from '../../src/plants/plant.ts'
import { openStore } from '../../src/store/open.ts'
import { type Store, StoreOverloaded, StoreUnavailable } from '../../src/store/store.ts'

type Request = Parameters<ReturnType<typeof createPlant>>[0]

const plants = await Plants.load()
const create = (store: Store, body: NewPlant) =>
  createPlant(store, plants)({ body, mediaType: 'application/json' } as Request)

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

t.test('the response is the stored plant', async (t) => {
  const store = await openStore(`sqlite:${join(t.testdir(), 'plants.db')}`)
  t.teardown(() => store.close())
  const undeclared = { id: 1n, name: 'Aloe', colour: 'green' }
  t.strictSame(await create(store, undeclared), { status: 200, body: { name: 'Aloe', id: 1n } })
  await store.create({ id: 2n, document: '{"colour":"green","name":"Agave"}' })
  const answer = await create(store, { id: 2n, name: 'Agave' })
  t.strictSame(
    answer,
    { status: 200, body: { id: 2n, colour: 'green', name: 'Agave' } },
    'of an earlier contract'
  )
  t.equal(await store.get(2n), '{"colour":"green","name":"Agave"}', 'and it stays as it is')
})

t.test('a taken id is refused with 4002, also when its plant is no longer stored', async (t) => {
  const store = { create: async () => 'taken', get: async () => undefined } as unknown as Store
  t.match(await create(store, { id: 1n, name: 'Aloe' }), { status: 400, body: { error: 4002 } })
})

t.test('a store that cannot take it is a failure with a time to come back', async (t) => {
  const failing = (error: Error) => ({ create: () => Promise.reject(error) }) as unknown as Store
  const body = { id: 1n, name: 'Aloe' }
  const failure = (error: Error) =>
    (create(failing(error), body) as Promise<unknown>).catch((thrown) => thrown)
  t.match(await failure(new StoreOverloaded('full')), {
    failure: { code: 'overloaded', status: 503, headers: { 'retry-after': '1' } }
  })
  t.match(await failure(new StoreUnavailable('disk full at /secret/path')), {
    failure: { code: 'unavailable', message: 'the store is unavailable', headers: { 'retry-after': '1' } }
  })
  t.type(await failure(new RangeError('a bug')), RangeError, 'anything else is for the engine to hide')
})
