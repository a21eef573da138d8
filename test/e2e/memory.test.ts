/** The heap after a burst, with the V8 options of `npm start`. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { createLoad } from './clients.ts'
import { run, seen, token } from './running.ts'

const [, , ...options] = manifest.scripts.start.split(' ')
t.setTimeout(900_000)
/** Number of creates in a burst, and after it: after half as many, long-lived objects fill the old generation only once. */
const creates = 20_000
/** V8 collects these objects six to eight times; on a busy machine, one or two collections have other causes. */
const maxFull = 3

test('a burst of requests leaves no objects in the old generation', async (t) => {
  const database = `sqlite:${t.testdir({})}/plants.db`
  const environment = { PORT: '0', AUTH_TOKENS: token, DATABASE_URL: database, CWD: process.cwd() }
  const { output } = run(t, { ...environment, LOG_LEVEL: 'error' }, options, '--trace-gc')
  const url = await seen(output, /(http:\/\/127\.0\.0\.1:\d+)/)
  const burst = createLoad(url, 500)
  while (burst.acknowledged.length < creates) await sleep(20)
  burst.stop()
  await burst.ended
  const before = output().length
  const load = createLoad(url, 64)
  while (load.acknowledged.length < creates) await sleep(20)
  load.stop()
  await load.ended
  // V8 reduces the heap of a process that allocates little, as on a busy machine.
  const full =
    output()
      .slice(before)
      .match(/Mark-Compact (?!\(reduce\))/g) ?? []
  t.ok(full.length <= maxFull, `${full.length} full collections in ${creates} creates`)
})
