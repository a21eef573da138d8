import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'

t.setTimeout(900_000)

const contract = resolve('node_modules/.bin/contract')

function run(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [contract, ...args], {
    cwd,
    encoding: 'utf8'
  })
  return { status, stdout, stderr }
}

t.test('the program lists its commands, and refuses an unknown one', async (t) => {
  t.equal(realpathSync(contract), resolve('src/compiler/command/contract.ts'))
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
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Bells, version: '1' }
paths:
  /bells:
    get:
      operationId: listBells
      responses:
        '204': { description: no bells }
`
  })
  const made = run(folder, 'generate')
  t.match(made, { status: 0, stdout: /compiled +1 operation into generated/ }, made.stderr)
  t.match(run(folder, 'generate', '--check'), { status: 0, stdout: 'generated is up to date\n' })
  t.match(run(folder, 'generate', '--help'), { status: 0, stdout: /^usage: npm run generate/ })
})
