import { test } from 'tap'
import { createShutdown } from '../../../src/service/lifecycle/shutdown.ts'
import { sleep } from '../../time.ts'

interface Case {
  readonly when: string
  readonly drain: () => Promise<void>
  readonly signals: readonly string[]
  readonly want: { readonly code: number; readonly said: readonly string[] }
}

const timeout = 300

const never = () => new Promise<void>(() => {})

const cases: readonly Case[] = [
  {
    when: 'everything is done',
    drain: async () => {},
    signals: ['SIGTERM'],
    want: { code: 0, said: ['SIGTERM: draining', 'stopped'] }
  },
  {
    when: 'the time is over',
    drain: never,
    signals: ['SIGINT'],
    want: {
      code: 1,
      said: ['SIGINT: draining', 'stopped before everything was done: SHUTDOWN_TIMEOUT of 300 ms']
    }
  },
  {
    when: 'a second signal comes',
    drain: never,
    signals: ['SIGTERM', 'later SIGINT'],
    want: {
      code: 1,
      said: ['SIGTERM: draining', 'stopped before everything was done: SIGINT while draining']
    }
  },
  {
    when: 'the same signal comes twice, from the terminal and from npm',
    drain: () => sleep(30),
    signals: ['SIGINT', 'SIGINT'],
    want: { code: 0, said: ['SIGINT: draining', 'stopped'] }
  },
  {
    when: 'draining fails',
    drain: () => Promise.reject(new Error('disk full')),
    signals: ['SIGTERM'],
    want: { code: 1, said: ['SIGTERM: draining', 'disk full'] }
  }
]

for (const { when, drain, signals, want } of cases) {
  test(`when ${when}`, async (t) => {
    const said: string[] = []
    const logged: object[] = []
    const write = (about: object | string, message = '') => {
      said.push(
        typeof about === 'string' ? about : 'err' in about ? String(Object(about.err).message) : message
      )
      if (typeof about === 'object' && 'left' in about) logged.push(about)
    }
    const log = { info: write, fatal: write }
    const code = new Promise<number>((exit) => {
      const shutdown = createShutdown({ timeout, drain, left: () => ({ requests: 3 }), log, exit })
      for (const signal of signals)
        setTimeout(shutdown, signal.startsWith('later') ? 150 : 0, signal.replace('later ', ''))
    })
    t.equal(await code, want.code)
    await sleep(100)
    t.strictSame(said.slice(0, want.said.length), want.said)
    t.strictSame(logged[0], { left: { requests: 3 } }, 'what is left is said')
  })
}
