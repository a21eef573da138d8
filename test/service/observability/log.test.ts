import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'tap'

/** Runs code in a process of its own and returns its output. */
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

const given = `import { createLog, jsonLines, prettyLines } from './src/service/observability/log.ts'\n`

test('a line is JSON, and is written although the process exits at once', async (t) => {
  const text = await written(
    `${given}createLog('info', jsonLines(1)).info({ a: 1 }, 'hello'); process.exit(3)`
  )
  t.match(JSON.parse(text), { level: 30, time: Number, a: 1, msg: 'hello' })
  t.notMatch(text, /pid|hostname/)
})

test('writing to a reader that never reads does not block', async (t) => {
  const code = `${given}
    const log = createLog('info', jsonLines(1))
    for (let line = 0; line < 20000; line += 1) log.info('x'.repeat(1000))
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [, signal] = await once(child, 'exit')
  t.equal(signal, 'SIGKILL', 'the process got past its last line')
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

test('lines below the level are not written', async (t) => {
  t.equal(await written(`${given}createLog('warn', jsonLines(1)).info('hello')`), '')
})

test('pretty lines are not JSON', async (t) => {
  const line = (colorize: boolean) =>
    written(`${given}createLog('info', await prettyLines(1, ${colorize})).info({ status: 200 }, 'hello')`)
  t.match(await line(false), /INFO: hello\n +status: 200/)
  t.match(await line(true), /\p{Cc}\[32mINFO\p{Cc}.*hello/u)
})
