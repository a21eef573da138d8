/** The language of generated code, by the nearest tsconfig.json, and the package.json that marks it as ES modules. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { codeLanguage, packageType } from '../../../../src/compiler/compile/emit/code-language.ts'

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

const made = '{ "type": "module" }\n'
const packages: { name: string; above?: string; own?: string; want: boolean }[] = [
  { name: 'no package.json anywhere', want: true },
  { name: 'a package of ES modules above', above: '{ "type": "module" }', want: false },
  { name: 'a package of CommonJS above', above: '{ "name": "theirs" }', want: true },
  { name: 'a package.json of an earlier generation', own: made, want: true },
  { name: 'an earlier one in a package of ES modules', own: made, above: '{"type":"module"}', want: false },
  { name: 'a package.json of the user', own: '{ "name": "theirs" }', want: false }
]

for (const { name, above, own, want } of packages)
  t.test(name, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'package-type-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const out = join(folder, 'deep', 'out')
    await mkdir(out, { recursive: true })
    if (above !== undefined) await writeFile(join(folder, 'package.json'), above)
    if (own !== undefined) await writeFile(join(out, 'package.json'), own)
    t.strictSame(await packageType(out), want ? [['package.json', made]] : [])
  })
