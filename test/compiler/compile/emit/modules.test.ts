/** The files of a compiled contract: plain modules in the language of the project, and the text of the document. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import t from 'tap'
import ts from 'typescript'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { bundleModules } from '../../../../src/compiler/compile/emit/bundle.ts'
import { codeLanguage, packageType } from '../../../../src/compiler/compile/emit/code-language.ts'
import { bundledYaml } from '../../../../src/compiler/compile/emit/contract-module.ts'
import {
  documentFile,
  operationsDeclaration,
  operationsFile,
  textInDocument
} from '../../../../src/compiler/compile/emit/operations-module.ts'

const contract = `openapi: 3.1.0
info: { title: Bundle, version: '1' }
paths:
  /a:
    post:
      operationId: a
      requestBody: { content: &json { application/json: { schema: { type: object, properties: {
        id: { type: integer, format: int64 },
        born: { type: string, format: date },
        code: { type: string, pattern: '^[a-z]+$' },
        parts: { type: array, items: { $ref: '#/components/schemas/Part' } } } } } } }
      responses:
        '200': { description: d, headers: { X: { schema: { type: string } }, Y: { schema: { type: string } } }, content: *json }
components: { schemas: { Part: { type: object, properties: { name: { type: string } } } } }
`

t.test('the generated code', async (t) => {
  const path = join(t.testdir({ 'c.yaml': contract }), 'c.yaml')
  const compile = async () => (await compileContract(path, join(path, '../out'))).files
  const files = await compile()
  const [validators, serializers] = ['validators.js', 'serializers.js'].map((name) => String(files.get(name)))
  for (const code of [validators, serializers]) {
    t.notMatch(code, /\brequire\b|__commonJS|__esm|__toESM|module\.exports/, 'no wrapper of CommonJS')
    t.notMatch(code, /^import /m, 'self-contained')
    t.notMatch(code, '../', 'no path, which is different where the engine is installed')
    t.match(code, '// @contract-first/engine/runtime/')
  }
  t.match(validators, /function date\(/, 'the format that is used')
  t.notMatch(validators, /getTime|validateInt32|function uri|function byte/, 'no format that is not used')
  t.match(validators, /pattern_\d+ = \/\^\[a-z\]\+\$\/u;/)
  const texts = validators?.match(/typeof v == "string"/g)
  t.equal(texts?.length, 1, 'headers with equal schemas share a validator')
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

t.test('the text equals the document, with exact bigints and without anchors', async (t) => {
  const shared = { type: 'string' }
  const document = {
    openapi: '3.1.0',
    info: { title: 'yes', version: '1.0', description: 'two\nlines' },
    paths: { '/a/{b}': { get: { responses: { '200': shared, default: shared } } } },
    'x-bounds': [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 1e21, 0.1, null, true, '12', '']
  }
  const text = bundledYaml(document as never)
  const parsed = parseYaml(text) as typeof document
  t.strictSame(parsed['paths'], document.paths)
  t.match(text, /^ {2}- 9223372036854775807$/m)
  t.match(text, /^ {2}- -9223372036854775808$/m)
  t.strictSame(parsed['x-bounds'].slice(2), [1e21, 0.1, null, true, '12', ''])
  t.strictSame(parsed['info'], document.info)
  t.notMatch(text, /[&*]ref/)
})

t.test('the nearest tsconfig.json decides about the language of the code', async (t) => {
  const emitting = '{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }'
  for (const [settings, want] of [
    ['{ "compilerOptions": { "noEmit": true, "rewriteRelativeImportExtensions": true } }', 'js'],
    ['{ "compilerOptions": { "outDir": "dist" } }', 'js'],
    [emitting, 'ts'],
    ['?', 'js'],
    ['{ "extends": "./tsconfig.base.json" /* as it is */ }', 'ts']
  ] as const) {
    const folder = t.testdir({ 'tsconfig.json': settings, 'tsconfig.base.json': emitting })
    t.equal(codeLanguage(join(folder, 'src/generated')), want, settings)
  }
  t.equal(codeLanguage('/'), 'js')
})

t.test('a package.json marks the code as ES modules, unless the project does', async (t) => {
  const made = '{ "type": "module" }\n'
  for (const [about, { above, own }, want] of [
    ['no package.json anywhere', {}, true],
    ['a package of ES modules above', { above: made }, false],
    ['a package of CommonJS above', { above: '{ "name": "theirs" }' }, true],
    ['a package.json of an earlier generation', { own: made }, true],
    ['an earlier one in a package of ES modules', { own: made, above: made }, false],
    ['a package.json of the user', { own: '{ "name": "theirs" }' }, false]
  ] as readonly (readonly [string, { above?: string; own?: string }, boolean])[]) {
    const folder = await mkdtemp(join(tmpdir(), 'package-type-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const out = join(folder, 'deep', 'out')
    await mkdir(out, { recursive: true })
    if (above !== undefined) await writeFile(join(folder, 'package.json'), above)
    if (own !== undefined) await writeFile(join(out, 'package.json'), own)
    t.strictSame(await packageType(out), want ? [['package.json', made]] : [], about)
  }
})

t.test('the route table imports its neighbours by literals, in its own language', async (t) => {
  const names = ['validators', 'serializers', 'client', 'sender', 'requests', 'document', 'schemas']
  for (const language of ['js', 'ts'] as const) {
    const text = operationsFile([], { hasClient: true, schemas: ['Plant'], sent: ['event'], language })
    t.strictSame(
      ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
      names.map((name) => `./${name}.${language}`)
    )
  }
})

t.test('the declarations for the type checker are the same in both', async (t) => {
  for (const schemas of [['Plant'], []]) {
    const has = schemas.length > 0
    const declared = operationsDeclaration({ client: has, schemas: has, sender: has }).split('\n')
    const [js, source] = (['js', 'ts'] as const).map((language) =>
      operationsFile([], { hasClient: has, schemas, sent: schemas, language })
    )
    const { outputText } = ts.transpileDeclaration(String(source), {
      compilerOptions: { removeComments: true }
    })
    const written = `export declare const $build: string\n${outputText.replaceAll(';', '')}`.split('\n')
    t.strictSame(written.sort(), declared.sort())
    t.notMatch(js, /^export const \w+: /m)
  }
})

t.test('a text keeps every character, and the next run reads it', async (t) => {
  const texts = [
    '{\n  "a": "\\u0000 \\\\ `$\u007bb}` $ \u2028 ü 😀",\r\n "n": 9223372036854775807 }\n',
    '\uFEFFa: |\r\n  `\r  $\u0007{}\\\n',
    'export const yaml = `\\r\\`',
    `# ${'a large contract `$ü😀` '.repeat(50_000)}`,
    ''
  ]
  for (const yaml of texts) {
    const code = documentFile(yaml)
    t.ok(code.length < 1_000_000)
    const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    t.strictSame({ ...module }, { yaml })
    t.equal(textInDocument(`// Generated\n${code}`), yaml)
  }
  t.equal(textInDocument('// by hand'), undefined)
})
