import t from 'tap'
import { stubFor } from '../../../../src/compiler/command/generate/stub.ts'
import type { Operation } from '../../../../src/contract/model/compiled-contract.ts'

const stub = (operationId: string, taken: readonly string[] = [], path = '/a') =>
  stubFor({ operationId, method: 'GET', path } as Operation, new Set(taken))

for (const [operationId, file, name, key] of [
  ['listPlants', 'list-plants.ts', 'listPlants', 'listPlants'],
  ['plants.list', 'plants-list.ts', 'plantsList', "'plants.list'"],
  ['get_HTTPStatus', 'get-http-status.ts', 'getHTTPStatus', 'get_HTTPStatus'],
  ['2nd', 'operation-2nd.ts', 'operation2nd', "'2nd'"],
  ['🌱', 'operation.ts', 'operation', "'🌱'"],
  ['delete', 'delete.ts', 'deleteOperation', 'delete'],
  ['__proto__', 'proto.ts', 'proto', "'__proto__'"],
  ["it's", 'it-s.ts', 'itS', "'it\\'s'"]
] as const) {
  t.test(`operation ${operationId}`, async (t) => {
    const made = stub(operationId)
    t.match({ file: made.file, name: made.name, key: made.key }, { file, name, key })
    t.ok(made.text.includes(`export function ${name}(): Handlers[`))
  })
}

t.test('a name that the wiring uses already gets a suffix', async (t) => {
  t.equal(stub('get', ['get']).name, 'getOperation')
  t.equal(stub('get', ['get', 'getOperation']).name, 'getOperation2')
})

t.test('a path cannot end the comment', async (t) => {
  t.ok(stub('get', [], '/a/*/b').text.startsWith('/** GET /a/* /b */\n'))
})
