/** `npm run dev` through npm in a terminal, ended by the keys Ctrl-C. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ProjectCopy, serviceOnly } from '../../../e2e/project-copy.ts'
import { breakSecurity } from '../../../scripts/contract-edits.ts'

t.setTimeout(900_000)

const clear = '\u001b[H\u001b[J'
const ctrlC = '\u0003'

t.test('each state replaces the last one on the screen, and Ctrl-C ends it', async (t) => {
  const copy = await ProjectCopy.make(t, { checked: serviceOnly })
  const { AUTH_TOKENS: _tokens, NO_COLOR: _colour, ...environment } = process.env
  const terminal = spawn('script', ['-qec', 'npm run dev', '/dev/null'], {
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
  const until = async (want: RegExp) => {
    while (!want.test(shown)) await sleep(20)
  }
  await until(/serving/)
  await until(/types are/)
  await copy.edit('openapi.yaml', breakSecurity)
  await until(/waiting for the next change/)
  const states = shown.split(clear)
  t.equal(states.length, 3)
  const last = states.at(-1) ?? ''
  t.match(last, /service +http/, 'the address stays in sight')
  t.match(last, 'is not declared in components')
  // test/scripts/colour.test.ts checks those of the other commands.
  t.match(last, /\p{Cc}\[\d+m/u, 'it has colours')
  t.notMatch(last, 'types are')
  t.ok(last.split('\n').length < 24)
  const [, url = ''] = /service +(\S+)/.exec(last) ?? []
  t.equal((await fetch(`${url}/-/live`)).status, 200)
  terminal.stdin.write(ctrlC)
  await exited
  await t.rejects(fetch(`${url}/-/live`))
})
