/** Places of the model's nodes in the files of a contract. */
import { join } from 'node:path'
import t from 'tap'
import { loadContract } from '../../../src/contract/load/load.ts'

const openapi = `openapi: 3.0.3
info: { title: A, version: '1' }
paths:
  /a:
    get:
      operationId: a
      parameters:
        - { name: q, in: query, schema: { type: integer, nullable: true } }
      responses:
        '200':
          description: done
          content:
            application/json: { schema: { $ref: 'schemas.yaml#/Pet' } }
`
const schemas = `Pet:
  type: object
  properties:
    name: { type: string, minLength: 1 }
    'a/b': { enum: [a] }
`

t.test('nodes and their members have places in the file where they are written', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': openapi, 'schemas.yaml': schemas })
  const contract = await loadContract(join(folder, 'openapi.yaml'))
  const model = contract.model
  t.equal(contract.model, model, 'it is built once')
  const [operation] = model.operations
  const [parameter] = operation?.parameters ?? []
  const pet = operation?.responses.get('200')?.contents[0]?.schema?.ref
  const name = pet?.properties?.get('name')
  const places = [
    operation?.origin,
    parameter?.origin.at('in'),
    parameter?.schema?.origin,
    pet?.origin,
    name?.origin,
    name?.origin.at('minLength'),
    pet?.origin.at('properties', 'a/b', 'enum', '0')
  ].map(
    (origin) => origin && [origin.file.slice(folder.length + 1), origin.pointer, origin.line, origin.column]
  )
  t.strictSame(places, [
    ['openapi.yaml', '#/paths/~1a/get', 5, 5],
    ['openapi.yaml', '#/paths/~1a/get/parameters/0/in', 8, 22],
    ['openapi.yaml', '#/paths/~1a/get/parameters/0/schema', 8, 33],
    ['schemas.yaml', '#/Pet', 1, 1],
    ['schemas.yaml', '#/Pet/properties/name', 4, 5],
    ['schemas.yaml', '#/Pet/properties/name/minLength', 4, 27],
    ['schemas.yaml', '#/Pet/properties/a~1b/enum/0', 5, 21]
  ])
  t.equal(pet?.origin.at('none').line, 1, 'the holder of a member that is not there')
})
