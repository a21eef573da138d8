/** Number of connections to a server that refuses them. */
import type { Socket } from 'node:net'
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import { Backoff, backoffMs } from '../../../src/store/postgres/client.ts'
import { until } from '../../time.ts'
import { plant } from '../conformance.ts'
import { Cluster } from './cluster.ts'
import { fatal, Gate } from './gate.ts'

t.setTimeout(900_000)

t.test('pauses grow from 50 ms to 2 s, less a random part', async (t) => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 100].map((failures) => backoffMs(failures, 0))
  t.same(longest, [50, 100, 200, 400, 800, 1_600, 2_000, 2_000])
  t.same(
    [0, 100].map((failures) => backoffMs(failures, 1)),
    [25, 1_000]
  )
})

t.test('a success ends the pause', async (t) => {
  const backoff = new Backoff()
  t.equal(backoff.isOver, true)
  for (let failures = 0; failures < 10; failures++) backoff.failed()
  t.equal(backoff.isOver, false)
  backoff.succeeded()
  t.equal(backoff.isOver, true)
})

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()

/** Answers the first bytes of a client. */
const answering = (answer: Buffer | string) => (socket: Socket) =>
  socket.once('data', () => socket.end(answer))

const treatments: [what: string, treat: (socket: Socket) => void, parameters?: string][] = [
  ['accepts and closes', (socket) => socket.end()],
  ['accepts and resets', (socket) => socket.resetAndDestroy()],
  ['closes after the first message', answering('')],
  ['closes after it has agreed to TLS', answering('S'), 'sslmode=prefer'],
  ['answers no protocol', answering('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['has too many connections', answering(fatal('53300', 'sorry, too many clients already'))],
  ['refuses the password', answering(fatal('28P01', 'password authentication failed'))],
  ['shuts down', answering(fatal('57P03', 'the database system is shutting down'))],
  ['hangs', (socket) => socket.pause()]
]

/** Twice the attempts within 3 s, after pauses of at least 25, 50, 100, 200, 400, 800 and 1,000 ms. */
const most = 20

for (const [what, treat, parameters = ''] of treatments) {
  t.test(`a server that ${what} gets few connections while creates and reads wait`, async (t) => {
    const gate = await Gate.before(cluster.port)
    t.teardown(() => gate.close())
    const name = what.replaceAll(' ', '_').toLowerCase()
    const url = (await cluster.database(name)).replace(`:${cluster.port}/`, `:${gate.port}/`)
    const store = await openStore(`${url}?connect_timeout=1&${parameters}`, { timeout: 2_000 })
    t.equal(await store.create(plant(1)), 'created')
    gate.treat(treat)
    gate.cut()
    const reads = Array.from({ length: 200 }, () => store.get(1n))
    const creates = Array.from({ length: 100 }, (_, id) => store.create(plant(id + 2)).catch(() => 'none'))
    const probes = Array.from({ length: 20 }, () => store.ready())
    t.same(new Set(await Promise.all(creates)), new Set(['none']))
    t.same(new Set(await Promise.all(probes)), new Set([false]))
    t.ok(gate.count > 0 && gate.count <= most, `${gate.count} connections`)
    gate.pass()
    t.same(new Set(await Promise.all(reads)), new Set([plant(1).document]), 'reads are answered afterwards')
    await until(() => store.ready())
    t.equal(await store.create(plant(1_000)), 'created')
    await store.close()
  })
}

t.test('a server that refuses further connections serves over those that are open', async (t) => {
  const gate = await Gate.before(cluster.port)
  t.teardown(() => gate.close())
  const url = (await cluster.database('crowded')).replace(`:${cluster.port}/`, `:${gate.port}/`)
  const store = await openStore(url)
  t.equal(await store.create(plant(1)), 'created')
  gate.treat(answering(fatal('53300', 'sorry, too many clients already')))
  for (let round = 0; round < 20; round++) {
    const reads = await Promise.all(Array.from({ length: 100 }, () => store.get(1n)))
    t.same(new Set(reads), new Set([plant(1).document]))
  }
  t.ok(gate.count > 0 && gate.count <= most * 3, `${gate.count} connections`)
  await store.close()
})
