import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { packageFolders, packedPackages, vendorPackages } from '../../../../src/tools/new/command/pack.ts'

const tarballs = ['installed-1.0.0.tgz', 'own-sources-1.0.0.tgz']

t.test('the packages are those of this repository', async (t) => {
  const folders = packageFolders().map((folder) => relative('.', folder))
  t.strictSame(folders, ['src/engine', 'src/service', 'src/contract', 'src/compiler'])
})

t.test('a package of sources is compiled and packed, one that is installed is packed as it is', async (t) => {
  const settings = {
    composite: true,
    noLib: true,
    types: [],
    target: 'esnext',
    module: 'esnext',
    outDir: '../../out',
    rootDir: '.'
  }
  const manifest = (name: string) =>
    JSON.stringify({ name, version: '1.0.0', exports: { '.': './index.ts' } })
  const folder = t.testdir({
    LICENSE: 'MIT',
    'CHANGELOG.md': '# Changelog',
    src: {
      sources: {
        'package.json': manifest('@own/sources'),
        'tsconfig.package.json': JSON.stringify({ compilerOptions: settings, include: ['*.ts'] }),
        'globals.d.ts': [
          'Array',
          'Boolean',
          'CallableFunction',
          'Function',
          'IArguments',
          'NewableFunction',
          'Number',
          'Object',
          'RegExp',
          'String'
        ]
          .map((name) => `interface ${name}${name === 'Array' ? '<T>' : ''} {}\n`)
          .join(''),
        'index.ts': 'export const one: 1 = 1\n',
        'README.md': '# Sources'
      }
    },
    installed: {
      'package.json': manifest('installed'),
      lost: t.fixture('symlink', 'nowhere'),
      node_modules: { other: { 'index.js': '' } }
    }
  })
  const [sources, installed] = [join(folder, 'src/sources'), join(folder, 'installed')]
  const cache = join(folder, 'cache')
  await vendorPackages(folder, packedPackages([sources, installed], cache))
  t.match(readFileSync(join(folder, 'out/index.js'), 'utf8'), 'export const one = 1')
  t.strictSame(readdirSync(join(folder, 'vendor')).sort(), tarballs)
  const other = join(folder, 'other')
  await vendorPackages(other, packedPackages([installed], join(folder, 'other cache')))
  t.strictSame(readdirSync(join(other, 'vendor')), ['installed-1.0.0.tgz'], 'nothing is compiled')
  const listed = execFileSync('tar', ['-tzf', join(other, 'vendor/installed-1.0.0.tgz')], {
    encoding: 'utf8'
  })
  t.equal(listed, 'package/package.json\n', 'neither its dependencies nor a link to nothing')

  t.comment('what is packed is kept until a file changes')
  const [kept = ''] = readdirSync(cache)
  writeFileSync(join(cache, kept, 'installed-1.0.0.tgz'), 'kept')
  const again = join(folder, 'again')
  await vendorPackages(again, packedPackages([sources, installed], cache))
  t.equal(readFileSync(join(again, 'vendor/installed-1.0.0.tgz'), 'utf8'), 'kept')
  rmSync(join(sources, 'README.md'))
  await t.rejects(vendorPackages(join(folder, 'failed'), packedPackages([sources, installed], cache)), {
    code: 'ENOENT'
  })
  t.strictSame(readdirSync(cache), [kept], 'nothing unfinished is left')
  writeFileSync(join(sources, 'README.md'), '# Changed')
  await Promise.all(
    ['one', 'two'].map((name) =>
      vendorPackages(join(folder, name), packedPackages([sources, installed], cache))
    )
  )
  for (const name of ['one', 'two']) t.strictSame(readdirSync(join(folder, name, 'vendor')).sort(), tarballs)
  t.equal(readdirSync(cache).length, 1)
  t.notOk(readdirSync(cache).includes(kept), 'the earlier one is gone')
})
