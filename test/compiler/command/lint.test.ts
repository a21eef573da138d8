/** `npm run lint:contract`: the rules of Redocly that `redocly.yaml` chooses. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import t from 'tap'

t.setTimeout(900_000)

const contract = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { operationId: a, responses: { '204': { description: d } } } } }
`
const off = ['info-license', 'no-empty-servers', 'security-defined', 'operation-4xx-response']
const rules = (summary: string) =>
  `extends: [recommended]\nrules: { ${off.map((rule) => `${rule}: off, `).join('')}operation-summary: ${summary} }\n`

function lint(folder: string, ...args: readonly string[]) {
  const program = resolve('src/compiler/command/contract.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'lint', ...args], {
    cwd: folder,
    encoding: 'utf8'
  })
  return { status, text: stdout + stderr }
}

t.test('an error of a rule fails, a warning and a rule that is off do not', async (t) => {
  for (const [summary, status] of [
    ['error', 1],
    ['warn', 0],
    ['off', 0]
  ] as const) {
    const folder = t.testdir({ 'openapi.yaml': contract, 'redocly.yaml': rules(summary) })
    const found = lint(folder)
    t.equal(found.status, status, found.text)
    t.equal(/operation-summary/.test(found.text), summary !== 'off')
  }
})

t.test(
  'the rules of the project are asked, and nothing beside a contract of another author is run',
  async (t) => {
    const folder = t.testdir({
      'redocly.yaml': rules('error'),
      other: {
        'openapi.yaml': contract,
        'redocly.yaml': 'plugins: [./plugin.js]\n',
        'plugin.js': 'process.exit(7)'
      }
    })
    t.equal(lint(folder, '--contract', 'other/openapi.yaml').status, 1)
  }
)

t.test('a contract that cannot be read is a sentence', async (t) => {
  t.match(lint(t.testdir({})), { status: 1, text: /the contract cannot be linted: .*openapi\.yaml/ })
})
