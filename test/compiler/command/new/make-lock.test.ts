/** The lock file of a new project when no known one holds its packages: npm makes it. */
import { chmodSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeLock, nearestLock } from '../../../../src/compiler/command/new/make-lock.ts'

const manifest = { name: 'x', version: '0.1.0', dependencies: { a: '1.0.0' }, devDependencies: {} }
const options = { manifest, tarballs: [], packages: {} }

/** Replaces npm by a shell script, so that no test asks a registry. */
function withNpm(t: Test, script: string): string {
  const folder = t.testdir({ bin: { npm: `#!/bin/sh\n${script}\n` }, project: {} })
  chmodSync(join(folder, 'bin/npm'), 0o755)
  const { PATH } = process.env
  process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`
  t.teardown(() => (process.env['PATH'] = PATH))
  return join(folder, 'project')
}

t.test('packages that no lock file holds are looked up by npm', async (t) => {
  const project = withNpm(t, 'echo "$@" > package-lock.json')
  await makeLock(project, options)
  t.match(
    await readFile(join(project, 'package-lock.json'), 'utf8'),
    /^install --package-lock-only --ignore-scripts/
  )
})

t.test('the packages of the project itself are locked as their tarballs are', async (t) => {
  const folder = t.testdir({})
  const locked = { version: '1.0.0', resolved: 'file:vendor/own.tgz', integrity: 'sha512-x' }
  await makeLock(folder, {
    manifest: { ...manifest, dependencies: { own: 'file:vendor/own.tgz' } },
    tarballs: [{ name: 'own', path: 'vendor/own.tgz', bytes: Buffer.from(''), locked }],
    packages: {}
  })
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  t.strictSame(packages['node_modules/own'], locked)
})

t.test('without a registry the command ends with a sentence', async (t) => {
  const project = withNpm(t, 'echo "npm error ENOTFOUND" >&2; exit 1')
  const error = await makeLock(project, options).catch((thrown) => thrown)
  t.match(error, {
    problems: ['npm finds no versions for the packages of the project:\nnpm error ENOTFOUND'],
    next: 'nothing was written; npm needs its registry for this once'
  })
})

t.test('any other error is a defect', async (t) => {
  await t.rejects(
    makeLock(join(t.testdir({}), 'none'), {
      ...options,
      packages: { 'node_modules/a': { version: '1.0.0' } }
    }),
    {
      code: 'ENOENT'
    }
  )
})

t.test('the lock file is that of the nearest folder above', async (t) => {
  t.match(await nearestLock(), { 'node_modules/fastify': {} })
  t.strictSame(await nearestLock('/'), {})
  t.strictSame(await nearestLock(t.testdir({ 'package-lock.json': '{}' })), {})
})
