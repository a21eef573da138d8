/** Checks the tables of docs/comparison.md: asks this project every question in them, and fastify-openapi-glue those of one. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { generate, serve } from '../contracts/drive.ts'
import { diagnose } from '../contracts/type-check.ts'

t.setTimeout(900_000)

const contractFile = resolve('openapi.yaml')

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const rowsOf = (text: string): string[][] => text.trimEnd().split('\n').map(cellsOf)

const page = readFileSync('docs/comparison.md', 'utf8')
const [, header = '', body = ''] = /^(\| \| here .*)\n.*\n((?:\|.*\n)*)/m.exec(page) ?? []
/** Names and versions of the tools, without their links. */
const tools = cellsOf(header)
  .slice(1)
  .map((cell) => cell.replace(/^\[(.*)\]\(.*\)/, '$1'))
const rows = new Map(
  rowsOf(body).map(([row = '', ...cells]) => [row, cells.map((cell) => cell.replaceAll('**', ''))])
)
const answer = (row: string, tool: string) => rows.get(row)?.[tools.indexOf(tool)]

const uncompiled = 'an operation without a handler does not compile'
const outdated = 'code that is older than its contract does not start'

t.test('both tools answer as the table says', async (t) => {
  const printed = execFileSync(process.execPath, ['bench/peers.js', '--installed'], { encoding: 'utf8' })
  const [[, ...names] = [], ...asked] = rowsOf(printed)
  t.strictSame(names, tools.slice(0, 2))
  for (const [row = '', ...answers] of asked)
    t.strictSame(
      answers,
      names.map((name) => answer(row, name)),
      row
    )
  t.strictSame([...rows.keys()], [uncompiled, ...asked.map(([row]) => row), outdated], 'no row is missing')
})

t.test('the program of four operations behaves here as the page says', async (t) => {
  const command = ['bench/peers.js', 'four', '--installed']
  const [, ...asked] = rowsOf(execFileSync(process.execPath, command, { encoding: 'utf8' }))
  t.ok(asked.length >= 18)
  for (const [row, here] of asked) t.match(page, `\n| ${row} | ${here} | `)
})

t.test('the table names the versions that npm run bench:peers installs', async (t) => {
  const command = readFileSync('bench/peers.js', 'utf8')
  t.equal(tools.length, 4)
  for (const tool of tools.slice(1)) {
    const [name, version] = tool.split(' ')
    t.match(command, `'${name}': '${version}'`)
    t.match(page, `(https://www.npmjs.com/package/${name}) ${version} `)
  }
})

t.test(uncompiled, async (t) => {
  t.equal(answer(uncompiled, 'here'), 'yes')
  const { folder } = await generate(t, contractFile)
  const type = "import type { Handlers } from './contract.ts'\nexport const handlers: Handlers ="
  const files = [join(folder, 'without.ts'), join(folder, 'with.ts')] as const
  writeFileSync(files[0], `${type} {}\n`)
  writeFileSync(files[1], `${type} { createPlant: async () => ({ status: 200, body: { name: 'x' } }) }\n`)
  const found = await diagnose('comparison', files)
  t.match(found, [{ file: files[0], text: /createPlant.* is missing/ }])
  t.equal(found.length, 1)
})

t.test(outdated, async (t) => {
  t.equal(answer(outdated, 'here'), 'yes')
  const copy = join(t.testdir({ 'openapi.yaml': readFileSync(contractFile) }), 'openapi.yaml')
  const { contract } = await generate(t, copy)
  t.ok(await serve(t, contract))
  appendFileSync(copy, '# an edit\n')
  await t.rejects(serve(t, contract), { name: 'BootError', message: /has changed since .* was written/ })
})
