/**
 * `npm run test:projects`: contracts of many kinds become projects, which are installed from tarballs, checked,
 * started, requested and stopped, without an edit. Not a part of `npm test`, because it installs packages.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { largeContract } from '../contracts/large-contract.ts'
import { megabytes, ownFiles } from './project.ts'
import { shell } from './shell.ts'

t.setTimeout(1_800_000)

const project = resolve(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'projects-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

const large = join(folder, 'large.json')
await writeFile(large, JSON.stringify(largeContract({ operations: 300 })))
const own = (file: string) => resolve(import.meta.dirname, 'contracts', file)

interface Row {
  readonly name: string
  readonly taste: string
  readonly contract: string
  readonly operations: number
  readonly isMock?: true
  /** True where the fixtures have every credential, and examples make every operation succeed. */
  readonly succeeds?: true
}

const rows: readonly Row[] = [
  { name: 'museum', taste: 'a museum', contract: own('museum.yaml'), operations: 8 },
  {
    name: 'trains',
    taste: 'a train company',
    contract: own('trains.yaml'),
    operations: 7,
    isMock: true,
    succeeds: true
  },
  {
    name: 'warehouse',
    taste: 'problem+json, several files',
    contract: own('warehouse/openapi.yaml'),
    operations: 3
  },
  { name: 'photos', taste: 'uploads and API keys', contract: own('photos.json'), operations: 5 },
  { name: 'large', taste: '300 operations', contract: large, operations: 300 }
]

/** Runs a command line, and measures it. */
async function timed(command: string, folder: string) {
  const started = performance.now()
  const outcome = await shell(command, { folder })
  return { ...outcome, seconds: (performance.now() - started) / 1000 }
}

/**
 * Returns the commands of the workflow that a new project has: each must end with 0. As on a machine of GitHub, `origin` has
 * the branch that a pull request is compared with.
 */
async function commandsOf(made: string): Promise<string[]> {
  const workflow = await readFile(join(made, '.github/workflows/ci.yml'), 'utf8')
  const lines = [...workflow.matchAll(/^ +(?:- )?run: (.*)$/gm)].map(([, line = '']) => line)
  const replaced = lines.map((line) => (line === 'npm ci' ? 'npm ci --dry-run --prefer-offline' : line))
  return [...replaced, 'test -z "$(git status --porcelain)"']
}

const origin = 'git update-ref refs/remotes/origin/main main'

for (const row of rows) t.test(`${row.taste}: ${row.name}`, (t) => check(t, row))

async function check(t: Test, { name, contract, operations, isMock, succeeds }: Row): Promise<void> {
  const made = join(folder, name)
  const mock = isMock === true ? ' --mock' : ''
  const making = await timed(`npm run new -- ${made} --contract ${contract}${mock}`, project)
  t.equal(making.code, 0, making.output)
  t.match(making.output, /failures +every failure has a body that the contract declares\n/)
  t.match(making.output, /test +a valid request for every operation\n/)
  t.match(making.output, /git +a repository with a first commit\n/)
  const seconds = [`new ${making.seconds.toFixed(1)}`]
  t.match(
    await shell(`${origin} && git commit --quiet --all --allow-empty --message written`, { folder: made }),
    { code: 0 }
  )
  const commands = await commandsOf(made)
  t.ok(commands.length >= 8)
  for (const command of commands) {
    const line = command.replace('"origin/$GITHUB_BASE_REF"', 'origin/main')
    const { code, output, seconds: taken } = await timed(line, made)
    if (!t.equal(code, 0, command)) t.comment(output.slice(-4000))
    if (command === 'npm test')
      t.match(
        output,
        new RegExp(`ℹ ${succeeds === undefined ? `todo ${operations + 1}` : `pass ${operations + 4}`}$`, 'm')
      )
    if (command === 'npm run conformance')
      t.match(output, succeeds === undefined ? /^nothing is checked, /m : /^no finding: 0 operations, /m)
    seconds.push(`${command.replace(' --prefer-offline', '').replace(' -- --check', '')} ${taken.toFixed(1)}`)
  }
  if (succeeds === true) {
    // The examples are not the answers to what was sent: the check reaches the handlers, with the credential.
    const line = "npm exec --call 'node test/conformance.ts --requests 0'"
    t.match(await shell(line, { folder: made }), { code: 1, output: /value-changed; 201 / })
  }
  const { count, kilobytes } = await ownFiles(made)
  const sizes = `${count} files of ${kilobytes} KB, vendor ${await megabytes(join(made, 'vendor'))} MB, node_modules ${await megabytes(join(made, 'node_modules'))} MB`
  t.comment(`${name}: ${operations} operations; seconds: ${seconds.join(', ')}; ${sizes}`)
  await rm(made, { recursive: true })
}
