/** The types of a contract after an edit, in a process that keeps those of the parts that have not changed. */
import t, { type Test } from 'tap'
import { compileContract } from '../../../../src/compiler/compiler.ts'

type Schemas = Readonly<Record<string, object>>

/** Compiles a contract in which one operation has a shared parameter. */
async function typesOf(t: Test, schemas: Schemas, parameter = 'limit'): Promise<string> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Parts', version: '1' },
    paths: {
      '/plants': {
        get: {
          operationId: 'listPlants',
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          responses: { 200: { description: 'the plants' } }
        }
      }
    },
    components: {
      parameters: { Limit: { name: parameter, in: 'query', schema: { type: 'integer' } } },
      schemas
    }
  }
  t.testdir({ 'openapi.json': JSON.stringify(document) })
  const { files } = await compileContract(`${t.testdirName}/openapi.json`, `${t.testdirName}/out`)
  return String(files.get('types.ts'))
}

t.test('the new name of a shared parameter, in an operation that has not changed', async (t) => {
  const member = (name: string) => `${name}?: components["parameters"]["Limit"];`
  t.match(await typesOf(t, {}), member('limit'))
  t.match(await typesOf(t, {}, 'most'), member('most'))
})

t.test('a schema that has not changed, and no longer contains itself', async (t) => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const schemas = (last: object) => ({
    Note: { anyOf: [{ type: 'string' }, reference('Page')] },
    Page: { type: 'array', items: reference('Book') },
    Book: { anyOf: [{ type: 'number' }, last] }
  })
  t.match(await typesOf(t, schemas(reference('Note'))), /^export type Recursive1 = /m)
  const types = await typesOf(t, schemas({ type: 'boolean' }))
  t.notMatch(types, 'Recursive')
  t.match(types, '    Note: string | components["schemas"]["Page"];\n')
})

t.test('a word that stood for the percent signs of an earlier contract', async (t) => {
  t.match(await typesOf(t, { Share: { enum: ['5%'] } }), '    Share: "5%";\n')
  t.match(await typesOf(t, { Share: { enum: ['5percent-sign'] } }), '    Share: "5percent-sign";\n')
})
