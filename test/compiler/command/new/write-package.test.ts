import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { writePackage } from '../../../../src/compiler/command/new/pack.ts'

const manifest = { name: 'tower', version: '1.0.0', exports: { '.': './tower.ts' } }

function project(t: Test): string {
  return t.testdir({
    LICENSE: 'MIT',
    src: {
      tower: {
        'package.json': JSON.stringify(manifest),
        'tsconfig.package.json': '{ "compilerOptions": { "outDir": "../../out" } }',
        'README.md': '# Tower',
        'tower.ts': 'export {}',
        page: { 'page.ts': 'export {}', 'index.html': '<html>' }
      }
    },
    out: {
      'tower.js': 'export {}',
      'tower.d.ts': 'export {}',
      'tower.js.map': '{}',
      'gone.js': 'export {}',
      page: { 'page.js': 'export {}' }
    }
  })
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()

const packed = [
  'LICENSE',
  'README.md',
  'dist/page/index.html',
  'dist/page/page.js',
  'dist/tower.d.ts',
  'dist/tower.js',
  'dist/tower.js.map',
  'package.json'
]

t.test(
  'a package has compiled files and assets, but no sources, and nothing whose source is gone',
  async (t) => {
    const folder = project(t)
    const target = join(folder, 'staged')
    writePackage(join(folder, 'src/tower'), target)
    t.strictSame(filesOf(target), packed)
    t.match(JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')), {
      exports: { '.': { default: './dist/tower.js' } }
    })
  }
)

t.test('a package can be written into the folder of its sources', async (t) => {
  const tower = join(project(t), 'src/tower')
  writePackage(tower, tower)
  t.strictSame(
    filesOf(tower).filter((file) => packed.includes(file)),
    packed
  )
})
