/** `npm run contract:diff` in process: files, git revisions, formats, accepted changes, mistakes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import t, { type Test } from 'tap'
import type { Result } from '../../../../src/cli/command.ts'
import { readCommandLine } from '../../../../src/cli/command-line.ts'
import { grammar, readOptions } from '../../../../src/tools/diff/command/contract-diff.ts'
import { runDiff } from '../../../../src/tools/diff/command/run.ts'
import { commandOutcome } from '../../../cli/command-outcome.ts'
import { git } from './git-command.ts'

t.setTimeout(900_000)

const plain = {
  output: (_style: unknown, text: string) => text,
  errors: (_style: unknown, text: string) => text
}

async function diff(folder: string, ...args: readonly string[]): Promise<Result> {
  return runDiff(readOptions(readCommandLine(args, grammar), folder), plain)
}

const root = (type: string, more = '') => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post:
      requestBody:
        content:
          application/json:
            schema:
              $ref: schemas/thing.yaml
      responses:
        '200': { description: OK${type === '' ? '' : `, content: { ${type}: {} }`} }
${more}`

const thing = (most: number) => `type: object
properties:
  name:
    type: string
    maxLength: ${most}
`

async function folderWith(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = t.testdir({})
  await write(folder, files)
  return folder
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** Returns a repository in which the limit of a name has been 10. */
async function repository(t: Test): Promise<string> {
  const folder = await folderWith(t, { 'api/openapi.yaml': root(''), 'api/schemas/thing.yaml': thing(10) })
  git(folder, 'init', '.')
  git(folder, 'add', '.')
  git(folder, 'commit', '-m', 'first')
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

t.test('undecided changes fail on demand, unless they are accepted', async (t) => {
  const folder = await folderWith(t, {
    'old.yaml': root(''),
    'new.yaml': root('text/csv'),
    'schemas/thing.yaml': thing(10)
  })
  const asked = (...more: readonly string[]) => diff(folder, 'old.yaml', '--contract', 'new.yaml', ...more)
  const strict = ['--fail-on', 'undecided'] as const
  t.equal((await asked()).exitCode, 0)
  t.equal((await asked('--fail-on', 'breaking')).exitCode, 0)
  const { exitCode, output } = await asked(...strict, '--format', 'markdown')
  t.equal(exitCode, 1)
  t.match(output, /On purpose\?[\s\S]*- rule: response-body-added\n/)
  const entry = '{ rule: response-body-added, place: 200/body, reason: a test }'
  await write(folder, { 'contract-accepted.yaml': `- ${entry}\n` })
  t.equal((await asked(...strict)).exitCode, 0)
})

t.test('the base may be a file', async (t) => {
  const folder = await folderWith(t, {
    'old.yaml': root(''),
    'new.yaml': root('text/csv'),
    'schemas/thing.yaml': thing(10)
  })
  const { output } = await diff(folder, 'old.yaml', '--contract', 'new.yaml', '--format', 'github')
  t.match(
    output,
    /^::warning file=new.yaml,line=\d+,col=\d+,title=response-body-added::POST \/things 200\/body: body added\n$/
  )
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
    message: /^api\/openapi.yaml of HEAD cannot be compared: api\/openapi.yaml:10:15 /
  })
})

t.test('outside of a git repository a file is needed', async (t) => {
  const folder = await folderWith(t, { 'openapi.yaml': root(''), 'schemas/thing.yaml': thing(10) })
  const hidden = process.env['GIT_CEILING_DIRECTORIES']
  process.env['GIT_CEILING_DIRECTORIES'] = dirname(folder)
  t.teardown(() => {
    if (hidden === undefined) delete process.env['GIT_CEILING_DIRECTORIES']
    else process.env['GIT_CEILING_DIRECTORIES'] = hidden
  })
  await t.rejects(diff(folder, '--contract', 'openapi.yaml'), {
    exitCode: 2,
    message: 'HEAD is not a file, and openapi.yaml is in no git repository: name a file as BASE'
  })
})

t.test('without git a file is required', async (t) => {
  const folder = await folderWith(t, { 'openapi.yaml': root(''), 'schemas/thing.yaml': thing(10) })
  const { PATH } = process.env
  process.env['PATH'] = folder
  t.teardown(() => (process.env['PATH'] = PATH))
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
