/** Parts of `npm run dev` in process. */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ContractStep } from '../../../../src/compiler/command/dev/contract-step.ts'
import {
  serverEnvironment,
  shownToken,
  tokenLine,
  typeReport
} from '../../../../src/compiler/command/dev/develop.ts'
import { untilFree } from '../../../../src/compiler/command/dev/port-handover.ts'
import { Screen, serverLine } from '../../../../src/compiler/command/dev/screen.ts'
import { readProject } from '../../../../src/compiler/command/generate/read-project.ts'
import { credentialVariables } from '../../../../src/service/config/variables.ts'
import { digestLine } from '../../../../src/service/credentials/tokens.ts'

t.test('a log entry is shown as a sentence with the first lines of its stack', async (t) => {
  const stack = ['Error: x', ...'abcdefg'].join('\n')
  const request = { level: 50, msg: 'request', method: 'GET', route: '/a', status: 500 }
  const rows: readonly (readonly [entry: object | string, lines: readonly string[]])[] = [
    ['no entry', ['no entry']],
    ['{"level":40,"ms', ['{"level":40,"ms']],
    [{ level: 30, msg: 'said' }, ['log: said']],
    [{ level: 30, msg: '\x1b]52;c;\x07' }, ['log: \ufffd]52;c;\ufffd']],
    [{ level: 40, err: {} }, ['warning: ']],
    [
      { ...request, err: { stack } },
      ['error: GET /a answered 500', '  Error: x', '  a', '  b', '  c', '  d', '  e']
    ],
    [{ ...request, err: { type: 'FailureError', stack } }, ['error: GET /a answered 500']],
    [{ ...request, failure: 'response-mismatch', err: { stack } }, ['error: GET /a answered 500']]
  ]
  for (const [entry, lines] of rows)
    t.strictSame(serverLine(typeof entry === 'string' ? entry : JSON.stringify(entry)), lines)
})

t.test('a server adds at most 40 lines to one state of the screen', async (t) => {
  const written: string[] = []
  const screen = new Screen({ write: (text) => written.push(text) })
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`)
  screen.add(lines)
  screen.add(lines)
  t.equal(written.length, 41)
  t.match(written.at(-1), 'and more')
  screen.show(['a state'])
  screen.add(['a line'])
  t.strictSame(written.slice(41), ['\na state\n', 'a line\n'])
  const terminal = new Screen({ isTTY: true, write: (text) => written.push(text) })
  terminal.head = 'head'
  terminal.show(['a state'])
  t.equal(written.at(-1), '\x1b[H\x1b[Jhead\na state\n')
})

t.test(
  'a server gets a token where no credentials are configured, which is shown where clients use it',
  async (t) => {
    const folder = process.cwd()
    const { ...environment } = process.env
    t.teardown(() => {
      process.chdir(folder)
      process.env = environment
    })
    process.chdir(t.testdir({}))
    for (const name of credentialVariables) delete process.env[name]
    const { token, variables } = serverEnvironment('tokens')
    t.equal(variables['AUTH_TOKENS_FILE'], 'tokens')
    const security = [[{ scheme: 'a', scopes: ['read', 'no scope'] }], [{ scheme: 'b', scopes: ['write'] }]]
    t.equal(tokenLine({ operations: [{ security }] as never }), `${digestLine(String(token))} read write\n`)
    t.equal(shownToken({ usesTokens: true }), token)
    t.equal(shownToken({ usesTokens: false }), undefined)
    process.env['AUTH_TOKENS'] = 'mine'
    t.strictSame(serverEnvironment('tokens').token, undefined)
    t.strictSame(Object.keys(serverEnvironment('tokens').variables), ['LOG_LEVEL'])
  }
)

t.test('a server waits for its port until the old one has closed it', async (t) => {
  const old = new Server()
  old.listen(0, '127.0.0.1')
  await once(old, 'listening')
  const { port } = old.address() as AddressInfo
  const listen = (server: Server, args: readonly unknown[]) =>
    Reflect.apply(Server.prototype.listen, server, args)
  let isOpen = true
  const waited = untilFree([{ port, host: '127.0.0.1' }], listen).then(() => isOpen)
  await sleep(20)
  isOpen = false
  old.close()
  t.notOk(await waited)
  await untilFree([{ port, host: '192.0.2.1' }], listen)
})

const contractOf = (...names: readonly string[]) => {
  const get = (id: string) =>
    `  /${id}: { get: { operationId: ${id}, responses: { '204': { description: d } } } }\n`
  return `openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n${names.map(get).join('')}`
}

/** Returns the step of a project, and a function that saves a contract, or another file, and runs the step. */
function prepare(t: Test) {
  const folder = t.testdir({})
  const project = readProject(folder)
  const step = new ContractStep(project, () => {})
  const save = async (text: string, path = project.contract) => {
    await writeFile(path, text)
    const outcome = await step.run(new Set([path]))
    return { ...outcome, lines: await outcome.report() }
  }
  const first = async () => {
    await writeFile(project.contract, contractOf('a'))
    await step.run(undefined)
    step.shown()
  }
  return { folder, project, step, save, first }
}

t.test('a save shows the changes of the saves that it has overtaken', async (t) => {
  const { folder, step, save, first } = prepare(t)
  await first()
  t.match((await save(contractOf('a', 'b'))).lines, [/^compiled in/, 'compatible: GET /b added'])
  const second = await save(contractOf('b', 'c'))
  t.match(second, {
    isGood: true,
    isNew: true,
    lines: [/^compiled in/, /^breaking: GET \/a is gone .*compatible: GET \/b added, GET \/c added/]
  })
  t.match(
    await save('', join(folder, 'a-source.ts')),
    { isNew: false, lines: second.lines },
    'no contract was saved'
  )
  t.match(await save('wrong'), { isGood: false })
  step.shown()
  t.match(
    (await save(contractOf('c'))).lines.at(-1),
    'breaking: GET /a is gone   compatible: GET /c added',
    'the failed one has shown no changes'
  )
  step.shown()
  t.same((await save('', join(folder, 'a-source.ts'))).lines, [], 'what was shown is not shown again')
  t.match((await save(contractOf('c', 'd'))).lines.at(-1), 'compatible: GET /d added')
})

t.test('an error that the contract does not cause is shown with its stack', async (t) => {
  const { project, save, first } = prepare(t)
  await first()
  await rm(project.out, { recursive: true })
  await writeFile(project.out, 'a file')
  const { isGood, lines } = await save(contractOf('a', 'b'))
  t.notOk(isGood)
  t.match(lines[0], 'the compiler failed, which is a defect of its own:')
  t.match(lines.slice(1).join('\n'), /EEXIST[\s\S]* at /)
})

t.test(
  'the errors of the type checker are shown with their places, and their absence in a line',
  async (t) => {
    const folder = t.testdir({ 'a.ts': 'const a: string = 1\n' })
    const file = join(folder, 'a.ts')
    const problem = { severity: 'error', file, line: 1, column: 7, message: 'TS2322: wrong' } as const
    t.strictSame(typeReport([], { folder, time: 1234 }), ['types are right (1.2 s)'])
    t.strictSame(typeReport([problem], { folder, time: 50 }), [
      ...[
        '',
        'a.ts:1:7 TS2322: wrong',
        '  1 | const a: string = 1',
        '    |       ^',
        'types are wrong (0.1 s)'
      ]
    ])
  }
)
