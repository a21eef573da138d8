/** The folder that `npm run new` writes, with its packages, its dependencies and its git repository. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { packageFolders, packedPackages, vendorPackages } from '../../../src/tools/new/command/pack.ts'
import {
  install,
  makeRepository,
  nearestLock,
  writeFolder,
  writeTree
} from '../../../src/tools/new/command/write.ts'

/** Sets variables of this process for one test. */
function withVariables(t: Test, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name]
    process.env[name] = value
    t.teardown(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}

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
  withVariables(t, { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` })
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

/** Returns a folder with a file, outside of every repository, and sets the settings of git for all repositories. */
function outside(t: Test, settings = '[user]\nname = Test\nemail = test@plants.example\n'): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'repository-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'project')
  mkdirSync(folder)
  writeFileSync(join(root, 'gitconfig'), settings)
  withVariables(t, { GIT_CONFIG_GLOBAL: join(root, 'gitconfig'), GIT_CONFIG_SYSTEM: '/dev/null' })
  for (const name of ['file', 'ignored']) writeFileSync(join(folder, name), 'x')
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  return folder
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

t.test('a project is committed whole, but for what .gitignore names', async (t) => {
  const folder = outside(t)
  t.equal(await makeRepository(folder), 'a repository with a first commit')
  t.equal(git(folder, 'ls-files'), '.gitignore\nfile')
  t.equal(git(folder, 'status', '--porcelain'), '')
  t.equal(git(folder, 'log', '--format=%an %s %D'), 'Test Make the project with npm run new HEAD -> main')
})

t.test('neither a signature nor a hook of the machine is asked for', async (t) => {
  const settings =
    '[user]\nname = Test\nemail = test@plants.example\n[commit]\ngpgsign = true\n[gpg]\nprogram = false\n'
  t.equal(await makeRepository(outside(t, settings)), 'a repository with a first commit')
})

t.test('variables of another repository, as in a hook, do not count', async (t) => {
  const [folder, other] = [outside(t), outside(t)]
  git(other, 'init', '--quiet')
  withVariables(t, { GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git/index') })
  t.equal(await makeRepository(folder), 'a repository with a first commit')
})

t.test('a project within a repository stays a part of it', async (t) => {
  const folder = outside(t)
  const root = join(folder, '..')
  git(root, 'init', '--quiet')
  t.equal(await makeRepository(folder), `part of the repository ${root}: commit it there`)
  t.match(git(root, 'status', '--porcelain'), '?? project/')
})

t.test('a sentence says what git lacks', async (t) => {
  const folder = outside(t, '[user]\nuseConfigOnly = true\n')
  t.match(await makeRepository(folder), /^a repository without a commit: set user\.name and user\.email/)
  const broken = outside(t, '[user\n')
  t.match(await makeRepository(broken), /^no commit: fatal: bad config line 1 in file/)
  writeFileSync(join(folder, 'git'), 'not executable')
  withVariables(t, { PATH: folder })
  t.equal(await makeRepository(folder), 'no commit: spawn git EACCES')
  withVariables(t, { PATH: join(folder, 'nothing') })
  t.equal(await makeRepository(folder), 'no repository, because git is not installed; npm run diff needs one')
})

const packed = ['installed-1.0.0.tgz', 'own-sources-1.0.0.tgz']

t.test('the packages are those of this repository', async (t) => {
  const folders = packageFolders().map((folder) => relative('.', folder))
  t.strictSame(folders, ['src/engine', 'src/service', 'src/contract', 'src/compiler'])
})

t.test('a package of sources is compiled and packed, one that is installed is packed as it is', async (t) => {
  const settings = {
    ...{ composite: true, noLib: true, types: [], target: 'esnext', module: 'esnext' },
    ...{ outDir: '../../out', rootDir: '.' }
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
        'globals.d.ts':
          'Array,Boolean,CallableFunction,Function,IArguments,NewableFunction,Number,Object,RegExp,String'
            .split(',')
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
  t.strictSame(readdirSync(join(folder, 'vendor')).sort(), packed)
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
  for (const name of ['one', 'two']) t.strictSame(readdirSync(join(folder, name, 'vendor')).sort(), packed)
  t.equal(readdirSync(cache).length, 1)
  t.notOk(readdirSync(cache).includes(kept), 'the earlier one is gone')
})
