/** Plants between the contract and the store: parsed, stored, compared, created, imported; and the errors of the service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import contract from '../../generated/contract.ts'
import { openApiJson } from '../../src/engine/json/openapi-json.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { type FailureCode, failureStatus } from '../../src/engine/server/errors/failure.ts'
import { openStore } from '../../src/open-store.ts'
import { ChangeThread } from '../../src/plants/change-plants.ts'
import { createPlant } from '../../src/plants/create-plant.ts'
import { engineErrors, errorBody, serviceErrors } from '../../src/plants/failures.ts'
import { lineOf, type NewPlant, Plants, stored } from '../../src/plants/plant.ts'
import { type Store, StoreOverloaded, StoreUnavailable } from '../../src/store/store.ts'
import { everyPlant } from '../store/conformance.ts'

const plants = await Plants.load()
const parse = (line: string) => plants.parse(Buffer.from(line))

t.test('a plant is read by the contract and stored as its declared properties', async (t) => {
  const table: [given: string, id: bigint, document: string][] = [
    ['{"id":1,"name":"Aloe"}', 1n, '{"name":"Aloe"}'],
    [
      '{"tag":"t","name":"Aloe","id":-9223372036854775808,"extra":[1]}',
      -9223372036854775808n,
      '{"name":"Aloe","tag":"t"}'
    ],
    ['{"id":1e3,"name":"\\ud800 \\u0000"}', 1000n, '{"name":"\\ud800 \\u0000"}']
  ]
  for (const [given, id, document] of table) t.strictSame(stored(parse(given)), { id, document })
})

t.test('a line of NDJSON begins with the id', async (t) => {
  t.equal(lineOf(stored({ id: 7n, name: 'Aloe' })), '{"id":7,"name":"Aloe"}\n')
  t.equal(lineOf({ id: 7n, document: '{}' }), '{"id":7}\n')
  const byHand: [document: string, line: string][] = [
    [' {\n"name": "Aloe"\r\n}\n', '{"id":7,"name": "Aloe"  }\n'],
    ['{ }', '{"id":7}\n'],
    ['nonsense', '{"id":7,"document":"nonsense"}\n']
  ]
  for (const [document, line] of byHand) t.equal(lineOf({ id: 7n, document }), line)
})

t.test('a stored plant is read even if it does not fit the contract', async (t) => {
  t.strictSame(plants.read({ id: 2n ** 53n + 1n, document: '{"tag":1}' }), { tag: 1, id: 2n ** 53n + 1n })
  t.throws(() => plants.read({ id: 7n, document: '{"name' }), {
    message: 'the stored plant 7 is not JSON'
  })
})

t.test('a plant that does not fit is named with the reason', async (t) => {
  const table: [document: string, reason: string | undefined][] = [
    ['{"name":"Aloe"}', undefined],
    ['{"tag":1}', 'name is required; tag must be string'],
    ['{"name', 'the body is not valid JSON: Bad control character in string literal at line 1 column 14']
  ]
  for (const [document, reason] of table)
    t.equal(plants.misfit({ id: 1n, document })?.reason, reason, document)
})

t.test('plants are equal when their declared properties are equal', async (t) => {
  const read = (document: string) => plants.read({ id: 1n, document })
  const table: [one: string, other: string, same: boolean][] = [
    ['{"name":"Aloe","tag":"t"}', '{"tag":"t","name":"Aloe"}', true],
    ['{"name":"A"}', '{"name":"\\u0041"}', true],
    ['{"name":"Aloe"}', '{"name":"Aloe","colour":"green"}', true],
    ['{"name":"Aloe"}', '{"name":"Aloe","tag":"t"}', false],
    ['{"name":"Aloe"}', '{"name":"aloe"}', false]
  ]
  for (const [one, other, same] of table) t.equal(plants.isSame(read(one), read(other)), same, other)
})

type Request = Parameters<ReturnType<typeof createPlant>>[0]

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
    const gone = { create: async () => 'taken', get: async () => undefined } as unknown as Store
    t.match(
      await create(gone, monstera),
      { status: 400, body: { error: 4002 } },
      'also when it is no longer stored'
    )
    for (const [given, status, message] of table) {
      const answer = await create(store, given)
      t.equal(answer.status, status)
      if (message !== undefined) t.strictSame(answer.body, { error: 4002, message })
    }
    t.strictSame(await Array.fromAsync(everyPlant(store), lineOf), [
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

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
}

const document = JSON.parse(openApiJson(await contract.yaml())) as Document
/** Statuses of all operations. */
const declared = new Set(
  (contract as Contract).operations.flatMap(({ responses }) => Object.keys(responses).map(Number))
)

/**
 * Codes of the engine that no request to this contract can cause: nothing is forbidden, there is one media type, there
 * are no entity tags, and every operation is implemented.
 */
const unreachable: readonly FailureCode[] = [
  'forbidden',
  'not-acceptable',
  'precondition-failed',
  'not-implemented'
]
const reachable = Object.entries(engineErrors).filter(([code]) => !unreachable.includes(code as FailureCode))
const catalogue = new Set([...reachable.map(([, error]) => error), ...Object.values(serviceErrors)])

t.test('every error is its status times ten plus a digit', async (t) => {
  for (const [code, error] of Object.entries(engineErrors))
    t.equal(Math.floor(error / 10), failureStatus[code as FailureCode], code)
  const failure = {
    code: 'mismatch',
    status: 400,
    message: 'kind is required',
    problems: [],
    headers: {}
  } as const
  t.strictSame(errorBody(failure), { error: 4001, message: 'kind is required' })
})

t.test('the contract declares the status of every failure, and no other', async (t) => {
  const statuses = new Set([...catalogue].map((error) => Math.floor(error / 10)))
  t.same([...statuses].sort(), [...declared].filter((status) => status >= 400).sort())
})

t.test('the table of errors in the contract lists every error, and no other', async (t) => {
  const { description = '' } = document.tags.find(({ name }) => name === 'errors') ?? {}
  const listed = [...description.matchAll(/^\| (\d{4}) \|/gm)].map(([, error]) => Number(error))
  t.same(listed, [...catalogue].sort())
})

t.test('a thread that has ended refuses further plants', async (t) => {
  const file = join(t.testdir(), 'change.mjs')
  writeFileSync(file, 'export default () => process.exit()')
  const thread = await ChangeThread.load(file)
  const plant = { id: 1n, document: '{}' }
  const refusal = { message: 'plant 1: the change function ended its thread' }
  await Promise.all([1, 2].map(() => t.rejects(thread.change([plant]), refusal)))
  await thread.close()
})
