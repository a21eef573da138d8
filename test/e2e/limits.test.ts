import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test, test } from 'tap'
import { sleep, until } from '../time.ts'
import { createLoad } from './clients.ts'
import { create, createOnce, type Running, seen, start, token } from './running.ts'

t.setTimeout(900_000)

const head = `POST /plants HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`

interface Slow extends Socket {
  readonly received: () => string
}

async function open(t: Test, port: number, bytes = ''): Promise<Slow> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  socket
    .on('error', () => {})
    .on('data', (data) => {
      text += data
    })
  await once(socket, 'connect')
  socket.write(bytes)
  return Object.assign(socket, { received: () => text })
}

const timedOut: readonly { what: string; bytes: string }[] = [
  { what: 'headers that do not end', bytes: head },
  { what: 'a body that does not end', bytes: `${head}content-length: 100\r\n\r\n{"id":1,` },
  { what: 'a chunked body that does not end', bytes: `${head}transfer-encoding: chunked\r\n\r\n3\r\n{"i\r\n` }
]

test('headers and bodies that do not end: 408 after REQUEST_TIMEOUT', async (t) => {
  const { port } = await start(t, { REQUEST_TIMEOUT: '1500' })
  const ended = timedOut.map(async ({ what, bytes }) => {
    const socket = await open(t, port, bytes)
    // The wait is shorter than the default of REQUEST_TIMEOUT, and counts turns of this process.
    await Promise.race([once(socket, 'end'), sleep(8_000)])
    t.match(socket.received(), /^HTTP\/1.1 408 (.*\r\n)*connection: close\r\n/i, what)
    t.match(socket.received(), /\r\n\r\n\{"error":4080,"message":"[^"]+"\}$/, what)
  })
  await Promise.all(ended)
})

test('headers over 16 KiB: 431; a body over BODY_LIMIT: 413', async (t) => {
  const { url } = await start(t, { BODY_LIMIT: '100' })
  const plant = { id: 1, name: 'x' }
  const headers = await create(url, plant, { 'x-long': 'x'.repeat(16_384) })
  t.equal(headers.status, 431)
  t.match(await headers.json(), { error: 4310 })
  const body = await create(url, { ...plant, tag: 'x'.repeat(100) })
  t.equal(body.status, 413)
  t.match(await body.json(), { error: 4130 })
  t.equal((await create(url, plant, { 'x-long': 'x'.repeat(15_000) })).status, 200)
})

test('RATE_LIMIT per token: RateLimit headers, then 429 with the error body', async (t) => {
  const { url } = await start(t, { RATE_LIMIT: '2/1m', AUTH_TOKENS: `${token},other` })
  const served = (bearer: string) => create(url, { id: 1, name: 'x' }, { authorization: `Bearer ${bearer}` })
  const rateLimitOf = async (bearer: string) => {
    const { status, headers } = await served(bearer)
    return [
      status,
      headers.get('ratelimit-limit'),
      headers.get('ratelimit-remaining'),
      headers.get('retry-after')
    ]
  }
  t.strictSame(await rateLimitOf(token), [200, '2', '1', null])
  t.strictSame(await rateLimitOf(token), [200, '2', '0', null])
  t.match(await rateLimitOf(token), [429, '2', '0', /^\d+$/])
  t.strictSame(await rateLimitOf('other'), [200, '2', '1', null])
  t.strictSame(await rateLimitOf('wrong'), [401, null, null, null])
  const refused = await served(token)
  t.match(await refused.json(), { error: 4290, message: String })
  for (let turn = 0; turn < 5; turn += 1) t.equal((await fetch(`${url}/-/live`)).status, 200)
})

test('requests are answered while 500 clients send a byte at a time', async (t) => {
  // The time-outs are long enough for a stalled machine.
  const { url, port } = await start(t, { REQUEST_TIMEOUT: '600000' })
  const slow = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      open(t, port, index % 2 === 0 ? 'POST /plants HTTP/1.1\r\n' : `${head}content-length: 1000\r\n\r\n`)
    )
  )
  for (let id = 1; id <= 100; id += 1) {
    if (id % 10 === 0)
      for (const [index, socket] of slow.entries()) socket.write(index % 2 === 0 ? 'x: y\r\n' : ' ')
    t.equal((await create(url, { id, name: 'x' })).status, 200)
  }
  // A stalled machine sheds requests whose headers are complete.
  const isShed = (socket: Slow) => socket.received().startsWith('HTTP/1.1 503')
  const isSending = (socket: Slow) => socket.received() === '' && !socket.closed
  t.ok(
    slow.every((socket, index) => isSending(socket) || (index % 2 === 1 && isShed(socket))),
    'and all of them still send'
  )
})

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
