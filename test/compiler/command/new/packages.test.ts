import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { packedPackages } from '../../../../src/compiler/command/new/packages.ts'

t.test('a tarball is described as a lock file does', async (t) => {
  const manifest = {
    name: '@own/engine',
    version: '1.2.3',
    license: 'MIT',
    dependencies: { a: '1.0.0' },
    bin: { x: 'x.js' },
    engines: { node: '>=24 <27' },
    devDependencies: { b: '1.0.0' }
  }
  const folder = t.testdir({
    package: { 'a-first.js': 'x'.repeat(1000), 'package.json': JSON.stringify(manifest) }
  })
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  const tarball = join(packed, 'own-engine-1.2.3.tgz')
  execFileSync('tar', ['-czf', tarball, '-C', folder, 'package/a-first.js', 'package/package.json'])
  const bytes = await readFile(tarball)
  const { devDependencies: _dev, name, ...kept } = manifest
  t.strictSame(await packedPackages(packed), [
    {
      name,
      path: 'vendor/own-engine-1.2.3.tgz',
      bytes,
      locked: {
        ...kept,
        resolved: 'file:vendor/own-engine-1.2.3.tgz',
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      }
    }
  ])
  execFileSync('tar', ['-czf', tarball, '-C', folder, 'package/a-first.js'])
  await t.rejects(packedPackages(packed), { message: 'the tarball has no package.json' })
})
