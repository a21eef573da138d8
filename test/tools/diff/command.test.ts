/** `npm run contract:diff` in process: contracts of files and revisions, its refusals, and what it never runs or reads. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import t, { type Test } from 'tap'
import { readCommandLine } from '../../../src/cli/command-line.ts'
import { NotReadable } from '../../../src/contract/load.ts'
import { gitText, git as ranGit, revisionTree } from '../../../src/tools/diff/command/base.ts'
import { grammar, readOptions } from '../../../src/tools/diff/command/contract-diff.ts'
import { runDiff } from '../../../src/tools/diff/command/run.ts'
import { commandOutcome } from '../../cli/command-outcome.ts'

t.setTimeout(900_000)

const paint = (_style: unknown, text: string) => text
const plain = { output: paint, errors: paint }

const diff = async (folder: string, ...args: readonly string[]) =>
  runDiff(readOptions(readCommandLine(args, grammar), folder), plain)

/** Calls git with a name of its own, whatever the machine has. */
function git(folder: string, ...args: readonly string[]): string {
  const identity = ['user.name=Test', 'user.email=test@plants.example', 'init.defaultBranch=main']
  const options = identity.flatMap((each) => ['-c', each])
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  return execFileSync('git', [...options, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: [...stdio]
  }).trim()
}

const write = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** Returns a repository of one commit. */
async function committed(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = t.testdir({})
  await write(folder, files)
  git(folder, 'init', '.')
  git(folder, 'add', '.')
  git(folder, 'commit', '-m', 'first')
  return folder
}

/** Sets a variable of this process for one test. */
function withVariable(t: Test, name: string, value: string): void {
  const before = process.env[name]
  process.env[name] = value
  t.teardown(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
}

const contractWith = (schema: string, more = '') => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: OK${more} } }
`

const root = (type = '') =>
  contractWith('{ $ref: schemas/thing.yaml }', type === '' ? '' : `, content: { ${type}: {} }`)

const thing = (most: number) => `type: object
properties:
  name:
    type: string
    maxLength: ${most}
