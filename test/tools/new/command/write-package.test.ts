import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { writePackage } from '../../../../src/tools/new/command/pack.ts'

const manifest = {
  name: 'tower',
  version: '1.0.0',
  exports: { '.': './tower.ts' },
  dependencies: { '@contract-first/rope': '1.0.0' }
}
const rope = { name: '@contract-first/rope', version: '1.0.0', exports: { './pull': './pull/pull.ts' } }
const settings = (outDir: string, rootDir: string, ...include: readonly string[]) =>
  JSON.stringify({ compilerOptions: { outDir, rootDir }, include })
const importing = (quote: string) => `import { pull } from ${quote}@contract-first/rope/pull${quote}\n`

function project(t: Test): string {
  return t.testdir({
    LICENSE: 'MIT',
    'CHANGELOG.md': '# Changelog',
    src: {
      rope: {
        'package.json': JSON.stringify(rope),
        'tsconfig.package.json': settings('../../rope', '.', '**/*.ts'),
        pull: { 'pull.ts': 'export {}' }
      },
      tower: {
        'package.json': JSON.stringify(manifest),
        'tsconfig.package.json': settings('../../out', '.', '**/*.ts'),
        'README.md': '# Tower',
        'tower.ts': 'export {}',
        page: { 'page.ts': 'export {}', 'index.html': '<html>' }
      }
    },
    out: {
      'tower.js': importing("'"),
      'tower.d.ts': importing('"'),
      'gone.js': 'export {}',
      page: { 'page.js': importing("'") }
    },
    rope: { pull: { 'pull.js': 'export {}', 'pull.d.ts': 'export {}' } }
  })
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()

const packed = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/page/index.html',
  'dist/page/page.js',
  'dist/rope/pull/pull.d.ts',
  'dist/rope/pull/pull.js',
  'dist/tower.d.ts',
  'dist/tower.js',
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

t.test('a package that is not published is a part of those that import it', async (t) => {
  const folder = project(t)
  const target = join(folder, 'staged')
  writePackage(join(folder, 'src/tower'), target)
  const read = (file: string) => readFileSync(join(target, file), 'utf8')
  t.equal(read('dist/tower.js'), "import { pull } from './rope/pull/pull.js'\n")
  t.equal(read('dist/tower.d.ts'), 'import { pull } from "./rope/pull/pull.js"\n')
  t.equal(read('dist/page/page.js'), "import { pull } from '../rope/pull/pull.js'\n")
  t.strictSame(JSON.parse(read('package.json')).dependencies, {})
})

t.test(
  'a package may have a second folder beside its own, whose files it packs under its name',
  async (t) => {
    const folder = project(t)
    const [src, out] = [join(folder, 'src'), join(folder, 'out')]
    writeFileSync(
      join(src, 'tower/tsconfig.package.json'),
      settings('../../out', '..', '**/*.ts', '../bells/**/*.ts')
    )
    for (const file of ['tower/tower.js', 'bells/ring/ring.js']) {
      mkdirSync(join(out, dirname(file)), { recursive: true })
      writeFileSync(join(out, file), 'export {}')
    }
    mkdirSync(join(src, 'bells/ring'), { recursive: true })
    for (const file of ['ring.ts', 'tune.txt']) writeFileSync(join(src, 'bells/ring', file), '')
    const target = join(folder, 'staged')
    writePackage(join(src, 'tower'), target)
    t.strictSame(
      filesOf(join(target, 'dist')).filter((file) => !file.startsWith('rope/')),
      ['bells/ring/ring.js', 'bells/ring/tune.txt', 'tower/page/index.html', 'tower/tower.js']
    )
    t.match(JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')), {
      exports: { '.': { default: './dist/tower/tower.js' } }
    })
  }
)
