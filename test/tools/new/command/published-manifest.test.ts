import t from 'tap'
import { publishedManifest } from '../../../../src/tools/new/command/pack.ts'

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
