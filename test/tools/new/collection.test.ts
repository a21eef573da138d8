/** Every contract of the collection becomes a project that passes its own lint, types and tests at once. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { lint, loadConfig } from '@redocly/openapi-core'
import t, { type Test } from 'tap'
import { paintFor } from '../../../src/cli/format.ts'
import { runNew } from '../../../src/tools/new/command/run.ts'
import { collection } from '../../contract/collection.ts'
import { read } from '../../contracts/exchanges.ts'
import { largeContract } from '../../contracts/large-contract.ts'
import { run } from '../../e2e/running.ts'
import { commandOf, stagesOf } from '../../projects/dockerfile.ts'
import { shell } from '../../projects/shell.ts'
import { until } from '../../time.ts'
import { typeProblems } from './type-problems.ts'

t.setTimeout(900_000)

/** Tags that are no names of folders, on operations without an operationId. */
function oddTags(openapi: string) {
  const odd = ['../up', 'a/b\\c', 'Ünïcode 🦊', '.', 'con', 'handlers', 'x'.repeat(300), '']
  const tags = [...odd, "it's `{{name}}` */"]
  const operation = (tag: string) => ({ tags: [tag], responses: { 204: { description: tag || 'none' } } })
  const paths = tags.map((tag, index) => [`/{id}/things-${index}/v1.0`, { get: operation(tag) }] as const)
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  return {
    openapi,
    info: { title: '# <b>Odd</b> `tags` | *of* {{name}}', version: '1' },
    servers: [{ url: "https://things.example/it's/v1" }],
    paths: Object.fromEntries(paths.map(([path, item]) => [path, { ...item, parameters }]))
  }
}

const listed = JSON.stringify(read(`${import.meta.dirname}/kinds.yaml`))
const { 'media-types': mediaTypes, ...others }: Readonly<Record<string, object>> = JSON.parse(
  listed.replaceAll('LONG', 'OfAVeryLongName'.repeat(8))
)
const { webhooks: _webhooks, ...withoutWebhooks } = Object(mediaTypes)

/** Contracts of kinds that the collection has not, by name. */
const kinds: Readonly<Record<string, object>> = {
  ...others,
  'odd-tags-3.0': oddTags('3.0.4'),
  'odd-tags-3.2': oddTags('3.2.0'),
  'media-types-3.0': { ...withoutWebhooks, openapi: '3.0.3' },
  'media-types-3.1': Object(mediaTypes)
}

/** It lies below this project, so that the projects find the packages here: installing them for each takes too long. */
const root = t.testdir({})
const paint = paintFor({}, {})
const surroundings = {
  paints: { output: paint, errors: paint },
  vendor: async () => undefined,
  install: async () => undefined,
  makeRepository: async () => 'a repository with a first commit'
}

const written = { ...kinds, large: largeContract({ operations: 100 }) }
for (const [name, document] of Object.entries(written))
  writeFileSync(join(root, `${name}.json`), JSON.stringify(document))
const contracts = new Map(Object.keys(written).map((name) => [name, join(root, `${name}.json`)]))
for await (const [file] of collection())
  contracts.set(file.replace(/\.\w+$/, '').replaceAll('/', '-'), resolve(file))

t.test('every contract becomes a project whose failures have bodies', async (t) => {
  t.ok(contracts.size > 55)
  for (const [name, contract] of contracts) {
    const { output, exitCode } = await runNew(
      { folder: join(root, name), contract, mock: false },
      surroundings
    )
    t.equal(exitCode, 0, name)
    const failures =
      /failures +(?:every failure has a body that the contract declares|the contract declares no body)/
    t.match(output, failures, `${name}\n${output}`)
  }
})

t.test('each type-checks', async (t) => {
  t.strictSame(await typeProblems(root, [...contracts.keys()]), [])
})

/** Contracts that Redocly's walk fails on: a component hides `hasOwnProperty`, a type is called `string`. */
const unlintable = ['test-contracts-names', 'test-compiler-compile-checks-openapi-3.2']

t.test('each passes its own rules of style', async (t) => {
  for (const name of contracts.keys()) {
    if (unlintable.includes(name)) continue
    const folder = join(root, name)
    const config = await loadConfig({ configPath: join(folder, 'redocly.yaml') })
    const { contract: { file = 'openapi.yaml' } = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8')
    )
    const problems = await lint({ ref: join(folder, file), config })
    const errors = problems.filter(({ severity }) => severity === 'error')
    t.strictSame(errors, [], name)
  }
})

