/** CPU of `process.nextTick` after a garbage collection, with and without tuneV8(). */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const file = join(import.meta.dirname, '../src/process.ts')

/** Program that collects garbage while no tick is alive, which can happen in a service before its code is optimized. */
const program = `
  import { setImmediate as turn } from 'node:timers/promises'
  import { tuneV8 } from ${JSON.stringify(file)}
  const ticks = (count) => new Promise((resolve) => {
    const next = () => (--count > 0 ? process.nextTick(next) : resolve())
    next()
  })
  if (process.env.KEEPS) tuneV8()
  await ticks(300)
  await turn()
  for (let time = 0; time < 2; time++) gc()
  await ticks(200_000)
  const before = process.cpuUsage()
  await ticks(1_000_000)
  const { user, system } = process.cpuUsage(before)
  console.log(user + system)
`

const cost = (env: object): number =>
  Number(
    execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
      // V8 does not optimize code whose calls are counted.
      env: { ...process.env, NODE_V8_COVERAGE: '', ...env },
      encoding: 'utf8'
    })
  )

t.test('a tick stays cheap when V8 collects garbage while there is none', async (t) => {
  const [without, kept] = [cost({}), cost({ KEEPS: '1' })]
  t.ok(
    without > 2 * kept,
    `${without} and ${kept} µs for a million ticks; where they are alike, nothing need be kept any more`
  )
})
