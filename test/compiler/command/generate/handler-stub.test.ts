import t from 'tap'
import { readWiring, stubsFor, wire } from '../../../../src/compiler/command/generate/handler-stub.ts'
import type { Operation } from '../../../../src/engine/model/compiled-contract.ts'

const operation = (operationId: string, more: Partial<Operation> = {}) =>
  ({ operationId, method: 'GET', path: '/a', ...more }) as Operation

/** @param wiring what other handlers have taken, and where they lie */
function stub(given: Operation, wiring: Partial<Parameters<typeof stubsFor>[1]> = {}) {
  const taken = { identifiers: [], files: [] }
  const [made] = stubsFor([{ operation: given, responseType: 'R' }], {
    ...{ taken, passed: undefined, isFlat: true },
    ...wiring
  })
  if (made === undefined) throw new Error('no stub')
  return made
}

for (const [operationId, file, name, key] of [
  ['listPlants', 'list-plants.ts', 'listPlants', 'listPlants'],
  ['plants.list', 'plants-list.ts', 'plantsList', "'plants.list'"],
  ['get_HTTPStatus', 'get-http-status.ts', 'getHttpStatus', 'get_HTTPStatus'],
  ['2nd', '2nd.ts', 'operation2nd', "'2nd'"],
  ['植物', 'operation.ts', 'operation', "'植物'"],
  ['🌱', 'operation.ts', 'operation', "'🌱'"],
  ['delete', 'delete.ts', 'deleteOperation', 'delete'],
  ['__proto__', 'proto.ts', 'proto', "['__proto__']"],
  ["it's", 'it-s.ts', 'itS', '"it\'s"']
] as const) {
  t.test(`operation ${operationId}`, async (t) => {
    const made = stub(operation(operationId))
    t.match(
      { file: made.file, name: made.name, property: made.property },
      { file, name, property: `${key}: ${name}()` }
    )
    t.ok(made.text.includes(`export function ${name}(): Handlers[`))
  })
}

t.test('a name that the wiring uses already gets a number', async (t) => {
  const named = (...identifiers: string[]) =>
    stub(operation('get'), { taken: { identifiers, files: [] } }).name
  t.equal(named('get'), 'get2')
  t.equal(named('get', 'get2'), 'get3')
})

t.test('a path cannot end the comment', async (t) => {
  t.ok(stub(operation('get', { path: '/a/*/b' })).text.startsWith('/** GET /a/*\\/b */\n'))
})

t.test('a file of another handler is not taken, whatever its case', async (t) => {
  const fileOf = (id: string, ...files: string[]) =>
    stub(operation(id), { taken: { identifiers: [], files } }).file
  t.equal(fileOf('植物', 'operation'), 'operation-2.ts')
  t.equal(fileOf('get-plant', 'Get-Plant', 'get-plant-2'), 'get-plant-3.ts')
})

for (const [place, more, file] of [
  ['its tag', { tags: ['Own Things', 'others'] }, 'own-things/get.ts'],
  ['the first segment of its path', { path: '/{id}/parts' }, 'parts/get.ts'],
  ['a path of parameters', { path: '/{id}', tags: [] }, 'operations/get.ts']
] as const)
  t.test(`where handlers lie in folders, a stub lies in that of ${place}`, async (t) => {
    const passed = { name: 'store', type: 'Store', module: '../store/store.ts' }
    const made = stub(operation('get', more), { passed, isFlat: false })
    t.equal(made.file, file)
    t.match(made.text, "from '../../../generated/types.ts'")
    t.match(made.text, "import type { Store } from '../../store/store.ts'")
    const beside = { ...passed, module: './store.ts' }
    t.match(stub(operation('get', more), { passed: beside, isFlat: false }).text, "from '../store.ts'")
    const packed = { ...passed, module: 'store' }
    t.match(stub(operation('get', more), { passed: packed, isFlat: false }).text, "from 'store'")
  })

t.test('only code takes names: a comment of the wiring names none', async (t) => {
  const wiring = readWiring(
    "/** Run it to get all. */\nimport { get } from './a/get.ts'\nexport function createHandlers() {\n  return { get: get() }\n}\n"
  )
  if (wiring === undefined) throw new Error('the wiring is not read')
  const missing = ['run', 'get'].map((id) => ({ operation: operation(id), responseType: 'R' }))
  const stubs = stubsFor(missing, wiring)
  t.strictSame(
    stubs.map(({ name, file }) => [name, file]),
    [
      ['run', 'a/run.ts'],
      ['get2', 'a/get-2.ts']
    ]
  )
  t.match(wire(wiring, stubs), /get.ts'\nimport \{ run \} from '.\/a\/run.ts'\nexport.* get: get\(\),\n/s)
})
