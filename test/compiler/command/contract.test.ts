/** The program `contract`: its commands, `generate`, and `lint` with the rules of Redocly that `redocly.yaml` chooses. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'

t.setTimeout(900_000)

const program = resolve('node_modules/.bin/contract')
const contract = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { operationId: a, responses: { '204': { description: d } } } } }
`
const off = ['info-license', 'no-empty-servers', 'security-defined', 'operation-4xx-response']
const rules = (summary: string) =>
  `extends: [recommended]\nrules: { ${off.map((rule) => `${rule}: off, `).join('')}operation-summary: ${summary} }\n`

function run(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8'
  })
  return { status, stdout, stderr }
}

function lint(folder: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = run(folder, 'lint', ...args)
  return { status, text: stdout + stderr }
}

t.test('the program lists its commands, and refuses an unknown one', async (t) => {
  t.equal(realpathSync(program), resolve('src/compiler/command/contract.ts'))
  const { stdout, status } = run('.')
  t.equal(status, 0)
  for (const name of ['generate', 'dev', 'mock', 'diff', 'lint', 'conformance', 'new'])
    t.match(stdout, `  ${name} `)
  t.strictSame(run('.', 'toString'), {
    status: 2,
    stdout: '',
    stderr: 'toString is not a command; expected generate, dev, mock, diff, lint, conformance, new\n'
  })
})

t.test('generate compiles openapi.yaml of the working directory', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contract })
  const made = run(folder, 'generate')
  t.match(made, { status: 0, stdout: /compiled +1 operation into generated/ }, made.stderr)
  t.match(run(folder, 'generate', '--check'), { status: 0, stdout: 'generated is up to date\n' })
  t.match(run(folder, 'generate', '--help'), { status: 0, stdout: /^usage: npm run generate/ })
})

t.test('an error of a rule of the project fails, a warning and a rule that is off do not', async (t) => {
  for (const [summary, status] of [
    ['error', 1],
    ['warn', 0],
    ['off', 0]
  ] as const) {
    // Nothing beside a contract of another author is run.
    const other = {
      'openapi.yaml': contract,
      'redocly.yaml': 'plugins: [./plugin.js]\n',
      'plugin.js': 'process.exit(7)'
    }
    const folder = t.testdir({ 'redocly.yaml': rules(summary), other })
    const found = lint(folder, '--contract', 'other/openapi.yaml')
    t.equal(found.status, status, found.text)
    t.equal(/operation-summary/.test(found.text), summary !== 'off')
  }
})

t.test('a reference to a URL is not followed', async (t) => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    response.end('type: string')
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const schema = `{ $ref: 'http://127.0.0.1:${port}/a.yaml' }`
  const folder = t.testdir({
    'openapi.yaml': `${contract}components: { schemas: { A: ${schema} } }\n`,
    'redocly.yaml': 'extends: [minimal]\n'
  })
  const child = spawn(process.execPath, [program, 'lint'], { cwd: folder })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await once(child, 'exit')
  t.match({ status, text: (await output).join('') }, { status: 1, text: /URLs are not followed/ })
  t.equal(requests, 0)
})

t.test('a contract that cannot be read is a sentence', async (t) => {
  const refused = (reason: RegExp) => ({ status: 1, text: reason })
  t.match(lint(t.testdir({})), refused(/openapi\.yaml cannot be linted: there is no such file/))
  t.match(
    lint(t.testdir({ 'openapi.yaml': {} })),
    refused(/openapi\.yaml cannot be linted: it is not a file/)
  )
})
