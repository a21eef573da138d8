import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { packageFolders, vendorPackages } from '../../../../src/tools/new/command/pack.ts'

/** Writes a tarball of each folder as npm does, in a tenth of its time. */
const npm = `#!/bin/sh
[ "$1 $2 $3" = "pack --ignore-scripts --pack-destination" ] || exit 1
to=$4
shift 4
for folder; do
  tar -czf "$to/$(basename "$folder").tgz" --transform 's,^[.],package,' -C "$folder" ./package.json .
done
`

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
    bin: { npm },
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
    installed: { 'package.json': manifest('installed') }
  })
  chmodSync(join(folder, 'bin/npm'), 0o755)
  const { PATH } = process.env
  process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`
  t.teardown(() => (process.env['PATH'] = PATH))
  const [sources, installed] = [join(folder, 'src/sources'), join(folder, 'installed')]
  const cache = join(folder, 'cache')
  await vendorPackages(folder, [sources, installed], cache)
  t.match(readFileSync(join(folder, 'out/index.js'), 'utf8'), 'export const one = 1')
  t.strictSame(readdirSync(join(folder, 'vendor')).sort(), ['installed.tgz', 'sources.tgz'])
  const other = join(folder, 'other')
  await vendorPackages(other, [installed], join(folder, 'other cache'))
  t.strictSame(readdirSync(join(other, 'vendor')), ['installed.tgz'], 'nothing is compiled')

  t.comment('what is packed is kept until a file changes')
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\nexit 1\n')
  const again = join(folder, 'again')
  await vendorPackages(again, [sources, installed], cache)
  t.strictSame(readdirSync(join(again, 'vendor')).sort(), ['installed.tgz', 'sources.tgz'])
  writeFileSync(join(sources, 'README.md'), '# Changed')
  await t.rejects(vendorPackages(join(folder, 'failed'), [sources, installed], cache), { code: 1 })
  t.equal(readdirSync(cache).length, 1, 'nothing unfinished is left')
  writeFileSync(join(folder, 'bin/npm'), npm)
  await Promise.all(
    ['one', 'two'].map((name) => vendorPackages(join(folder, name), [sources, installed], cache))
  )
  for (const name of ['one', 'two'])
    t.strictSame(readdirSync(join(folder, name, 'vendor')).sort(), ['installed.tgz', 'sources.tgz'])
  t.equal(readdirSync(cache).length, 1, 'the earlier one is gone')
})