const bin = resolve('node_modules/.bin')
const cache = resolve('node_modules/.cache/compile')

/** Runs the command of a project, as npm does: npm itself would take most of the time. */
async function runScript(name: string, script: string) {
  const folder = join(root, name)
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return shell(`export PATH='${bin}':"$PATH" NODE_COMPILE_CACHE='${cache}'; ${scripts[script]}`, { folder })
}

const wanted = {
  format: /^Checked \d\d+ files/,
  lint: /^Checked \d\d+ files in .*\. No fixes applied\.\n$/,
  test: /ℹ fail 0\nℹ cancelled 0\nℹ skipped 0\n/
}

/** Has two workers take names until there are none. */
async function forEach(names: Iterable<string>, check: (name: string) => Promise<unknown>): Promise<void> {
  const queue = Iterator.from(names)
  const work = async () => {
    for (const name of queue) await check(name)
  }
  await Promise.all([work(), work()])
}

async function passes(t: Test, name: string, script: keyof typeof wanted): Promise<void> {
  const outcome = await runScript(name, script)
  const shown = `${name}: ${script}\n${outcome.output.slice(-2000)}`
  t.match(outcome, { code: 0, output: wanted[script] }, shown)
}

t.test('each passes its own lint', async (t) => {
  await forEach(contracts.keys(), async (name) => {
    await passes(t, name, 'format')
    await passes(t, name, 'lint')
  })
})

t.test('each kind passes its own tests, and every other one those of its operations', async (t) => {
  await forEach(Object.keys(kinds), (name) => passes(t, name, 'test'))
  const further = [...contracts.keys()].filter((name) => !Object.hasOwn(kinds, name))
  // One process for many: loading the engine takes most of the time of one.
  const batches = Map.groupBy(further, (name) => String(further.indexOf(name) % 8))
  await forEach(batches.keys(), async (batch) => {
    const files = batches
      .get(batch)
      ?.map((name) => `'${name}/test/service.test.ts'`)
      .join(' ')
    const command = `NODE_COMPILE_CACHE='${cache}' node --test --test-force-exit --test-isolation=none ${files}`
    const outcome = await shell(`export PATH='${bin}':"$PATH"; ${command}`, { folder: root })
    t.match(outcome, { code: 0, output: wanted.test }, `${files}\n${outcome.output.slice(-2000)}`)
  })
})

/** Carries out the last stage of the Dockerfile of a project, and returns its folder and its command. */
function imageOf(name: string) {
  const stage = stagesOf(readFileSync(join(root, name, 'Dockerfile'), 'utf8')).at(-1)
  const restOf = (wanted: string) =>
    stage?.instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest) ?? []
  // A folder without the packages above it.
  const folder = mkdtempSync(join(tmpdir(), 'built-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const copy of restOf('COPY')) {
    const [from = '', to = ''] = copy.replace('/app/', '').split(' ')
    cpSync(join(root, name, from), join(folder, to === './' ? from : to), { recursive: true })
  }
  const [command = ''] = restOf('CMD')
  return { folder, command: commandOf(command).slice(1) }
}

for (const [name, contract] of [
  ['schemes', 'openapi.json'],
  ['test-projects-contracts-warehouse-openapi', 'contract/paths/items.yaml']
] as const)
  t.test(`the image of ${name} serves without the packages`, async (t) => {
    t.match(await runScript(name, 'build'), { code: 0, output: /^$/ })
    const { folder, command } = imageOf(name)
    const [option = '', ...args] = command
    const environment = {
      CWD: folder,
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      AUTH_TOKENS: 'token-of-test'
    }
    const serving = run(t, environment, args, option)
    await until(() => /"started"/.test(serving.output()))
    const [, url = ''] = /listening at (http:[^"]+)/.exec(serving.output()) ?? []
    for (const path of ['/-/ready', '/docs', '/docs/scalar.js', '/openapi.json'])
      t.equal((await fetch(url + path)).status, 200, path)
    serving.child.kill('SIGTERM')
    t.match(await serving.ended, { code: 0 })

    appendFileSync(join(folder, contract), '\n')
    t.match(await run(t, environment, args, option).ended, {
      code: 1,
      output: /has changed since generated\/ was written: run "npm run generate && npm run build"/
    })
  })
