/** Every contract of the collection becomes a project that passes its own lint, types and tests at once. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { paintFor } from '../../../../src/cli/format.ts'
import { runNew } from '../../../../src/compiler/command/new/run.ts'
import { collection } from '../../../contract/collection.ts'
import { largeContract } from '../../../contracts/large-contract.ts'
import { shell } from '../../../projects/shell.ts'
import { kinds } from './kinds.ts'
import { typeProblems } from './type-problems.ts'

t.setTimeout(900_000)

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
    t.match(output, 'every failure has a body that the contract declares', `${name}\n${output}`)
  }
})

t.test('each type-checks', async (t) => {
  // Every object inherits a function where the scheme of this contract has its credential.
  const inherited = /-names\/test\/client\.ts: .*Types of property 'constructor' are incompatible/
  const problems = await typeProblems(root, [...contracts.keys()])
  t.strictSame(
    problems.filter((problem) => !inherited.test(problem)),
    []
  )
})

const bin = resolve('node_modules/.bin')
const cache = resolve('node_modules/.cache/compile')

/** Runs the command of a project, as npm does: npm itself would take most of the time. */
async function run(name: string, script: string) {
  const folder = join(root, name)
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return shell(`export PATH='${bin}':"$PATH" NODE_COMPILE_CACHE='${cache}'; ${scripts[script]}`, { folder })
}

const wanted = [
  ['format', /^Checked \d\d+ files/],
  ['lint', /^Checked \d\d+ files in .*\. No fixes applied\.\n$/],
  ['test', /ℹ fail 0\nℹ cancelled 0\nℹ skipped 0\n/]
] as const

t.test('each passes its own lint and its own tests', async (t) => {
  const queue = contracts.keys()
  const work = async () => {
    for (const name of queue)
      for (const [script, output] of wanted) {
        const outcome = await run(name, script)
        t.match(outcome, { code: 0, output }, `${name}: ${script}\n${outcome.output.slice(-2000)}`)
      }
  }
  await Promise.all([work(), work()])
})