`

/** Returns a repository in which the limit of a name has been 10. */
async function repository(t: Test): Promise<string> {
  const folder = await committed(t, { 'api/openapi.yaml': root(), 'api/schemas/thing.yaml': thing(10) })
  git(folder, 'tag', 'v1-release')
  return folder
}

const contract = ['--contract', 'api/openapi.yaml']

t.test(
  'a contract in several files is compared with its revision, and the place is in the file that says it',
  async (t) => {
    const folder = await repository(t)
    t.match(await diff(folder, ...contract), {
      exitCode: 0,
      output: 'nothing that matters to a client has changed since HEAD\n'
    })
    await write(folder, { 'api/schemas/thing.yaml': thing(5) })
    const { output, exitCode, errors } = await diff(folder, ...contract, '--format', 'json')
    t.equal(exitCode, 1)
    t.equal(errors, '')
    t.strictSame(JSON.parse(output), {
      breaking: [
        {
          rule: 'request-max-length-lowered',
          operation: 'POST /things',
          place: 'body/name',
          message: 'body/name: maxLength now 5 (was 10)',
          file: 'api/schemas/thing.yaml',
          line: 5,
          column: 5
        }
      ],
      undecided: [],
      compatible: []
    })
    for (const base of ['HEAD', 'main', 'v1-release', 'HEAD:api/openapi.yaml'])
      t.equal((await diff(folder, base, ...contract)).exitCode, 1, base)
    await write(folder, { 'api/schemas/thing.yaml': thing(12) })
    t.match(await diff(folder, ...contract), {
      exitCode: 0,
      output:
        /^compatible api\/schemas\/thing.yaml:5:5 POST \/things body\/name: maxLength now 12 \(was 10\) \(request-max-length-raised\)\n0 breaking, 0 undecided, 1 compatible since HEAD\n$/
    })
  }
)

t.test('the base may be a file; undecided changes fail on demand, unless they are accepted', async (t) => {
  const folder = t.testdir({
    ...{ 'old.yaml': root(), 'new.yaml': root('text/csv') },
    schemas: { 'thing.yaml': thing(10) }
  })
  const asked = (...more: readonly string[]) => diff(folder, 'old.yaml', '--contract', 'new.yaml', ...more)
  const strict = ['--fail-on', 'undecided'] as const
  const line =
    /^::warning file=new.yaml,line=\d+,col=\d+,title=response-body-added::POST \/things 200\/body: body added\n$/
  t.match(await asked('--format', 'github'), { exitCode: 0, output: line })
  t.equal((await asked('--fail-on', 'breaking')).exitCode, 0)
  const { exitCode, output } = await asked(...strict, '--format', 'markdown')
  t.equal(exitCode, 1)
  t.match(output, /On purpose\?[\s\S]*- rule: response-body-added\n/)
  const entry = '{ rule: response-body-added, place: 200/body, reason: a test }'
  await write(folder, { 'contract-accepted.yaml': `- ${entry}\n` })
  t.equal((await asked(...strict)).exitCode, 0)
})

t.test('accepted changes do not break, and entries that match nothing are reported', async (t) => {
  const folder = await repository(t)
  const entry = (rule: string, place: string) =>
    `- rule: ${rule}\n  place: ${place}\n  reason: nobody sends longer ones\n`
  await write(folder, {
    'api/schemas/thing.yaml': thing(5),
    'api/contract-accepted.yaml':
      entry('request-max-length-lowered', 'POST /things body/name') + entry('path-removed', 'GET /x')
  })
  const { output, errors, exitCode } = await diff(folder, ...contract)
  t.equal(exitCode, 0)
  t.match(
    output,
    'compatible api/schemas/thing.yaml:5:5 POST /things body/name: maxLength now 5 (was 10) (accepted: nobody sends longer ones)'
  )
  t.equal(errors, 'api/contract-accepted.yaml:4:3 matches no change: path-removed GET /x; remove the entry\n')
  await write(folder, { 'api/contract-accepted.yaml': '- rule: path-removed\n  place: GET /x\n' })
  await t.rejects(diff(folder, ...contract), {
    exitCode: 2,
    message: /^what is accepted cannot be read: api\/contract-accepted.yaml:1:3 reason is missing: /
  })
})

t.test('a contract that cannot be compared gives a sentence and exit code 2', async (t) => {
  const folder = await repository(t)
  const endless = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components: { schemas: { A: { not: { $ref: '#/components/schemas/A' } } } }
`
  await write(folder, {
    ...{ 'broken.yaml': 'openapi: 3.1.0\npaths: {\n', 'swagger.yaml': 'swagger: "2.0"\n' },
    'endless.yaml': endless
  })
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['nothing', ...contract],
      /^nothing is neither a file nor a revision of this git repository; name a file, a branch, a tag or a commit$/
    ],
    [['v1-relase', ...contract], /^v1-relase is neither .*; did you mean v1-release\?$/],
    [['api', ...contract], /^api is neither a file/],
    [
      ['HEAD:missing.yaml', ...contract],
      /^HEAD has no file missing.yaml: name the file that it had, as HEAD:FILE$/
    ],
    [
      ['HEAD', '--contract', 'none.yaml'],
      /^none.yaml cannot be read: there is no such file; --contract names the contract$/
    ],
    [['HEAD', '--contract', 'api'], /^api cannot be read: it is not a file; --contract names the contract$/],
    [['HEAD', '--contract', 'broken.yaml'], /^HEAD has no file broken.yaml/],
    [['broken.yaml', ...contract], /^broken.yaml cannot be compared: broken.yaml:\d+:\d+ /],
    [
      ['swagger.yaml', ...contract],
      /^swagger.yaml cannot be compared: swagger.yaml:1:1 expected an OpenAPI document: .*this is Swagger 2.0/
    ],
    [
      ['endless.yaml', ...contract],
      /^endless.yaml cannot be compared: endless.yaml:4:31 this schema applies itself to the same value, by not/
    ],
    [['a', 'b'], /^b is a second BASE; expected --contract, --root, --format, --fail-on, --help$/],
    [
      ['--format', 'xml'],
      /^--format xml is not a format; expected text, json, markdown, github, sarif, junit, html$/
    ],
    [
      ['--fail-on', 'compatible'],
      /^--fail-on compatible is not a list that fails; expected breaking, undecided$/
    ]
  ]
  for (const [args, message] of rows)
    await t.rejects(diff(folder, ...args), { exitCode: 2, message }, args.join(' '))
})

