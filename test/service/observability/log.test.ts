import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'tap'

/** Runs a line of code in a process of its own, and tells what it wrote. */
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

test('a line is JSON, and is written even if the process ends at once', async (t) => {
  const text = await written(
    `${given}createLog('info', jsonLines(1)).info({ a: 1 }, 'hello'); process.exit(3)`
  )
  t.match(JSON.parse(text), { level: 30, time: Number, a: 1, msg: 'hello' })
  t.notMatch(text, /pid|hostname/)
})

test('a reader of the log that does not read holds nothing up', async (t) => {
  const code = `${given}
    const log = createLog('info', jsonLines(1))
    const began = performance.now()
    for (let line = 0; line < 20000; line += 1) log.info('x'.repeat(1000))
    console.error = () => {}
    process.kill(process.pid, performance.now() - began < 5000 ? 'SIGKILL' : 'SIGABRT')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [, signal] = await once(child, 'exit')
  t.equal(signal, 'SIGKILL')
})

test('a log that can not be written, for the disk is full, ends nothing', async (t) => {
  const code = `${given}
    import { openSync } from 'node:fs'
    const log = createLog('info', jsonLines(openSync('/dev/full', 'w')))
    const told = setInterval(() => log.info('hello'), 10)
    setTimeout(() => { clearInterval(told); process.exit(3) }, 300)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'inherit', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [status] = await once(child, 'exit')
  t.equal(status, 3, 'neither before its time, nor never')
})

test('below the level nothing is written', async (t) => {
  t.equal(await written(`${given}createLog('warn', jsonLines(1)).info('hello')`), '')
})

test('for people it is no JSON', async (t) => {
  const line = (colorize: boolean) =>
    written(`${given}createLog('info', await prettyLines(1, ${colorize})).info({ status: 200 }, 'hello')`)
  t.match(await line(false), /INFO: hello\n +status: 200/)
  t.match(await line(true), /\p{Cc}\[32mINFO\p{Cc}.*hello/u)
})
