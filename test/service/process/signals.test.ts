/** SIGHUP in a process that serves: whatever the reload does, the process goes on. */
import { test } from 'tap'
import { readConfig } from '../../../src/service/config/config.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { holdHangup, onSignals } from '../../../src/service/process/signals.ts'
import type { Reloaded } from '../../../src/service/run.ts'
import { until } from '../../time.ts'

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