t.test('a reference that leads nowhere is named with the revision', async (t) => {
  const folder = await repository(t)
  await rm(join(folder, 'api/schemas/thing.yaml'))
  git(folder, 'commit', '-a', '-m', 'second')
  await write(folder, { 'api/schemas/thing.yaml': thing(10) })
  await t.rejects(diff(folder, ...contract), {
    exitCode: 2,
    message: /^api\/openapi.yaml of HEAD cannot be compared: api\/openapi.yaml:6:61 /
  })
})

t.test('outside of a git repository a file is needed', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': root(), schemas: { 'thing.yaml': thing(10) } })
  withVariable(t, 'GIT_CEILING_DIRECTORIES', dirname(folder))
  await t.rejects(diff(folder, '--contract', 'openapi.yaml'), {
    exitCode: 2,
    message: 'HEAD is not a file, and openapi.yaml is in no git repository: name a file as BASE'
  })
})

t.test('without git a file is required', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': root(), schemas: { 'thing.yaml': thing(10) } })
  withVariable(t, 'PATH', folder)
  await t.rejects(diff(folder, '--contract', 'openapi.yaml'), {
    exitCode: 2,
    message: 'git cannot be run: install it, or name a file as BASE'
  })
})

t.test("this project's own contract is compared with every revision of it", async (t) => {
  // A copy of the tree, as for mutations, has no revisions.
  const { stdout } = spawnSync('git', ['log', '--format=%h', '--', 'openapi.yaml'], { encoding: 'utf8' })
  for (const revision of stdout.split('\n').filter(Boolean).slice(0, 20))
    t.equal((await diff('.', revision)).exitCode, 0, revision)
  t.match(commandOutcome(['--help'], grammar), { exitCode: 0, text: /^usage: npm run contract:diff/ })
})

/** Returns steps of deploy/contract-diff.yml. */
function workflow() {
  const { jobs } = parseYaml(readFileSync('deploy/contract-diff.yml', 'utf8')) as {
    jobs: { diff: { steps: { name?: string; run?: string }[] } }
  }
  const stepOf = (name: string) => jobs.diff.steps.find((step) => step.name === name)?.run ?? ''
  return { compare: stepOf('Compare'), comment: stepOf('Comment') }
}

t.test('the workflow of deploy/ compares with the base of the event, and writes the comment', async (t) => {
  const folder = await repository(t)
  const { compare, comment } = workflow()
  const base = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim()
  const command = `node ${resolve('scripts/contract-diff.ts')} --contract api/openapi.yaml`
  await write(folder, {
    'package.json': JSON.stringify({ scripts: { 'contract:diff': command } }),
    'api/schemas/thing.yaml': thing(5),
    'event.json': JSON.stringify({
      action: 'synchronize',
      number: 7,
      pull_request: { number: 7, base: { ref: 'main', sha: base }, head: { ref: 'short', sha: base } }
    }),
    'summary.md': '',
    output: ''
  })
  const env = {
    ...process.env,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_OUTPUT: join(folder, 'output')
  }
  execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', compare], { cwd: folder, env })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  t.equal(read('output'), 'code=1\n')
  t.match(
    read('contract-diff.md'),
    /^<!-- contract:diff -->\n### This breaks clients: 1 breaking, .* since `[0-9a-f]{40}`\n/
  )
  t.match(
    read('contract-diff.md'),
    '- `POST /things body/name: maxLength now 5 (was 10)` (`api/schemas/thing.yaml:5`'
  )
  t.equal(read('summary.md'), read('contract-diff.md'))
  t.match(comment, '-F body=@contract-diff.md')
  t.match(comment, 'startswith("<!-- contract:diff -->")')
  execFileSync('bash', ['-n', '-c', comment])
})

