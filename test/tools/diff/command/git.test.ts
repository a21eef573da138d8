/** A cloned folder may hold a repository of anyone: git runs no program that its configuration names. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { git, gitText } from '../../../../src/tools/diff/command/git.ts'
import { runDiff } from '../../../../src/tools/diff/command/run.ts'

t.setTimeout(900_000)

const contract = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things: { get: { responses: { '200': { description: OK } } } }
`

const refused = { exitCode: 2, message: /./ }
const paint = (_style: unknown, text: string) => text

const diff = (folder: string, base = 'HEAD') =>
  runDiff(
    { base, contract: join(folder, 'openapi.yaml'), format: 'text', folder },
    { output: paint, errors: paint }
  )

function setUp(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@plants.example']
  return execFileSync('git', [...identity, '-c', 'init.defaultBranch=main', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore']
  })
}

/** Returns a repository, and the path of a program that leaves a file `ran` behind. */
async function repository(t: Test): Promise<{ folder: string; program: string; marker: string }> {
  const folder = t.testdir({ 'openapi.yaml': contract, '.gitattributes': '* filter=f diff=f\n' })
  const [program, marker] = [join(folder, 'program.sh'), join(folder, 'ran')]
  await writeFile(program, `#!/bin/sh\ntouch ${marker}\nexit 1\n`)
  await chmod(program, 0o755)
  setUp(folder, 'init', '.')
  setUp(folder, 'add', 'openapi.yaml')
  setUp(folder, 'commit', '-m', 'first')
  return { folder, program, marker }
}

/** Each key of git's configuration that names a program, or what makes git call one. */
const settings = (program: string): readonly (readonly [string, string])[] => [
  ['core.fsmonitor', program],
  ['core.pager', program],
  ['core.editor', program],
  ['core.askPass', program],
  ['core.sshCommand', program],
  ['core.gitProxy', program],
  ['core.alternateRefsCommand', program],
  ['core.hooksPath', join(program, '..', 'hooks')],
  ['alias.rev-parse', `!${program}`],
  ['alias.cat-file', `!${program}`],
  ['filter.f.smudge', program],
  ['filter.f.clean', program],
  ['filter.f.process', program],
  ['diff.external', program],
  ['diff.f.textconv', program],
  ['diff.f.command', program],
  ['gpg.program', program],
  ['credential.helper', `!${program}`],
  ['uploadpack.packObjectsHook', program],
  ['pager.ls-tree', program],
  ['pager.for-each-ref', program]
]

async function poison(config: string, program: string): Promise<void> {
  for (const [key, value] of settings(program)) execFileSync('git', ['config', '--file', config, key, value])
}

/** Makes git fetch the missing objects of a commit from `url`. */
async function makePartial(folder: string, url: string): Promise<void> {
  const config = join(folder, '.git/config')
  const [, scheme = ''] = /^(\w+):/.exec(url) ?? []
  await appendFile(
    config,
    `[extensions]\n partialClone = origin\n[core]\n repositoryFormatVersion = 1\n` +
      `[remote "origin"]\n url = ${url}\n promisor = true\n uploadpack = ${join(folder, 'program.sh')}\n` +
      `[protocol "${scheme}"]\n allow = always\n`
  )
  const tree = setUp(folder, 'rev-parse', 'HEAD^{tree}').trim()
  const blob = setUp(folder, 'rev-parse', 'HEAD:openapi.yaml').trim()
  for (const id of [tree, blob]) await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
}

t.test('a folder that looks like a repository is none', async (t) => {
  const { folder, program, marker } = await repository(t)
  for (const name of ['HEAD', 'config', 'objects', 'refs'])
    await rename(join(folder, '.git', name), join(folder, name))
  await rm(join(folder, '.git'), { recursive: true })
  await poison(join(folder, 'config'), program)
  const ceiling = process.env['GIT_CEILING_DIRECTORIES']
  process.env['GIT_CEILING_DIRECTORIES'] = join(folder, '..')
  t.teardown(() => {
    process.env['GIT_CEILING_DIRECTORIES'] = ceiling ?? ''
  })
  await t.rejects(diff(folder, 'main'), { exitCode: 2, message: /openapi.yaml is in no git repository/ })
  t.notOk(existsSync(marker))
})

t.test('a repository runs no program', async (t) => {
  const { folder, program, marker } = await repository(t)
  await poison(join(folder, '.git/config'), program)
  await mkdir(join(folder, 'hooks'))
  for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman'])
    await writeFile(join(folder, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
  t.match(await diff(folder), { exitCode: 0 })
  for (const base of ['none', 'HEAD:none.yaml', 'mian']) await t.rejects(diff(folder, base), refused)
  t.notOk(existsSync(marker))
})

for (const url of [
  'ssh://host.example/x',
  'ext::PROGRAM',
  'file:///FOLDER',
  'git://host.example/x',
  'https://host.example/x'
])
  t.test(`missing objects are not fetched: ${url}`, async (t) => {
    const { folder, program, marker } = await repository(t)
    await poison(join(folder, '.git/config'), program)
    await makePartial(folder, url.replace('PROGRAM', program).replace('FOLDER', folder))
    await t.rejects(diff(folder), refused)
    t.notOk(existsSync(marker))
  })

t.test('a BASE is never an option', async (t) => {
  const { folder } = await repository(t)
  for (const base of [
    '--output=stolen',
    '--upload-pack=touch ran',
    '-h',
    '--help',
    '--all',
    '--exec=x',
    '--git-dir=/'
  ])
    await t.rejects(diff(folder, base), { exitCode: 2, message: /is neither a file nor a revision/ }, base)
  t.notOk(existsSync(join(folder, 'stolen')))
})

t.test('variables of git that a hook or a shell sets choose no other repository', async (t) => {
  const { folder } = await repository(t)
  const other = join(folder, 'other')
  const given = {
    GIT_DIR: other,
    GIT_WORK_TREE: other,
    GIT_OBJECT_DIRECTORY: other,
    GIT_EXTERNAL_DIFF: 'false'
  }
  Object.assign(process.env, given)
  t.teardown(() => {
    for (const name of Object.keys(given)) delete process.env[name]
  })
  t.match(await diff(folder), { exitCode: 0 })
  t.equal(git(folder, 'no-such-command'), undefined)
  t.equal(gitText(folder, 'no-such-command'), '')
})
