import { chmodSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import manifest from '../../../../package.json' with { type: 'json' }
import { install, nearestLock, writeFolder, writeTree } from '../../../../src/tools/new/command/write.ts'

const taken = { message: /^(it is not empty|there is a file of this name)$/ }
const fill = (staging: string) => writeTree(staging, [['a/b.txt', 'text']])

t.test('a new folder, and an empty one, is filled', async (t) => {
  const here = t.testdir({ empty: {} })
  for (const folder of ['new/inner', 'empty']) {
    await writeFolder(join(here, folder), fill)
    t.equal(await readFile(join(here, folder, 'a/b.txt'), 'utf8'), 'text')
    t.equal((await stat(join(here, folder))).mode & 0o777, 0o755, 'others may read it')
  }
  t.strictSame((await readdir(here)).sort(), ['empty', 'new'])
})

t.test('a folder with anything in it, and a file, stay as they are', async (t) => {
  const here = t.testdir({ full: { '.git': {} }, file: 'text' })
  for (const folder of ['full', 'file']) await t.rejects(writeFolder(join(here, folder), fill), taken)
  t.strictSame(await readdir(join(here, 'full')), ['.git'])
})

t.test('a failure half-way leaves nothing behind', async (t) => {
  const here = t.testdir({ empty: {} })
  const failing = async (staging: string) => {
    await fill(staging)
    throw new Error('half-way')
  }
  for (const folder of ['empty', 'new/inner', 'new/far/inner'])
    await t.rejects(writeFolder(join(here, folder), failing), { message: 'half-way' })
  t.strictSame(await readdir(here, { recursive: true }), ['empty'])
})

t.test('files that are put into the folder meanwhile are kept', async (t) => {
  const here = t.testdir({ empty: {} })
  const beside = async (staging: string) => {
    await fill(staging)
    await writeFile(join(here, 'empty/mine'), 'mine')
  }
  await t.rejects(writeFolder(join(here, 'empty'), beside), { code: 'ENOTEMPTY' })
  t.strictSame(await readdir(here, { recursive: true }), ['empty', 'empty/mine'])
})

t.test('files that are put beside the folder meanwhile are kept', async (t) => {
  const here = t.testdir({})
  const beside = async (staging: string) => {
    await fill(staging)
    await writeFile(join(here, 'new/mine'), 'mine')
    throw new Error('half-way')
  }
  await t.rejects(writeFolder(join(here, 'new/far/inner'), beside), { message: 'half-way' })
  t.strictSame(await readdir(here, { recursive: true }), ['new', 'new/mine'])
})

t.test('a folder that cannot be read is an error of the file system', async (t) => {
  await t.rejects(writeFolder(join(t.testdir({}), 'x'.repeat(300)), fill), { code: 'ENAMETOOLONG' })
})

/** Replaces npm by a shell script, so that no test asks a registry. */
function withNpm(t: Test, script: string): string {
  const folder = t.testdir({ bin: { npm: `#!/bin/sh\n${script}\n` }, project: {} })
  chmodSync(join(folder, 'bin/npm'), 0o755)
  const { PATH } = process.env
  process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`
  t.teardown(() => (process.env['PATH'] = PATH))
  return join(folder, 'project')
}

/** Lets npm install the package `node`. */
const installing = (version: string) =>
  `echo "$@" >> arguments; mkdir -p node_modules/node; echo '{ "version": "${version}" }' > node_modules/node/package.json`

const { dependencies, devDependencies } = manifest

/** Files of the registry, by folder: of a plain name, of a scope, of an alias. */
const tarballs = {
  'node_modules/fastify': `fastify/-/fastify-${dependencies.fastify}`,
  'node_modules/@types/node': `@types/node/-/node-${devDependencies['@types/node']}`,
  'node_modules/recheck/node_modules/recheck-jar': 'empty-npm-package/-/empty-npm-package-1.0.0'
}

t.test('npm installs the packages, from the versions that this project is tested with', async (t) => {
  const project = withNpm(t, installing(process.versions.node))
  t.equal(await install(project), undefined)
  t.match(
    await readFile(join(project, 'arguments'), 'utf8'),
    /^install --include=dev --prefer-offline .*\nrun format\n$/,
    'also where NODE_ENV is production'
  )
  const [made, own] = [join(project, 'package-lock.json'), 'package-lock.json']
  const [lock, ownLock] = await Promise.all(
    [made, own].map(async (file) => JSON.parse(await readFile(file, 'utf8')).packages)
  )
  for (const [path, file] of Object.entries(tarballs)) {
    const resolved = `https://registry.npmjs.org/${file}.tgz`
    t.strictSame(lock[path], { resolved, ...ownLock[path] }, 'npm need not search for its file')
  }
  t.ok(ownLock['node_modules/@contract-first/engine'].link)
  const ours = Object.keys(lock).filter((path) => /contract-first|^src/.test(path))
  t.strictSame(ours, [], 'workspaces are links to folders that the project does not have')
  t.equal(
    (await stat(join(project, 'node_modules/.bin/node'))).size,
    (await stat(process.execPath)).size,
    'its Node is this one'
  )
})

t.test('a Node of another version is installed by its package', async (t) => {
  const project = withNpm(t, installing('1.2.3'))
  t.equal(await install(project), undefined)
  t.match(await readFile(join(project, 'arguments'), 'utf8'), /^install .*\nrebuild node\nrun format\n$/)
})

t.test('the complaint of npm is returned', async (t) => {
  const failing = withNpm(t, 'echo "npm error ENOTFOUND" >&2; exit 1')
  t.equal(await install(failing), 'npm error ENOTFOUND')
  t.match(await install(withNpm(t, 'exit 1')), /^Command failed: npm install/)
})

t.test('the lock file is that of the nearest folder above', async (t) => {
  const folder = t.testdir({ 'package-lock.json': '{}', inner: {} })
  t.equal(nearestLock(join(folder, 'inner')), join(folder, 'package-lock.json'))
  t.equal(nearestLock(), join(process.cwd(), 'package-lock.json'))
  t.equal(nearestLock('/'), undefined)
})
