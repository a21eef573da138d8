/** The JavaScript of a compiled contract: plain ES modules with only the parts that the contract needs. */
import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { bundleModules } from '../../../../src/compiler/compile/emit/bundle.ts'

const schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', format: 'int64' },
    born: { type: 'string', format: 'date' },
    code: { type: 'string', pattern: '^[a-z]+$' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } }
  }
}
const json = { 'application/json': { schema } }
const document = {
  openapi: '3.1.0',
  info: { title: 'Bundle', version: '1' },
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: { content: json },
        responses: {
          200: {
            description: '',
            headers: { X: { schema: { type: 'string' } }, Y: { schema: { type: 'string' } } },
            content: json
          }
        }
      }
    }
  },
  components: { schemas: { Part: { type: 'object', properties: { name: { type: 'string' } } } } }
}

t.test('the generated code', async (t) => {
  const folder = t.testdir({ 'c.json': JSON.stringify(document) })
  const compile = async () => (await compileContract(join(folder, 'c.json'), join(folder, 'out'))).files
  const files = await compile()
  const validators = String(files.get('validators.js'))
  const serializers = String(files.get('serializers.js'))
  for (const code of [validators, serializers]) {
    t.notMatch(code, /\brequire\b|__commonJS|__esm|__toESM|module\.exports/, 'no wrapper of CommonJS')
    t.notMatch(code, /^import /m, 'self-contained')
    t.notMatch(code, '../', 'no path, which is different where the engine is installed')
    t.match(code, '// @contract-first/engine/runtime/')
  }
  t.match(validators, /function date\(/, 'the format that is used')
  t.notMatch(validators, /getTime|validateInt32|function uri|function byte/, 'no format that is not used')
  t.match(validators, /pattern_\d+ = \/\^\[a-z\]\+\$\/u;/)
  t.equal(
    validators.match(/typeof v == "string"/g)?.length,
    1,
    'headers with equal schemas share a validator'
  )
  t.match(serializers, 'parts: value.parts && value.parts.map((item) => item && copy_Part(item))')
  t.notMatch(serializers, 'declaredOnly', 'no helper that is not used')
  t.strictSame([...(await compile())], [...files], 'the same to the byte each time')
})

t.test('the layout is not that of the source, which tsc changes', async (t) => {
  const folder = t.testdir({
    'a.ts': 'export function half(x: number) {\n  if (x > 1) return x / 2\n  return x\n}\n',
    'b.js': 'export function half(x) {\n    if (x > 1)\n        return x / 2;\n    return x;\n}\n'
  })
  const bundle = async (file: string) => {
    const code = await bundleModules(new Map([['index', `export * from '${join(folder, file)}'`]]))
    return code.replaceAll(/^\/\/.*\n/gm, '')
  }
  t.equal(await bundle('a.ts'), await bundle('b.js'))
})
