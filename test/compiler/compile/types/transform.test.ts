/** The file that reaches into openapi-typescript. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'
import { schemaType } from '../../../../src/compiler/compile/types/schema-type.ts'
import { documentTypes } from '../../../../src/compiler/compile/types/transform.ts'
import { compileContract } from '../../../../src/compiler/compiler.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'Percent signs', version: '1' },
  paths: {},
  components: {
    schemas: {
      'percent-sign': { description: '100% of percent-sign-', enum: ['5%', 'percent-sign'] },
      '50%': {
        type: 'object',
        required: ['%zz'],
        properties: {
          '%zz': { type: 'object', properties: { '1%': { $ref: '#/components/schemas/50%25' } } }
        }
      }
    }
  }
}

const version = '7.13.0'

t.test('transform.ts is written for the version that is installed', async (t) => {
  const entry = fileURLToPath(import.meta.resolve('openapi-typescript'))
  const manifest = JSON.parse(
    readFileSync(entry.replace(/dist.index\.mjs$/, 'package.json'), 'utf8')
  ) as object
  const advice = `compare its entry function, transform/index and the percent signs of lib/utils with ${version}`
  t.match(manifest, { name: 'openapi-typescript', version }, advice)
})

t.test('no other file imports its modules', async (t) => {
  const cwd = new URL('../../../../src/', import.meta.url).pathname
  const importing = globSync('**/*.ts', { cwd, exclude: ['**/node_modules/**'] }).filter((file) =>
    /'openapi-typescript\/.*'$/m.test(readFileSync(cwd + file, 'utf8'))
  )
  t.strictSame(importing, ['compiler/compile/types/transform.ts'])
})

t.test('names and texts with percent signs', async (t) => {
  t.testdir({ 'openapi.json': JSON.stringify(document) })
  const { files } = await compileContract(`${t.testdirName}/openapi.json`, `${t.testdirName}/out`)
  const types = String(files.get('types.ts'))
  t.match(types, '"percent-sign": "5%" | "percent-sign";')
  t.match(types, '100% of percent-sign-')
  t.match(types, /"50%": \{\s+"%zz": \{\s+"1%"\?: components\["schemas"\]\["50%"\];/)
})

type Nest = (inner: JsonObject) => JsonObject

const list: Nest = (items) => ({ type: 'array', items })
const object: Nest = (member) => ({ type: 'object', properties: { member } })
const nests: Readonly<Record<string, Nest>> = {
  'lists of lists': list,
  'lists in objects': (inner) => object(list(inner)),
  'lists in objects in unions': (inner) => object(list({ anyOf: [{ type: 'null' }, inner] })),
  'lists of tuples': (inner) => object({ type: 'array', prefixItems: [inner, { type: 'string' }] }),
  'lists that may be null': (inner) => object({ ...list(inner), type: ['array', 'null'] }),
  'lists in dictionaries': (inner) => ({ type: 'object', additionalProperties: object(list(inner)) })
}

/** Returns the number of schemas that are typed for a component. */
function typings(nest: Nest, depth: number): number {
  let count = 0
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = nest(schema)
  const document = { components: { schemas: { Deep: schema } } }
  documentTypes(document, {
    transform: (each, options) => {
      count++
      return schemaType(each, options)
    },
    postTransform: () => undefined
  })
  return count
}

for (const [about, nest] of Object.entries(nests))
  t.test(`${about}: each schema is typed once, however deep`, async (t) => {
    const [half, whole] = [typings(nest, 8), typings(nest, 16)]
    t.ok(half >= 8)
    t.ok(whole <= 2 * half, `${half} and ${whole}`)
  })
