/** Pipelined requests with CONNECT and Upgrade that are cut at each byte: the process lives, and nothing is left. */
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Json, serve, taking } from '../engine/serve.ts'
import { sleep, until } from '../time.ts'
import { statusesIn } from './connections.ts'
import { Random } from './random.ts'

t.setTimeout(900_000)

const large = 'x'.repeat(300_000)
const answering = (operationId: string): Json => ({
  get: { operationId, responses: { 200: { description: '', content: { 'text/plain': {} } } } }
})
const document: Json = {
  paths: { '/large': answering('large'), '/late': answering('late'), '/make': taking('make', {}) }
}
const { app, port, log, ask } = await serve(t, document, {
  // Node ignores the end of a client within the body of a request with `Upgrade`.
  fastify: { requestTimeout: 2000 },
  handlers: {
    large: async () => ({ status: 200, body: large }),
    late: async () => {
      await sleep(10)
      return { status: 200, body: 'late' }
    },
    make: async () => ({ status: 200, body: 1 })
  }
})

const host = 'HTTP/1.1\r\nHost: a\r\n'
const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n'
const json = 'Content-Type: application/json\r\n'
const requests: readonly [string, ...string[]] = [
  `GET /large ${host}\r\n`,
  `GET /late ${host}\r\n`,
  `CONNECT a:80 ${host}\r\n`,
  `GET /late ${host}${upgrade}\r\n`,
  `POST /make ${host}${json}${upgrade}Content-Length: 2\r\n\r\n{}`,
  `POST /make ${host}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  `POST /make ${host}${json}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `GET /none ${host}Content-Length: 4\r\n\r\nbody`,
  'broken\r\n\r\n'
]
type End = (socket: Socket) => unknown
const ends: readonly [End, ...End[]] = [
  (socket) => socket.end(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.destroy()
]

/** Sends the bytes before a position, the others in a later turn, and ends. Does not read if `isReading` is false. */
async function attack(bytes: string, at: number, end: End, isReading = true): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined).on('end', () => socket.end())
  if (isReading) socket.on('data', (data) => (text += data.toString('latin1')))
  socket.setNoDelay().write(bytes.slice(0, at))
  await sleep(5)
  if (end !== ends[0] && socket.writable) socket.write(bytes.slice(at))
  end(socket)
  if (!isReading) setTimeout(() => socket.destroy(), 20)
  await closed
  return statusesIn(text)
}

async function all(attacks: readonly (() => Promise<string[]>)[]): Promise<string[]> {
  const statuses: string[] = []
  for (let from = 0; from < attacks.length; from += 100)
    statuses.push(...(await Promise.all(attacks.slice(from, from + 100).map((run) => run()))).flat())
  return statuses
}

const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

async function checkRest(t: Test): Promise<void> {
  await until(async () => (await connections()) === 0)
  t.equal(await connections(), 0)
  t.equal(
    (await ask(`GET /late ${host}Connection: close\r\n\r\n`)).value,
    'late',
    'the next client is answered'
  )
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 50),
    []
  )
}

const sequences = [[2], [0, 2], [3, 4, 1], [5, 4, 2]].map((indexes) =>
  indexes.map((index) => requests[index]).join('')
)

t.test('requests that are cut at each byte', async (t) => {
  const attacks = sequences.flatMap((bytes) =>
    Array.from({ length: bytes.length + 1 }, (_, at) =>
      ends.map((end) => () => attack(bytes, at, end, at % 2 === 0))
    ).flat()
  )
  const statuses = new Set(await all(attacks))
  t.ok(statuses.isSubsetOf(new Set(['200', '400', '405', '408'])), [...statuses].join())
  t.ok(statuses.has('200') && statuses.has('405'))
  await checkRest(t)
})

t.test('random requests, places and ends', async (t) => {
  const random = new Random(1)
  const attacks = Array.from({ length: 600 }, () => {
    const bytes = Array.from({ length: 1 + random.below(6) }, () => random.of(requests)).join('')
    const [at, end, isReading] = [random.below(bytes.length + 1), random.of(ends), random.is(0.5)]
    return () => attack(bytes, at, end, isReading)
  })
  const statuses = new Set(await all(attacks))
  t.notOk(
    [...statuses].some((status) => status >= '500'),
    [...statuses].join()
  )
  t.ok(statuses.has('200') && statuses.has('405'))
  await checkRest(t)
})
