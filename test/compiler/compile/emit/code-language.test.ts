/** The language of generated code, by the nearest tsconfig.json. */
import { join } from 'node:path'
import t from 'tap'
import { codeLanguage } from '../../../../src/compiler/compile/emit/code-language.ts'

const rows: { name: string; options: object | string; want: 'js' | 'ts' }[] = [
  { name: 'tsc emits nothing', options: { noEmit: true, rewriteRelativeImportExtensions: true }, want: 'js' },
  { name: 'tsc refuses imports of .ts', options: { outDir: 'dist' }, want: 'js' },
  { name: 'tsc emits imports of .ts', options: { rewriteRelativeImportExtensions: true }, want: 'ts' },
  { name: 'a tsconfig.json that is no JSON', options: '?', want: 'js' }
]

for (const { name, options, want } of rows)
  t.test(name, async (t) => {
    const text = typeof options === 'string' ? options : JSON.stringify({ compilerOptions: options })
    const folder = t.testdir({ 'tsconfig.json': text })
    t.equal(codeLanguage(join(folder, 'src/generated')), want)
  })

t.test('a tsconfig.json may extend another, and hold comments', async (t) => {
  const folder = t.testdir({
    'tsconfig.base.json': '{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }',
    'tsconfig.json': '{ "extends": "./tsconfig.base.json" /* as it is */ }'
  })
  t.equal(codeLanguage(folder), 'ts')
})

t.test('without a tsconfig.json the language is JavaScript', async (t) => t.equal(codeLanguage('/'), 'js'))
