import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { publishedFiles } from '../../../../src/tools/new/command/pack.ts'

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

/** Returns the texts of the files of the package in a folder, by path. */
const packageIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(publishedFiles(folder).map(([path, content]) => [path, String(content)]))

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
    const files = packageIn(join(project(t), 'src/tower'))
    t.strictSame(Object.keys(files).sort(), packed)
    t.match(JSON.parse(files['package.json'] ?? ''), {
      exports: { '.': { default: './dist/tower.js' } }
    })
  }
)

t.test('a package that is not published is a part of those that import it', async (t) => {
  const files = packageIn(join(project(t), 'src/tower'))
  t.equal(files['dist/tower.js'], "import { pull } from './rope/pull/pull.js'\n")
  t.equal(files['dist/tower.d.ts'], 'import { pull } from "./rope/pull/pull.js"\n')
  t.equal(files['dist/page/page.js'], "import { pull } from '../rope/pull/pull.js'\n")
  t.strictSame(JSON.parse(files['package.json'] ?? '').dependencies, {})
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
    const files = packageIn(join(src, 'tower'))
    t.strictSame(
      Object.keys(files)
        .filter((file) => /^dist\/(?!rope)/.test(file))
        .sort(),
      [
        'dist/bells/ring/ring.js',
        'dist/bells/ring/tune.txt',
        'dist/tower/page/index.html',
        'dist/tower/tower.js'
      ]
    )
    t.match(JSON.parse(files['package.json'] ?? ''), {
      exports: { '.': { default: './dist/tower/tower.js' } }
    })
  }
)