const links = {
  'api/inner.yaml': 'parts/name.yaml',
  'api/again.yaml': 'inner.yaml',
  'api/lib': 'parts',
  'api/link.yaml': '../home/secret.yaml',
  'api/folder': '../home',
  'api/passwords.yaml': '/etc/passwd',
  'api/circle.yaml': 'circle.yaml'
}

/** Commits a contract with links, then replaces it by one without any. */
async function linked(t: Test): Promise<string> {
  const name = '{ type: string, maxLength: 3 }'
  const files = { 'api/openapi.yaml': contractWith('{}'), 'api/parts/name.yaml': name }
  const folder = t.testdir({})
  await write(folder, { ...files, 'home/secret.yaml': name })
  for (const [path, target] of Object.entries(links)) await symlink(target, join(folder, path))
  git(folder, 'init', '.')
  git(folder, 'add', '.')
  git(folder, 'commit', '-m', 'first')
  return folder
}

/** Compares a contract that is committed with one on the disk that takes no more than two characters. */
async function compared(folder: string, reference: string, ...args: string[]): Promise<string> {
  await write(folder, { 'api/openapi.yaml': contractWith(`{ $ref: ${reference} }`) })
  git(folder, 'commit', '--all', '--allow-empty', '-m', reference)
  await write(folder, { 'api/openapi.yaml': contractWith('{ type: string, maxLength: 2 }') })
  const outcome = await diff(folder, ...contract, ...args).catch((error: Error) => ({
    output: error.message
  }))
  return outcome.output
}

const lowered = /maxLength now 2 \(was 3\)/
const outside = /it is outside of the folder of the contract/

t.test('links within the folder are followed, those out of it are refused', async (t) => {
  const folder = await linked(t)
  for (const reference of ['inner.yaml', 'again.yaml', 'lib/name.yaml', 'parts/name.yaml'])
    t.match(await compared(folder, reference), lowered, reference)
  for (const reference of ['link.yaml', 'folder/secret.yaml', '../home/secret.yaml'])
    t.match(await compared(folder, reference), outside, reference)
  for (const reference of ['passwords.yaml', 'none.yaml'])
    t.match(await compared(folder, reference), /there is no such file/, reference)
  t.match(await compared(folder, 'circle.yaml'), /it cannot be read \(ELOOP\)/)
  for (const reference of ['link.yaml', '../home/secret.yaml'])
    t.match(await compared(folder, reference, '--root', '.'), lowered, `${reference} with --root`)
})

t.test('a misspelt name in a revision is suggested from the revision', async (t) => {
  const folder = await linked(t)
  await writeFile(join(folder, 'api/parts/later.yaml'), '{}')
  t.match(await compared(folder, 'parts/nmae.yaml'), /Did you mean `parts\/name.yaml`\?/)
  t.notMatch(await compared(folder, 'parts/latr.yaml'), /Did you mean/)
})

t.test('folders and missing objects are not read', async (t) => {
  const folder = await linked(t)
  const tree = revisionTree(join(folder, 'api'), 'HEAD')
  t.equal(tree.realPath(join(folder, 'api/lib')), join(folder, 'api/parts'))
  await t.rejects(tree.read(join(folder, 'api/parts'), 100), NotReadable)
  await t.rejects(tree.read(join(folder, 'api/parts/name.yaml'), 10), { message: /64 MiB/ })
  await rm(join(folder, '.git/objects'), { recursive: true })
  await t.rejects(tree.read(join(folder, 'api/parts/name.yaml'), 100), { code: 'EIO' })
})

t.test('contract-accepted.yaml is a file of the folder', async (t) => {
  const folder = await linked(t)
  await symlink('../home/secret.yaml', join(folder, 'api/contract-accepted.yaml'))
  t.match(await compared(folder, 'inner.yaml'), /api\/contract-accepted.yaml cannot be read: it is outside/)
})

const refused = { exitCode: 2, message: /./ }

const ownDiff = (folder: string, base = 'HEAD') => diff(folder, base, '--contract', 'openapi.yaml')

