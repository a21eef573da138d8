/** The end of `npm run dev` by a signal or by the keys Ctrl-C: no process and no port is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ProjectCopy } from '../../../e2e/project-copy.ts'
import { breakSecurity, requireTag } from '../../../scripts/contract-edits.ts'
import { until } from '../../../time.ts'
import { DevSession, processesIn } from './dev-session.ts'

t.setTimeout(900_000)

const clear = '\u001b[H\u001b[J'
const ctrlC = '\u0003'
const copy = await ProjectCopy.make(t)

t.test('a signal ends every process while the next server takes the port', async (t) => {
  const dev = await DevSession.start(t, { copy })
  await copy.edit('openapi.yaml', requireTag)
  await until(async () => (await copy.read('generated/types.ts')).includes('tag: string'))
  t.ok(processesIn(copy.folder).length > 1)
  t.equal(await dev.end('SIGINT'), 0)
  t.strictSame(processesIn(copy.folder), [])
  await t.rejects(fetch(dev.url))
})

t.test('SIGKILL of npm run dev ends its servers as well', async (t) => {
  const dev = await DevSession.start(t, { copy })
  t.ok(processesIn(copy.folder).length >= 3, 'itself and two servers')
  await dev.end('SIGKILL')
  await until(() => processesIn(copy.folder).length === 0)
  t.strictSame(processesIn(copy.folder), [])
  await t.rejects(fetch(dev.url), 'nothing listens')
})

t.test('a program without runMain and without a listener for SIGTERM is replaced as well', async (t) => {
  await copy.reset()
  const program = `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
createServer((_request, response) => response.end('one')).listen(process.env['PORT'])
process.on('exit', () => writeFileSync('ended', ''))
`
  await copy.edit('src/main.ts', () => program)
  const { child, output } = await copy.start('exec node scripts/dev.ts --no-types', /serving after/)
  const url = /service +(\S+)/.exec(output)?.[1] ?? ''
  const answer = async () => (await fetch(url).catch(() => undefined))?.text()
  t.equal(await answer(), 'one')
  await copy.edit('src/main.ts', (text) => text.replace('one', 'two'))
  await until(async () => (await answer()) === 'two')
  t.equal(await copy.read('ended'), '', 'it was not killed')
  const exited = new Promise((done) => child.once('exit', done))
  child.kill('SIGINT')
  t.equal(await exited, 0)
})

t.test('SIGINT ends it before any server runs', async (t) => {
  await copy.reset()
  await copy.edit('openapi.yaml', breakSecurity)
  const { child } = await copy.start('exec node scripts/dev.ts', /no server is running/)
  child.kill('SIGINT')
  t.equal(await new Promise((done) => child.once('exit', done)), 0)
})

t.test('in a terminal each state replaces the last one on the screen, and Ctrl-C ends it', async (t) => {
  await copy.reset()
  const { AUTH_TOKENS: _tokens, NO_COLOR: _colour, ...environment } = process.env
  const terminal = spawn('script', ['-qec', 'npm run dev -- --no-types', '/dev/null'], {
    cwd: copy.folder,
    env: { ...environment, PORT: '0', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const exited = once(terminal, 'exit')
  t.teardown(() => terminal.kill())
  let shown = ''
  terminal.stdout.on('data', (text) => {
    shown += text
  })
  const screen = () => shown.split(clear).at(-1) ?? ''
  // As long as the test may take: a busy machine needs more than a minute for the first server.
  const shows = async (want: RegExp) => {
    while (!want.test(screen())) await sleep(20)
  }
  await shows(/serving/)
  await copy.edit('openapi.yaml', requireTag)
  await shows(/now required[\s\S]* after \d+ ms/)
  await copy.edit('openapi.yaml', breakSecurity)
  await shows(/waiting for the next change/)
  const last = screen()
  t.match(last, /service +http/, 'the address stays in sight')
  t.match(last, 'is not declared in components')
  // test/cli/format.test.ts has the table for all commands.
  t.match(last, /\p{Cc}\[\d+m/u, 'it has colours')
  t.notMatch(last, 'now required')
  t.ok(last.split('\n').length < 24)
  const [, url = ''] = /service +(\S+)/.exec(last) ?? []
  t.equal((await fetch(`${url}/-/live`)).status, 200)
  terminal.stdin.write(ctrlC)
  await exited
  t.strictSame(processesIn(copy.folder), [])
  await t.rejects(fetch(`${url}/-/live`))
})
