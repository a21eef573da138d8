import { test } from 'tap'
import { createShutdown } from '../../../src/service/process/signals.ts'
import { sleep } from '../../time.ts'

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
