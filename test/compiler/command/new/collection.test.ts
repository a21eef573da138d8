/** Every contract of the collection becomes a project that type-checks, lints, and has a body for every failure. */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { paintFor } from '../../../../src/cli/format.ts'
import { runNew } from '../../../../src/compiler/command/new/run.ts'
import { contractFiles } from '../../../contracts/contract-files.ts'
import { typeProblems } from './type-problems.ts'

t.setTimeout(900_000)

const root = t.testdir({})
const tests = resolve(import.meta.dirname, '../../..')
const paint = paintFor({}, {})
const surroundings = {
  paints: { output: paint, errors: paint },
  vendor: async () => undefined,
  install: async () => undefined,
  makeRepository: async () => 'a repository with a first commit'
}

/** A contract whose names are longer than the lines of a formatter. */
function longNames(): string {
  const long = (name: string) => `${name}${'OfAVeryLongName'.repeat(8)}`
  const problem = (name: string) => {
    const schema = {
      type: 'object',
      required: [long(name)],
      properties: { [long(name)]: { type: 'string' } }
    }
    return { description: 'x', content: { 'application/json': { schema } } }
  }
  const operation = (name: string) => ({
    operationId: long(name),
    tags: [long('things')],
    security: [{ [long('scheme')]: [] }],
    responses: { 204: { description: 'x' }, 400: problem(name), default: problem('other') }
  })
  const file = join(root, 'long-names.json')
  const components = { securitySchemes: { [long('scheme')]: { type: 'http', scheme: 'bearer' } } }
  const paths = { '/things': { get: operation('get'), post: operation('post') } }
  const document = { openapi: '3.1.0', info: { title: long('a'), version: '1' }, paths, components }
  writeFileSync(file, JSON.stringify(document))
  return file
}

const contracts = new Map([
  ...[...contractFiles()].map(([name, file]) => [name, join(tests, 'contracts', file)] as const),
  ...['museum.yaml', 'trains.yaml', 'photos.json', 'warehouse/openapi.yaml'].map(
    (file) => [`project-${file.replace(/\W.*/, '')}`, join(tests, 'projects/contracts', file)] as const
  ),
  ['plants', resolve('openapi.yaml')],
  ['tickets', resolve('examples/tickets/openapi.yaml')],
  ['long-names', longNames()]
])

t.test('every contract becomes a project whose failures have bodies', async (t) => {
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
  const inherited = /\/names\/test\/client\.ts: .*Types of property 'constructor' are incompatible/
  const problems = await typeProblems(root, [...contracts.keys()])
  t.strictSame(
    problems.filter((problem) => !inherited.test(problem)),
    []
  )
})

t.test('each passes its own lint, as soon as it is formatted', async (t) => {
  const settings = JSON.parse(readFileSync(join(root, 'tickets/biome.json'), 'utf8'))
  const includes = ['**', '!**/generated', '!**/openapi.*', '!**/contract', '!long-names.json']
  for (const name of contracts.keys()) rmSync(join(root, name, 'biome.json'))
  writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...settings, files: { includes } }))
  const biome = (...args: string[]) =>
    promisify(execFile)(resolve('node_modules/.bin/biome'), ['check', ...args], { cwd: root }).catch(
      ({ stdout, stderr }) => ({ stdout, stderr })
    )
  await biome('--write')
  const { stdout, stderr } = await biome('--error-on-warnings')
  t.match(stdout, /^Checked \d{3,} files in .*No fixes applied\.$/m)
  t.equal(stderr, '')
})
