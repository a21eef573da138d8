/** The JSON that is served is the document that the compiler read. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { stringify } from '../../../src/engine/json/exact-values.ts'
import { openApiJson } from '../../../src/engine/json/openapi-json.ts'

const contracts = resolve(import.meta.dirname, '../../contracts')

for (const name of ['int64.yaml', 'unions.yaml', 'names.yaml', 'hostile-text.yml', 'multi-file/openapi.yaml'])
  t.test(`${name}: as the compiler read it`, async (t) => {
    const { contract, document } = await compileInMemory(join(contracts, name))
    t.equal(openApiJson(await contract.yaml()), `${stringify(document, 2)}\n`)
  })

t.test('a contract that the compiler does not change: as written', async (t) => {
  const path = join(contracts, 'maps.yaml')
  const { document } = await compileInMemory(path)
  t.equal(openApiJson(readFileSync(path, 'utf8')), `${stringify(document, 2)}\n`)
})

const rows: readonly (readonly [yaml: string, json: string])[] = [
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['+9007199254740993', '9007199254740993'],
  ['0x7fffffffffffffff', '9223372036854775807'],
  ['0o777777777777777777777', '9223372036854775807'],
  ['9007199254740991', '9007199254740991'],
  ['1e30', '1e+30'],
  ['!!int -0xFFFFFFFFFFFFFFFF', '-18446744073709552000'],
  ['1.50', '1.5'],
  ['!!binary aGVs\n    bG8=', '"aGVsbG8="'],
  ['2001-12-14', '"2001-12-14"'],
  ['no', '"no"'],
  ['!!set { a }', '{}'],
  ['{ <<: { a: 1 }, b: 2 }', '{ "a": 1, "b": 2 }'],
  ['&x [1]\nb: *x', '[1], "b": [1]'],
  ['"\\u0000\\ud800"', '"\\u0000\\ud800"'],
  ['{ __proto__: 1 }', '{ "__proto__": 1 }']
]

t.test('scalars of YAML', async (t) => {
  for (const [yaml, json] of rows)
    t.equal(openApiJson(`a: ${yaml}\n`).replaceAll(/\s/g, ''), `{"a":${json}}`.replaceAll(' ', ''), yaml)
})

t.test('a contract in JSON', async (t) => {
  const text = '{"a":9223372036854775807,"b":"\\u00e9😀","c":[],\t"d":{}}'
  t.equal(openApiJson(text).replaceAll(/\s/g, ''), '{"a":9223372036854775807,"b":"é😀","c":[],"d":{}}')
})
