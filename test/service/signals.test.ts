/** SIGHUP in a process that serves: whatever the reload does, the process goes on. */
import { test } from 'tap'
import { readConfig } from '../../src/service/config/config.ts'
import { createLog } from '../../src/service/observability/log.ts'
import type { Reloaded } from '../../src/service/run.ts'
import { createShutdown, holdHangup, onSignals } from '../../src/service/serve.ts'
import { sleep, until } from '../time.ts'

const outcomes: readonly { what: string; reload: () => Promise<Reloaded>; line: object }[] = [
  {
    what: 'a reload',
    reload: async () => ({ problems: [], added: ['token:1'], removed: [], changed: [], tokens: 1 }),
    line: { level: 30, msg: 'SIGHUP: tokens are read again', added: ['token:1'], tokens: 1 }
  },
  {
    what: 'a file with a problem',
    reload: async () => ({ problems: ['line 1'], added: [], removed: [], changed: [], tokens: 1 }),
    line: { level: 50, msg: 'SIGHUP: tokens stay as they were', problems: ['line 1'] }
  },
  {
    what: 'a reload that rejects',
    reload: () => Promise.reject(new Error('a defect')),
    line: { level: 50, msg: 'SIGHUP: tokens stay as they were', err: { message: 'a defect' } }
  }
]

for (const { what, reload, line } of outcomes) {
  test(`SIGHUP logs ${what}`, async (t) => {
    const before = new Map(
      ['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => [name, process.listeners(name as 'SIGHUP')])
    )
    t.teardown(() => {
      for (const [name, kept] of before)
        for (const listener of process.listeners(name as 'SIGHUP'))
          if (!kept.includes(listener)) process.removeListener(name, listener)
    })
    const read = readConfig({ AUTH_TOKENS: 'alice' }, { tokens: true })
    if ('problems' in read) throw new Error(read.problems.join('\n'))
    const lines: string[] = []
    const log = createLog('info', { write: (text) => void lines.push(text) })
    const exit = (code: number) => t.fail(`exits ${code}`)
    onSignals({ reload, drain: async () => {}, left: () => ({}) }, { config: read.config, log, exit })
    process.kill(process.pid, 'SIGHUP')
    await until(() => lines.length > 0)
    t.match(JSON.parse(String(lines)), line)
  })
}

test('a SIGHUP that arrives during the start does not end the process, and is handled afterwards', async (t) => {
  for (const count of [0, 2]) {
    let [arrived, handled] = [0, 0]
    const handOn = holdHangup()
    const arrive = () => void arrived++
    process.on('SIGHUP', arrive)
    for (let sent = 0; sent < count; sent += 1) {
      process.kill(process.pid, 'SIGHUP')
      await until(() => arrived > sent)
    }
    process.off('SIGHUP', arrive)
    const handle = () => void handled++
    process.on('SIGHUP', handle)
    handOn()
    process.off('SIGHUP', handle)
    t.strictSame([arrived, handled], [count, Math.min(count, 1)])
  }
})

interface Case {
  readonly when: string
  readonly drain: () => Promise<void>
  readonly signals: readonly string[]
  readonly want: { readonly code: number; readonly logged: readonly string[] }
}

const timeout = 300

const never = () => new Promise<void>(() => {})

const cases: readonly Case[] = [
  {
    when: 'everything drains in time',
    drain: async () => {},
    signals: ['SIGTERM'],
    want: { code: 0, logged: ['SIGTERM: draining', 'stopped'] }
  },
  {
    when: 'the time-out expires',
    drain: never,
    signals: ['SIGINT'],
    want: {
      code: 1,
      logged: ['SIGINT: draining', 'stopped before everything was done: SHUTDOWN_TIMEOUT of 300 ms']
    }
  },
  {
    when: 'a second signal arrives',
    drain: never,
    signals: ['SIGTERM', 'later SIGINT'],
    want: {
      code: 1,
      logged: ['SIGTERM: draining', 'stopped before everything was done: SIGINT while draining']
    }
  },
  {
    when: 'a signal arrives twice, from the terminal and from npm',
    drain: () => sleep(30),
    signals: ['SIGINT', 'SIGINT'],
    want: { code: 0, logged: ['SIGINT: draining', 'stopped'] }
  },
  {
    when: 'draining fails',
    drain: () => Promise.reject(new Error('disk full')),
    signals: ['SIGTERM'],
    want: { code: 1, logged: ['SIGTERM: draining', 'disk full'] }
  }
]

for (const { when, drain, signals, want } of cases) {
  test(`when ${when}`, async (t) => {
    const messages: string[] = []
    const details: object[] = []
    const write = (about: object | string, message = '') => {
      messages.push(
        typeof about === 'string' ? about : 'err' in about ? String(Object(about.err).message) : message
      )
      if (typeof about === 'object' && 'left' in about) details.push(about)
    }
    const log = { info: write, fatal: write }
    const code = new Promise<number>((exit) => {
      const shutdown = createShutdown({ timeout, drain, left: () => ({ requests: 3 }), log, exit })
      for (const signal of signals)
        if (signal.startsWith('later ')) setTimeout(shutdown, 150, signal.replace('later ', ''))
        else shutdown(signal)
    })
    t.equal(await code, want.code)
    await sleep(100)
    t.strictSame(messages.slice(0, want.logged.length), want.logged)
    t.strictSame(details[0], { left: { requests: 3 } }, 'what is left is logged')
  })
}
