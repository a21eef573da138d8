/** Pipelined requests with CONNECT and Upgrade that are cut at each byte: the process lives, and nothing is left. */
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { type Json, serve, taking } from '../engine/serve.ts'
import { sleep, until } from '../time.ts'
import { statusesIn } from './fuzz.ts'
import { Random } from './mutate.ts'

t.setTimeout(900_000)

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
    large: async () => ({ status: 200, body: 'x'.repeat(300_000) }),
    late: () => sleep(10).then(() => ({ status: 200, body: 'late' })),
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
async function attack(bytes: string, at: number, end: End, isReading: boolean): Promise<string[]> {
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

const sequences = [[2], [0, 2], [3, 4, 1], [5, 4, 2]].map((indexes) =>
  indexes.map((index) => requests[index]).join('')
)
const cut = sequences.flatMap((bytes) =>
  Array.from({ length: bytes.length + 1 }, (_, at) =>
    ends.map((end) => () => attack(bytes, at, end, at % 2 === 0))
  ).flat()
)
const random = new Random(1)
const other = Array.from({ length: 600 }, () => {
  const bytes = Array.from({ length: 1 + random.below(6) }, () => random.of(requests)).join('')
  const [at, end, isReading] = [random.below(bytes.length + 1), random.of(ends), random.next() < 0.5]
  return () => attack(bytes, at, end, isReading)
})

for (const [what, attacks, allowed] of [
  ['requests that are cut at each byte', cut, ['200', '400', '405', '408']],
  ['random requests, places and ends', other, ['200', '400', '404', '405', '408', '100']]
] as const)
  t.test(what, async (t) => {
    const statuses = new Set<string>()
    for (let from = 0; from < attacks.length; from += 100)
      for (const found of await Promise.all(attacks.slice(from, from + 100).map((run) => run())))
        for (const status of found) statuses.add(status)
    t.ok(statuses.isSubsetOf(new Set(allowed)), [...statuses].join())
    t.ok(statuses.has('200') && statuses.has('405'))
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
    await until(async () => (await connections()) === 0)
    const { value } = await ask(`GET /late ${host}Connection: close\r\n\r\n`)
    t.equal(value, 'late', 'the next client is answered')
    t.strictSame(
      log.filter(({ level }) => Number(level) >= 50),
      []
    )
  })
