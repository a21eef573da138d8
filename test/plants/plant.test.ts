import t from 'tap'
import contract from '../../generated/contract.ts'
import type { Operation } from '../../src/engine/model/compiled-contract.ts'
import { lineOf, Plants, stored } from '../../src/plants/plant.ts'

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

t.test('an invalid line is refused with its problems', async (t) => {
  const table: [given: string, message: string][] = [
    ['{"id":1}', 'body/name is required'],
    ['{"id":9223372036854775808,"name":"Aloe"}', 'body/id'],
    ['{"id":"1","name":"Aloe"}', 'body/id must be integer'],
    ['nonsense', 'JSON']
  ]
  for (const [given, message] of table) {
    t.throws(() => parse(given), { name: 'FailureError', message: new RegExp(message) })
  }
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

t.test('a contract that does not create plants any more is refused with a sentence', async (t) => {
  const [operation] = contract.operations as readonly Operation[]
  const table: [operations: object[], message: string][] = [
    [[], 'operation createPlant is missing'],
    [[{ ...operation, requestBody: undefined }], 'operation createPlant takes no application/json'],
    [
      [{ ...operation, responses: { 201: operation?.responses['200'] } }],
      'operation createPlant answers no JSON with status 200'
    ]
  ]
  for (const [operations, message] of table) {
    await t.rejects(Plants.load({ operations: operations as never }), {
      name: 'BootError',
      message: `${message} in openapi.yaml; src/plants/plant.ts asks for it`
    })
  }
})
