/** Names and texts with percent signs have their types, and come back as they were. */
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

t.test('names and texts with percent signs', async (t) => {
  t.testdir({ 'openapi.json': JSON.stringify(document) })
  const { files } = await compileContract(`${t.testdirName}/openapi.json`, `${t.testdirName}/out`)
  const types = String(files.get('types.ts'))
  t.match(types, '"percent-sign": "5%" | "percent-sign";')
  t.match(types, '100% of percent-sign-')
  t.match(types, /"50%": \{\s+"%zz": \{\s+"1%"\?: components\["schemas"\]\["50%"\];/)
})
