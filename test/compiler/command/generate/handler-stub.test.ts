import t from 'tap'
import { stubFor } from '../../../../src/compiler/command/generate/handler-stub.ts'
import type { Operation } from '../../../../src/engine/model/compiled-contract.ts'

const stub = (
  operationId: string,
  identifiers: readonly string[] = [],
  path = '/a',
  files: readonly string[] = []
) =>
  stubFor(
    { operation: { operationId, method: 'GET', path } as Operation, responseType: 'R' },
    { identifiers, files }
  )

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
    const made = stub(operationId)
    t.match(
      { file: made.file, name: made.name, property: made.property },
      { file, name, property: `${key}: ${name}()` }
    )
    t.ok(made.text.includes(`export function ${name}(): Handlers[`))
  })
}

t.test('a name that the wiring uses already gets a number', async (t) => {
  t.equal(stub('get', ['get']).name, 'get2')
  t.equal(stub('get', ['get', 'get2']).name, 'get3')
})

t.test('a path cannot end the comment', async (t) => {
  t.ok(stub('get', [], '/a/*/b').text.startsWith('/** GET /a/*\\/b */\n'))
})

t.test('a file of another handler is not taken, whatever its case', async (t) => {
  t.equal(stub('植物', [], '/a', ['operation']).file, 'operation-2.ts')
  t.equal(stub('get-plant', [], '/a', ['Get-Plant', 'get-plant-2']).file, 'get-plant-3.ts')
})
