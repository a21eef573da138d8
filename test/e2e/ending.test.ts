/** Nothing delays the end of the process: neither the reader of its log nor a client that has its answer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import t, { type Test, test } from 'tap'
import { sleep, until } from '../time.ts'
import { inTerminal, run, seen, start, token } from './running.ts'

t.setTimeout(900_000)

const main = new URL('../../src/main.ts', import.meta.url).pathname

/** A preload that throws an uncaught error on SIGUSR2. */
const crashing = `--import=data:text/javascript,${encodeURIComponent(
  'process.on("SIGUSR2", () => { throw new Error("boom") })'
)}`

/** Starts the service with a log reader that has stopped, and more lines than the pipe holds. */
async function withStoppedReader(t: Test) {
  const reader = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] })
  reader.kill('SIGSTOP')
  reader.stdin.on('error', () => {})
  const { PATH, NODE_OPTIONS = '', NODE_V8_COVERAGE = '' } = process.env
  const child = spawn(process.execPath, [main], {
    cwd: t.testdir({}),
    env: {
      PATH,
      NODE_V8_COVERAGE,
      NODE_OPTIONS: `${NODE_OPTIONS} ${crashing}`,
      PORT: '0',
      AUTH_TOKENS: token
    },
    stdio: ['ignore', reader.stdin, 'pipe', 'ipc']
  })
  reader.stdin.destroy()
  t.teardown(() => [child, reader].map((each) => each.kill('SIGKILL')))
  const [{ url }] = await once(child, 'message')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // The status does not matter: a stalled machine sheds some requests, which are logged, too.
  const begin = 'HTTP/1.1 '
  let answers = 0
  let tail = ''
  socket.on('data', (data) => {
    const text = `${tail}${data}`
    answers += text.split(begin).length - 1
    // A chunk may end within the first line of an answer.
    tail = text.slice(1 - begin.length)
  })
  for (let sent = 0; sent < 1_000; sent += 50) {
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(50))
    await until(() => answers >= sent + 40)
  }
  socket.destroy()
  return { child, reader, exit: once(child, 'exit') }
}

const ends: readonly (readonly [signal: NodeJS.Signals, readerDies: boolean, code: number])[] = [
  ['SIGTERM', false, 0],
  ['SIGTERM', true, 0],
  ['SIGUSR2', false, 1]
]

for (const [signal, readerDies, code] of ends)
  test(`a log reader that has ${readerDies ? 'died' : 'stopped'} does not keep the service after ${signal}`, async (t) => {
    const { child, reader, exit } = await withStoppedReader(t)
    child.kill(signal)
    if (readerDies) await sleep(350).then(() => reader.kill('SIGKILL'))
    t.strictSame(await exit, [code, null])
  })

test('a terminal that hangs stops neither the service nor its end', async (t) => {
  const environment = { PORT: '0', AUTH_TOKENS: token }
  const terminal = inTerminal(t, `exec node ${main}`, t.testdir({}), environment)
  let output = ''
  terminal.stdout.on('data', (text) => {
    output += text
  })
  const url = await seen(() => output, /service +(http:\S+)/)
  const pid = readFileSync(`/proc/${terminal.pid}/task/${terminal.pid}/children`, 'utf8').trim()
  t.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), 'main.ts')
  terminal.kill('SIGSTOP')
  for (let asked = 0; asked < 1_000; asked += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/nowhere`)))
    for (const answer of answers) await answer.text()
  }
  t.equal((await fetch(`${url}/-/live`)).status, 200, 'more lines than a terminal takes')
  process.kill(Number(pid), 'SIGTERM')
  // Its parent is stopped, so it stays a zombie.
  const isEnded = () => /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  await until(isEnded)
  t.ok(isEnded())
})

test('SIGTERM sends the rest of an answer, as slowly as its client reads', async (t) => {
  const running = await start(t, { SHUTDOWN_TIMEOUT: '20000' })
  const socket = connect(running.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = 0
  let length = 0
  socket.once('data', (data) => {
    length = Number(/content-length: (\d+)/i.exec(String(data))?.[1])
  })
  socket.write('GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  running.child.kill('SIGTERM')
  await seen(running.output, /: draining/)
  await sleep(2_000)
  socket.on('data', (data) => {
    received += data.length
  })
  socket.resume()
  await once(socket, 'close')
  t.ok(length > 1_000_000)
  t.ok(received + 65_536 > length, `${received} of ${length} bytes after the first`)
  t.match(await running.ended, { code: 0 })
})

test('a client that has its 401 and goes on sending does not keep the service', async (t) => {
  const running = await start(t, { SHUTDOWN_TIMEOUT: '20000', REQUEST_TIMEOUT: '60000' })
  const socket = connect(running.port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(
    'POST /plants HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
  )
  // A stalled machine sheds load.
  t.match(String(await once(socket, 'data')), /^HTTP\/1.1 (401|503)/)
  const trickle = setInterval(() => socket.write('1\r\nx\r\n'), 20)
  t.teardown(() => clearInterval(trickle))
  running.child.kill('SIGTERM')
  t.match(await running.ended, { code: 0 }, 'before SHUTDOWN_TIMEOUT, which would be 1')
})

test('the log says what a start and a reload put in force', async (t) => {
  const folder = t.testdir({ tokens: 'a-token-of-the-file-1\n' })
  const file = `${folder}/tokens`
  const running = await start(t, {
    CWD: folder,
    AUTH_TOKENS_FILE: file,
    DATABASE_URL: `sqlite:${folder}/new.db`
  })
  await seen(running.output, /"msg":"started"/)
  t.match(
    running.log().find(({ msg }) => msg === 'started'),
    {
      version: /^\d/,
      pid: running.child.pid,
      contract: { title: 'Plant Store', sha256: /^[0-9a-f]{64}$/ },
      store: { kind: 'sqlite', isNew: true },
      credentials: { tokens: 2 },
      limits: { bodyLimit: 1_048_576, maxBodyBytes: 67_108_864, maxUnreadBytes: 33_554_432 }
    }
  )
  t.match(running.output(), /made a new, empty store/)
  writeFileSync(file, 'a-token-of-the-file-2\na-token-of-the-file-3\n')
  running.child.kill('SIGHUP')
  await seen(running.output, /SIGHUP: tokens are read again/)
  t.match(running.log().at(-1), { added: { length: 2 }, removed: { length: 1 }, tokens: 3 })
  writeFileSync(file, '')
  running.child.kill('SIGHUP')
  await seen(running.output, /holds no token.*SIGHUP: tokens stay as they were/)
})

test('in production the folder of a named file is not made, and weak tokens are warned of', async (t) => {
  const folder = t.testdir({})
  const production = { NODE_ENV: 'production', PORT: '0', AUTH_TOKENS: token }
  const refused = await run(t, { ...production, DATABASE_URL: `sqlite:${folder}/typo/plants.db` }).ended
  t.match(refused, { code: 1, output: /the folder \S+\/typo does not exist/ })
  const { output } = await start(t, { ...production, DATABASE_URL: `sqlite:${folder}/plants.db` })
  t.match(output(), /AUTH_TOKENS: token 1 of 1 has fewer than 16 characters/)
})
