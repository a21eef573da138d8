/** Files of a contract: places of the model's nodes in them, and bounds of what aliases repeat. */
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { loadContract } from '../../../src/contract/load/load.ts'

t.setTimeout(900_000)

const head = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths: {}
`

const doubled = (leaf: string, wrap: (alias: string) => string, levels: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level === 0 ? `  a0: &a0 ${leaf}\n` : `  a${level}: &a${level} ${wrap(`*a${level - 1}`)}\n`
  ).join('')

const nine = (alias: string): string => `[${Array(9).fill(alias).join()}]`
const members = (alias: string): string => `{ a: ${alias}, b: ${alias}, c: ${alias} }`

const repeats = /with its aliases replaced, this part repeats more than 4 MiB/
const levels = /with its aliases replaced, this part has more than 200 levels/

for (const [what, text, place] of [
  ['nine levels of nine', `x-a:\n${doubled('[1]', nine, 10)}`, repeats],
  ['members', `x-a:\n${doubled('{ a: 1 }', members, 20)}`, repeats],
  [
    'a long text',
    `x-text: &text ${'y'.repeat(100_000)}\nx-a: [${Array(100).fill('*text').join()}]\n`,
    repeats
  ],
  ['a chain', `x-a:\n${doubled('[1]', (alias) => `[${alias}]`, 2000)}`, levels],
  ['a cycle', 'x-a: &a { properties: { a: *a } }\n', levels],
  ['a long cycle', 'x-a: &a [[*a], { b: &b [*a, *b] }]\n', levels]
] as const)
  t.test(`aliases: ${what}`, async (t) => {
    const folder = t.testdir({ 'openapi.yaml': head + text })
    const error = {
      message: place,
      problems: [{ severity: 'error', file: `${folder}/openapi.yaml`, message: place }]
    }
    const compiled = compileContract(`${folder}/openapi.yaml`, `${folder}/out`)
    await t.rejects(compiled, error)
    t.ok(await compiled.catch(({ problems: [{ line }] }) => line > 3), 'the place is the alias')
  })

t.test('a part of a contract is bounded, too', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `${head}components: { schemas: { A: { $ref: part.yaml } } }\n`,
    'part.yaml': `x-a:\n${doubled('[1]', nine, 10)}`
  })
  const compiled = compileContract(`${folder}/openapi.yaml`, `${folder}/out`)
  await t.rejects(compiled, { message: /part.yaml:\d+:3 .*this part repeats/ })
})

t.test('a contract without aliases has any size, and aliases may repeat a lot', async (t) => {
  const list = Array.from({ length: 20_000 }, (_, index) => `v${index}${'x'.repeat(40)}`)
  const shared = Array.from({ length: 500 }, (_, index) => `  r${index}: *shared\n`).join('')
  const text = `x-list: [${list.join()}]\nx-shared: &shared { a: ${'y'.repeat(4000)} }\nx-a:\n${shared}`
  const folder = t.testdir({ 'openapi.yaml': head + text })
  t.match(await compileContract(`${folder}/openapi.yaml`, `${folder}/out`), { problems: [] })
})

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
