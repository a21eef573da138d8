/** Checks the tables of docs/comparison.md: asks this project every question in them, and fastify-openapi-glue those of one. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'

t.setTimeout(900_000)

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

/** Rows whose answers no command prints: test/types/ and test/engine/server/boot-checks.test.ts have them. */
const [uncompiled, outdated] = [
  'an operation without a handler does not compile',
  'code that is older than its contract does not start'
]

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
  for (const row of [uncompiled, outdated]) t.equal(answer(row, 'here'), 'yes', row)
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
