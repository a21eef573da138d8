/** The file that reaches into openapi-typescript. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
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

t.test('an edit of a component concerns what refers to it', async (t) => {
  const typesOf = async (required: boolean, place: string) => {
    const contract = {
      openapi: '3.1.0',
      info: { title: 'Edits', version: '1' },
      paths: {
        '/a': {
          post: {
            operationId: 'post',
            parameters: [{ $ref: '#/components/parameters/P' }],
            requestBody: { $ref: '#/components/requestBodies/B' },
            responses: { 204: { description: 'Done' } }
          }
        }
      },
      components: {
        parameters: { P: { name: 'p', in: place, schema: { type: 'string' } } },
        requestBodies: { B: { required, content: { 'application/json': { schema: {} } } } }
      }
    }
    t.testdir({ 'openapi.json': JSON.stringify(contract) })
    const { files } = await compileContract(`${t.testdirName}/openapi.json`, `${t.testdirName}/out`)
    return String(files.get('types.ts')).replaceAll(/\s+/g, ' ')
  }
  const before = await typesOf(true, 'query')
  t.match(before, 'query?: { p?: components["parameters"]["P"]; }')
  t.match(before, 'requestBody: components["requestBodies"]["B"];')
  const after = await typesOf(false, 'header')
  t.match(after, 'header?: { p?: components["parameters"]["P"]; }')
  t.match(after, 'requestBody?: components["requestBodies"]["B"];')
})