/** Returns a repository, and the path of a program that leaves a file `ran` behind. */
async function repositoryOf(t: Test): Promise<{ folder: string; program: string; marker: string }> {
  const folder = await committed(t, { 'openapi.yaml': contractWith('{}') })
  const [program, marker] = [join(folder, 'program.sh'), join(folder, 'ran')]
  await write(folder, {
    '.gitattributes': '* filter=f diff=f\n',
    'program.sh': `#!/bin/sh\ntouch ${marker}\nexit 1\n`
  })
  await chmod(program, 0o755)
  return { folder, program, marker }
}

/** Each key of git's configuration that names a program, or what makes git call one. */
const settings = (program: string): readonly (readonly [string, string])[] => [
  ...['fsmonitor', 'pager', 'editor', 'askPass', 'sshCommand', 'gitProxy', 'alternateRefsCommand'].map(
    (name) => [`core.${name}`, program] as const
  ),
  ['core.hooksPath', join(program, '..', 'hooks')],
  ...['alias.rev-parse', 'alias.cat-file', 'credential.helper'].map((key) => [key, `!${program}`] as const),
  ...['filter.f.smudge', 'filter.f.clean', 'filter.f.process', 'diff.external', 'diff.f.textconv'].map(
    (key) => [key, program] as const
  ),
  ...[
    'diff.f.command',
    'gpg.program',
    'uploadpack.packObjectsHook',
    'pager.ls-tree',
    'pager.for-each-ref'
  ].map((key) => [key, program] as const)
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
  const tree = git(folder, 'rev-parse', 'HEAD^{tree}')
  const blob = git(folder, 'rev-parse', 'HEAD:openapi.yaml')
  for (const id of [tree, blob]) await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
}

t.test('a folder that looks like a repository is none', async (t) => {
  const { folder, program, marker } = await repositoryOf(t)
  for (const name of ['HEAD', 'config', 'objects', 'refs'])
    await rename(join(folder, '.git', name), join(folder, name))
  await rm(join(folder, '.git'), { recursive: true })
  await poison(join(folder, 'config'), program)
  withVariable(t, 'GIT_CEILING_DIRECTORIES', join(folder, '..'))
  await t.rejects(ownDiff(folder, 'main'), { exitCode: 2, message: /openapi.yaml is in no git repository/ })
  t.notOk(existsSync(marker))
})

t.test('a repository runs no program', async (t) => {
  const { folder, program, marker } = await repositoryOf(t)
  await poison(join(folder, '.git/config'), program)
  await mkdir(join(folder, 'hooks'))
  for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman'])
    await writeFile(join(folder, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
  t.match(await ownDiff(folder), { exitCode: 0 })
  for (const base of ['none', 'HEAD:none.yaml', 'mian']) await t.rejects(ownDiff(folder, base), refused)
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
    const { folder, program, marker } = await repositoryOf(t)
    await poison(join(folder, '.git/config'), program)
    await makePartial(folder, url.replace('PROGRAM', program).replace('FOLDER', folder))
    await t.rejects(ownDiff(folder), refused)
    t.notOk(existsSync(marker))
  })

t.test('a BASE is never an option', async (t) => {
  const { folder } = await repositoryOf(t)
  const options = { contract: join(folder, 'openapi.yaml'), format: 'text', folder } as const
  const names = [
    '-h',
    '--help',
    '--all',
    '--exec=x',
    '--git-dir=/',
    '--output=stolen',
    '--upload-pack=touch ran'
  ]
  for (const base of names)
    await t.rejects(
      runDiff({ base, ...options }, plain),
      { exitCode: 2, message: /is neither a file nor a revision/ },
      base
    )
  t.notOk(existsSync(join(folder, 'stolen')))
})

t.test('variables of git that a hook or a shell sets choose no other repository', async (t) => {
  const { folder } = await repositoryOf(t)
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_OBJECT_DIRECTORY'])
    withVariable(t, name, join(folder, 'other'))
  withVariable(t, 'GIT_EXTERNAL_DIFF', 'false')
  t.match(await ownDiff(folder), { exitCode: 0 })
  t.equal(ranGit(folder, 'no-such-command'), undefined)
  t.equal(gitText(folder, 'no-such-command'), '')
})
