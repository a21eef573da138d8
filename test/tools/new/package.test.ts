/** Published packages: their files, their manifests; and the steps that a command writes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Steps } from '../../../src/tools/new/command/new.ts'
import { publishedFiles, publishedManifest } from '../../../src/tools/new/command/pack.ts'

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

t.test('a package has compiled files and assets, and no file whose source is gone', async (t) => {
  const files = packageIn(join(project(t), 'src/tower'))
  t.strictSame(Object.keys(files).sort(), packed)
  const { exports, dependencies } = JSON.parse(files['package.json'] ?? '')
  t.match(exports, { '.': { default: './dist/tower.js' } })
  t.strictSame(dependencies, {}, 'a package that is not published is a part of those that import it')
  t.equal(files['dist/tower.js'], "import { pull } from './rope/pull/pull.js'\n")
  t.equal(files['dist/tower.d.ts'], 'import { pull } from "./rope/pull/pull.js"\n')
  t.equal(files['dist/page/page.js'], "import { pull } from '../rope/pull/pull.js'\n")
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

t.test('a published manifest names compiled files, and every package that they need', async (t) => {
  t.strictSame(
    publishedManifest({
      name: '@bells/tower',
      version: '1.2.3',
      exports: { '.': './tower.ts', './ring/*': './ring/*.ts', './package.json': './package.json' },
      bin: { ring: './command/ring.ts' },
      private: true,
      dependencies: { rope: '^1.0.0', '@contract-first/engine': '1.2.3', '@contract-first/cli': '1.2.3' },
      devDependencies: { oil: '^2.0.0' }
    }),
    {
      name: '@bells/tower',
      version: '1.2.3',
      files: ['dist', 'CHANGELOG.md'],
      publishConfig: { access: 'public', provenance: true },
      bin: { ring: './dist/command/ring.js' },
      exports: {
        '.': { types: './dist/tower.d.ts', default: './dist/tower.js' },
        './ring/*': { types: './dist/ring/*.d.ts', default: './dist/ring/*.js' },
        './package.json': './package.json'
      },
      dependencies: { rope: '^1.0.0', '@contract-first/engine': '1.2.3', oil: '^2.0.0' }
    }
  )
})

t.test('a package without programs has no bin', async (t) => {
  t.notOk('bin' in publishedManifest({ name: 'x', version: '1.0.0', exports: {} }))
})

t.test(
  'a step is named when it begins, and its time is written while it lasts and when it ends',
  async (t) => {
    let output = ''
    const { begin, end } = new Steps((text) => {
      output += text
    }, 20)
    begin('packing')
    t.equal(output, 'packing')
    while (output === 'packing') await delay(5)
    t.equal(output, 'packing … 0 s')
    begin('installing')
    end()
    t.match(output, /^packing … 0 s: \d\.\d s\ninstalling: 0\.0 s\n$/)
    const whole = output
    end()
    t.equal(output, whole)
  }
)
