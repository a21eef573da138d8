import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test, test } from 'tap'
import {
  createLog,
  LineWriter,
  prettyLines,
  terminalDescriptor
} from '../../../src/service/observability/log.ts'
import { sleep, until } from '../../time.ts'

t.setTimeout(900_000)

/** Runs code in a separate process and returns its output. */
async function written(code: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
  })
  await once(child, 'close')
  return text
}

/** Lines are written at the end, as `serve` does it. */
const given = `import { LineWriter } from './src/service/observability/log.ts'
import { createLog, prettyLines } from './src/service/observability/log.ts'
const jsonLines = (descriptor) => {
  const lines = new LineWriter(descriptor)
  process.on('exit', () => lines.flushSync())
  return lines
}\n`

test('a line is JSON, and is written although the process exits at once', async (t) => {
  const text = await written(
    `${given}createLog('info', jsonLines(1)).info({ a: 1 }, 'hello'); process.exit(3)`
  )
  t.match(JSON.parse(text), { level: 30, time: Number, a: 1, msg: 'hello' })
  t.notMatch(text, /pid|hostname/)
})

test('a full disk does not end the process', async (t) => {
  const code = `${given}
    import { openSync } from 'node:fs'
    const log = createLog('info', jsonLines(openSync('/dev/full', 'w')))
    const timer = setInterval(() => log.info('hello'), 10)
    setTimeout(() => { clearInterval(timer); process.exit(3) }, 300)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'inherit', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [status] = await once(child, 'exit')
  t.equal(status, 3, 'it exits at its own time')
})

test('a slow reader gets every line, in order, although the pipe is full at times', async (t) => {
  const code = `${given}process.stdout.isTTY
    const log = createLog('info', jsonLines(1))
    for (let line = 0; line < 5000; line += 1) log.info({ line }, 'x'.repeat(200))
    setTimeout(() => {}, 60_000).unref()
    setInterval(() => log.info({ line: -1 }), 1e6)
    setTimeout(() => process.exit(0), 1500)`
  const lines = (await written(code)).trimEnd().split('\n')
  t.strictSame(
    lines.map((line) => JSON.parse(line).line),
    Array.from({ length: 5000 }, (_, line) => line)
  )
})

/** Returns the descriptor of a pipe to a stopped `cat`, which writes to a file, and what the file holds. */
function stoppedReader(t: Test) {
  const file = join(t.testdir(), 'log')
  const reader = spawn('cat', { stdio: ['pipe', openSync(file, 'w'), 'inherit'] })
  reader.kill('SIGSTOP')
  reader.stdin?.on('error', () => {})
  t.teardown(() => reader.kill('SIGKILL'))
  const descriptor = Number(Object(Reflect.get(Object(reader.stdin), '_handle')).fd)
  const text = () => readFileSync(file, 'utf8')
  return { descriptor, goOn: () => reader.kill('SIGCONT'), text }
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const numbers = (length: number) => Array.from({ length }, (_, line) => line)

/** Logs so many lines of 1,000 characters in one event-loop turn. */
function logLines(log: ReturnType<typeof createLog>, count: number): void {
  for (const line of numbers(count)) log.error({ line }, 'x'.repeat(1000))
}

const beyondBuffer = 20_000

/** Returns the numbers of the lines before the report, the report, and the lines behind it. */
function around(lines: readonly Record<string, unknown>[]) {
  const at = lines.findIndex(({ dropped }) => dropped !== undefined)
  const [report, ...behind] = lines.slice(at)
  return { before: lines.slice(0, at).map(({ line }) => line), report, behind }
}

test('dropped lines are counted, and the count is logged in their place when the reader reads again', async (t) => {
  const { descriptor, goOn, text } = stoppedReader(t)
  const lines = new LineWriter(descriptor)
  const log = createLog('error', {
    write: (line) => lines.write(line),
    onDropped: (report) =>
      lines.onDropped((dropped) => {
        report(dropped)
        log.error('behind')
      })
  })
  logLines(log, beyondBuffer)
  await sleep(300)
  goOn()
  await until(() => text().endsWith('"behind"}\n'))
  const { before, report, behind } = around(linesOf(text()))
  t.strictSame(before, numbers(before.length))
  t.ok(before.length > 5_000 && before.length < 10_000)
  t.match(report, { level: 50, dropped: beyondBuffer - before.length, msg: /dropped/ })
  t.match(behind, [{ msg: 'behind' }])
})

test('dropped lines are counted at the end of the process, too, in pretty lines as well', async (t) => {
  const file = join(t.testdir(), 'log')
  const lines = new LineWriter(openSync(file, 'w'))
  logLines(createLog('error', lines), beyondBuffer)
  lines.flushSync()
  const { before, report, behind } = around(linesOf(readFileSync(file, 'utf8')))
  t.match([report, behind], [{ dropped: beyondBuffer - before.length }, []])
  const pretty = await prettyLines(new LineWriter(openSync(file, 'w')), false)
  logLines(createLog('error', pretty), beyondBuffer)
  pretty.flushSync()
  t.match(readFileSync(file, 'utf8'), /ERROR: lines of the log were dropped here.*\n +dropped: \d+\n$/)
})

test('a line that is logged while another one is written is written at the end', async (t) => {
  const file = join(t.testdir(), 'log')
  const lines = new LineWriter(openSync(file, 'w'))
  const log = createLog('info', lines)
  log.info('first')
  await nextTurn()
  log.info('second')
  lines.flushSync()
  await until(() => linesOf(readFileSync(file, 'utf8')).length === 2)
  t.strictSame(
    linesOf(readFileSync(file, 'utf8'))
      .map(({ msg }) => msg)
      .toSorted(),
    ['first', 'second']
  )
})

test('a line that is larger than the buffer is dropped, and counted', async (t) => {
  const file = join(t.testdir(), 'log')
  const log = createLog('error', new LineWriter(openSync(file, 'w')))
  log.error('x'.repeat(9_000_000))
  await until(() => readFileSync(file, 'utf8') !== '')
  log.error('behind')
  await until(() => /behind/.test(readFileSync(file, 'utf8')))
  t.match(linesOf(readFileSync(file, 'utf8')), [{ dropped: 1 }, { msg: 'behind' }])
})

test('the last lines are written although the pipe was full at the end', async (t) => {
  const { descriptor, goOn, text } = stoppedReader(t)
  const lines = new LineWriter(descriptor)
  logLines(createLog('error', lines), 300)
  await sleep(300)
  // The third retry, which may begin in the same turn of the event loop, has failed after a few microseconds.
  await sleep(20)
  goOn()
  lines.flushSync()
  await until(() => text().split('\n').length > 300)
  t.strictSame(
    linesOf(text()).map(({ line }) => line),
    numbers(300)
  )
})

test('of an error of a database the log holds code, message and severity, not the row', async (t) => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const error = Object.assign(new Error('violates a constraint'), {
    name: 'PostgresError',
    code: '23505',
    severity: 'ERROR',
    detail: 'Key (id)=(4111) already exists.',
    where: 'unnamed portal parameter $1 = hunter2'
  })
  log.error({ err: error })
  t.match(JSON.parse(lines[0] ?? ''), {
    err: { type: 'PostgresError', code: '23505', severity: 'ERROR', message: 'violates a constraint' }
  })
  t.notMatch(lines[0], /4111|hunter2/)
})

test('pretty lines are flushed before the process exits, in colour where that is asked for', async (t) => {
  const line = (colorize: boolean) =>
    written(`${given}
      const lines = await prettyLines(jsonLines(1), ${colorize})
      createLog('info', lines).info({ status: 200 }, 'hello')
      lines.flushSync()
      process.kill(process.pid, 'SIGKILL')`)
  t.match(await line(false), /INFO: hello\n +status: 200/)
  t.match(await line(true), /\p{Cc}\[32mINFO\p{Cc}.*hello/u)
  t.equal(terminalDescriptor(99_999), 99_999, 'a descriptor that cannot be opened again is used as it is')
})

test('whatever is thrown can be logged', async (t) => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const hidden = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('secret')
    }
  })
  const thrown: readonly [unknown, unknown][] = [
    ['a text', 'a text'],
    [null, null],
    [10n, 10],
    [{ reason: 'plain' }, { reason: 'plain' }],
    [hidden, { message: 'an error that cannot be read' }]
  ]
  for (const [err, logged] of thrown) {
    log.error({ err }, 'failed')
    t.match(JSON.parse(String(lines.pop())), { err: logged, msg: 'failed' })
  }
})
