/** The lock file of a new project, from the lock file of this one. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import manifest from '../../../../package.json' with { type: 'json' }
import { overrides, tools } from '../../../../src/compiler/command/new/files/manifest.ts'
import { type Locked, lockFor, type Packages } from '../../../../src/compiler/command/new/lock.ts'

const packagesOf = (lock: object): Record<string, Locked> => Reflect.get(lock, 'packages')
const flags = ({ dev, optional, devOptional }: Locked = {}) =>
  Object.entries({ dev, optional, devOptional }).flatMap(([name, value]) => (value === true ? [name] : []))

t.test('a lock file holds what the root and its packages need, with the flags of npm', async (t) => {
  const packages: Packages = {
    'node_modules/@own/engine': { resolved: 'src/engine', link: true },
    'src/engine': { name: '@own/engine', version: '1.0.0', dependencies: { a: '1.0.0' } },
    'src/engine/node_modules/a': { version: '1.0.0', dependencies: { b: '^1.0.0' } },
    'node_modules/a': { version: '2.0.0' },
    'node_modules/b': {
      version: '1.1.0',
      dev: true,
      optionalDependencies: { o: '1', gone: '1', shared: '1' }
    },
    'node_modules/o': { version: '1.0.0' },
    'node_modules/tool': {
      version: '3.0.0',
      dependencies: { b: '^1.0.0', o: '1', c: '1', shared: '1' },
      optionalDependencies: { o: '1' },
      peerDependencies: { p: '*', q: '*' },
      peerDependenciesMeta: { q: { optional: true } }
    },
    'node_modules/tool/node_modules/c': { version: '1.0.0', dependencies: { a: '2' } },
    'node_modules/p': { version: '1.0.0', peer: true },
    'node_modules/other': { version: '1.0.0' },
    'node_modules/shared': { version: '1.0.0' }
  }
  const root = {
    name: 'x',
    version: '0.1.0',
    dependencies: { '@own/engine': 'file:e.tgz', b: '^1.0.0' },
    devDependencies: { tool: '3.0.0' }
  }
  const engine = {
    version: '1.0.0',
    resolved: 'file:e.tgz',
    integrity: 'sha512-x',
    dependencies: { a: '1.0.0' }
  }
  const lock = lockFor(packages, { root, own: new Map([['@own/engine', engine]]) })
  const locked = packagesOf(lock)
  t.match(lock, { name: 'x', version: '0.1.0', lockfileVersion: 3 })
  t.strictSame(Object.fromEntries(Object.entries(locked).map(([place, each]) => [place, flags(each)])), {
    '': [],
    'node_modules/@own/engine': [],
    'node_modules/@own/engine/node_modules/a': [],
    'node_modules/a': ['dev'],
    'node_modules/b': [],
    'node_modules/o': ['optional'],
    'node_modules/p': ['dev'],
    'node_modules/shared': ['devOptional'],
    'node_modules/tool': ['dev'],
    'node_modules/tool/node_modules/c': ['dev']
  })
  t.equal(locked['node_modules/@own/engine/node_modules/a']?.version, '1.0.0')
  t.equal(locked['node_modules/@own/engine']?.integrity, 'sha512-x')
  const installed = lockFor(
    { ...packages, 'node_modules/@own/engine': {} },
    { root, own: new Map([['@own/engine', { ...engine, dependencies: {} }]]) }
  )
  t.match(
    packagesOf(installed),
    { 'node_modules/@own/engine': { integrity: 'sha512-x' } },
    'a package that is no link'
  )
  t.throws(() => lockFor({}, { root, own: new Map() }), /the package @own\/engine is not locked$/)
  const newer = { ...packages, 'node_modules/tool': { version: '3.0.1' } }
  t.throws(() => lockFor(newer, { root, own: new Map() }), /the package tool is not locked as 3\.0\.0$/)
})

t.test('the tools of a new project are locked at the versions of this one', async (t) => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  t.match(manifest.devDependencies, tools)
  t.strictSame(manifest.overrides.recheck, overrides.recheck)
  const root = { name: 'x', version: '0.1.0', devDependencies: tools }
  const locked = packagesOf(lockFor(packages, { root, own: new Map() }))
  for (const [name, version] of Object.entries(tools))
    t.equal(locked[`node_modules/${name}`]?.version, version, name)
  t.ok(
    Object.keys(locked).some((place) => place.startsWith('node_modules/@biomejs/cli-')),
    'every platform'
  )
})
