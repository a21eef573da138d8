/** The bounds of the service under load. test/e2e/requests/ has those of one request. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import t, { test } from 'tap'
import { until } from '../time.ts'
import { createLoad } from './clients.ts'
import { create, createOnce, type Running, seen, start } from './running.ts'

t.setTimeout(900_000)

const residentMiB = ({ child }: Running): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

test('a slow store: 503 beyond the queue, bounded memory, and a full recovery', async (t) => {
  const database = `${t.testdir({})}/plants.db`
  const running = await start(t, {
    DATABASE_URL: `sqlite:${database}`,
    CWD: process.cwd(),
    METRICS_PORT: '0',
    // A stalled machine accepts connections long before it reads them.
    REQUEST_TIMEOUT: '600000'
  })
  t.equal((await create(running.url, { id: 0, name: 'x' })).status, 200)
  const lock = new DatabaseSync(database, { timeout: 60_000 })
  lock.exec('BEGIN IMMEDIATE')
  const before = residentMiB(running)
  // More requests than a full queue and the batch that waits for the lock hold together.
  const load = createLoad(running.url, 4_500)
  const metrics = await seen(running.output, /"url":"(http:[^"]+\/metrics)"/)
  const isFull = async () => /^store_queue_depth 2048$/m.test(await (await fetch(metrics)).text())
  let error: number | undefined
  // A create that arrives just after the queue has timed out waits in it itself (5031); the other clients fill it
  // again.
  for (let tries = 0; tries < 5 && error !== 5030; tries++) {
    await until(isFull)
    const refused = await createOnce(running.url, { id: -1, name: 'x' })
    t.equal(refused.status, 503)
    t.match(refused.headers.get('retry-after'), /^\d+$/)
    error = Object(await refused.json()).error
  }
  t.equal(error, 5030)
  t.equal((await fetch(`${running.url}/-/live`)).status, 200)
  const grown = residentMiB(running) - before
  t.ok(grown < 500, `${grown} MiB more`)
  lock.exec('ROLLBACK')
  lock.close()
  load.stop()
  await load.ended
  const isStored = async () => (await create(running.url, { id: -1, name: 'x' })).status === 200
  await until(isStored)
  t.ok(await isStored())
  t.strictSame(
    [...load.others.keys()].filter((outcome) => outcome !== '503'),
    [],
    'nothing but 200 and 503'
  )
})
