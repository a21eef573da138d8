/** Degree of the time that expressions take. */
import { syncBuiltinESMExports } from 'node:module'
import t from 'tap'
import { cpuTime, degreeOf } from '../../../../src/compiler/compile/validators/recheck.ts'

const rows: readonly [source: string, degree: number | undefined][] = [
  ['^[a-z]+(-[a-z]+)*$', 1],
  ['^(\\d+\\.)+\\d+$', 1],
  ['^(?=.*--)a$', 1],
  ['^[^@]+@[^@]+\\.[^@]+$', 2],
  ['^(a+)\\1$', 2],
  ['^(?!x)[a-z-]+[a-z0-9-]+$', 2],
  ['a+a+b', 3],
  ['^(a+)+$', Infinity],
  ['^(\\w|\\d)+$', Infinity],
  ['(?i:a)', undefined],
  [`${'('.repeat(3000)}a+${')'.repeat(3000)}+$`, undefined]
]

for (const [source, want] of rows)
  t.test(`${source.slice(0, 40)} has degree ${want}`, async (t) => {
    t.equal(degreeOf(source, 'u'), want)
  })

t.test('an answer does not depend on how long it takes on the clock', async (t) => {
  const { now } = performance
  t.teardown(() => {
    performance.now = now
  })
  let hours = 0
  performance.now = () => 3_600_000 * hours++
  t.equal(degreeOf('^[^@]+@[^@]+$', 'u'), 1)
})

t.test('an answer by trial does not depend on the speed of the machine', async (t) => {
  const { threadCpuUsage } = process
  const replace = (replacement: typeof threadCpuUsage) => {
    process.threadCpuUsage = replacement
    syncBuiltinESMExports()
  }
  t.teardown(() => replace(threadCpuUsage))
  let milliseconds = 0
  replace(() => ({ user: 1000 * milliseconds++, system: 0 }))
  t.equal(degreeOf('^(?=.*--)a$', 'u'), 1)
})

t.test('CPU time does not go back', async (t) => {
  const start = cpuTime()
  degreeOf('^\\S+@\\S+\\.\\S+$', 'u')
  t.ok(cpuTime() > start)
})
