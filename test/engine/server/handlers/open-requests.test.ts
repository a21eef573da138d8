/** The beginning of a drain: of a server of the engine, and of somebody's Fastify. */
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { drainRequests } from '../../../../src/engine/server.ts'
import { sleep, until } from '../../../time.ts'
import { serve, servePlugins } from '../../serve.ts'
import { Source, stalled, streams } from '../responses/streams.ts'

t.setTimeout(900_000)

const hosts = { server: serve, plugin: servePlugins }

const ended = (app: FastifyInstance) => {
  const state = { isOver: false }
  app.close().then(() => {
    state.isOver = true
  })
  return state
}

for (const [name, host] of Object.entries(hosts)) {
  t.test(`${name}: the item that is being made is sent, and the stream ends complete`, async (t) => {
    const { app, answer, open, log } = await streams(t, {}, host)
    const sources: Source[] = []
    const signals: AbortSignal[] = []
    answer(({ signal }) => {
      signals.push(signal)
      const source = new Source()
      sources.push(source)
      return source
    })
    const clients = [await open('lines'), await open('events'), await open('texts')]
    await until(() => sources.length === 3 && sources.every(({ pending }) => pending === 1))
    sources[0]?.give({ id: 1 })
    await until(() => clients[0]?.body() === '{"id":1}\n')
    const state = ended(app)
    await until(() => signals.every(({ aborted }) => aborted))
    t.match(signals[0]?.reason, { name: 'AbortError', message: 'the server is shutting down' })
    await sleep(50)
    t.equal(state.isOver, false, 'the drain waits')
    for (const [index, source] of sources.entries())
      source.give(index === 1 ? { data: { id: 2 } } : { id: 2 })
    await until(() => state.isOver && clients.every((client) => client.ending() === 'closed'))
    const bodies = ['{"id":1}\n{"id":2}\n', 'data: {"id":2}\n\n', '\x1e{"id":2}\n']
    t.strictSame(
      clients.map((client) => [client.body(), client.isWhole()]),
      bodies.map((body) => [body, true])
    )
    for (const { returned, pending } of sources) t.strictSame([returned, pending], [1, 0])
    const lines = log.filter(({ msg }) => msg === 'open streams were ended')
    t.match(lines, [{ level: 30, streams: 3 }])
  })
}

t.test('an iterator that gives no further item is ended after a time', async (t) => {
  const { app, begin } = await streams(t)
  const { client, source } = await begin('events', new Source(undefined, () => new Promise(() => undefined)))
  await drainRequests(app, 50)
  await until(client.isWhole)
  t.same([client.body(), source.returned], ['', 1])
  source.give({ data: { id: 1 } })
  await app.close()
  t.equal(client.body(), '')
})

t.test('a generator that heeds the signal ends its stream at once, without an error', async (t) => {
  const { app, answer, open, log } = await streams(t)
  const ended: string[] = []
  const wait = (signal: AbortSignal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  answer(async function* ({ signal }) {
    try {
      yield { id: 1 }
      await wait(signal)
      yield { id: 2 }
    } finally {
      await sleep(50)
      ended.push('finally')
    }
  })
  const clients = [await open('lines'), await open('lines')]
  await until(() => clients.every((client) => client.body() !== ''))
  await drainRequests(app, 60_000)
  t.strictSame(ended, ['finally', 'finally'], 'its end is awaited')
  await until(() => clients.every((client) => client.isWhole()))
  for (const client of clients) t.equal(client.body(), '{"id":1}\n')
  t.notOk(log.some(({ level }) => Number(level) > 30))
})

t.test('an iterator that fails otherwise during a drain breaks its stream', async (t) => {
  const { app, begin, log } = await streams(t)
  const { client, source } = await begin('lines')
  source.give({ id: 1 })
  await until(() => source.pending === 1 && client.body() !== '')
  const drained = drainRequests(app, 60_000)
  source.fail(new Error('secret'))
  await drained
  await until(() => client.ending() !== 'open')
  t.notOk(client.isWhole())
  t.ok(log.some(({ level, failure }) => level === 50 && failure === 'internal'))
})

t.test('a client that does not read keeps no drain waiting', async (t) => {
  const { app, begin } = await streams(t)
  const endless = new Source((index) => ({ id: index, name: 'x'.repeat(10_000) }))
  const { client, source } = await begin('lines', endless, { isPaused: true })
  await stalled(source)
  await drainRequests(app, 50)
  client.socket.resume()
  await until(() => client.ending() !== 'open')
  t.notOk(client.isWhole(), 'and it can tell')
  t.equal(source.returned, 1)
})

t.test('a stream that begins during a drain ends after its first item', async (t) => {
  const { app, answer, begin, open } = await streams(t)
  await drainRequests(app)
  const { client, source } = await begin('lines')
  source.give({ id: 1 })
  await until(client.isWhole)
  t.same([client.body(), source.returned], ['{"id":1}\n', 1])
  answer(({ signal }) => [{ id: signal.aborted ? 'wrong' : 1 }])
  const wrong = await open('lines')
  await until(() => wrong.text() !== '')
  t.match(wrong.text(), /^HTTP\/1.1 500/, 'its signal is aborted')
  await drainRequests(app)
})

t.test('the signal of every request in flight is aborted, whatever its response', async (t) => {
  const { app, answer, open } = await streams(t, {}, servePlugins)
  const signals: AbortSignal[] = []
  answer(async (request) => {
    signals.push(request.signal)
    await until(() => request.signal.aborted)
    return [{ id: 1 }]
  })
  const clients = [
    await open('either', { headers: 'Accept: application/json\r\nConnection: close\r\n' }),
    await open('lines')
  ]
  await until(() => signals.length === 2)
  const done = await open('free')
  await until(() => signals.length === 3)
  done.socket.resetAndDestroy()
  await until(() => signals[2]?.aborted === true)
  const state = ended(app)
  await until(() => state.isOver)
  await until(() => clients.every((client) => client.ending() === 'closed'))
  t.match(clients[0]?.text(), /\r\n\r\n\[\{"id":1\}\]$/)
  t.same([clients[1]?.body(), clients[1]?.isWhole()], ['{"id":1}\n', true])
  t.equal(
    signals[2]?.reason.message,
    'This operation was aborted',
    'a client that has left is another reason'
  )
})

t.test('a server without streams drains at once', async (t) => {
  await drainRequests(Fastify())
  const { app, log } = await streams(t)
  await Promise.all([drainRequests(app), drainRequests(app)])
  t.notOk(log.some(({ msg }) => msg === 'open streams were ended'))
})

t.test('a client that leaves while the iterator cleans up is the end', async (t) => {
  const { app, answer, open } = await streams(t)
  let cleaned: ((value: unknown) => void) | undefined
  const cleaning = () => new Promise((resolve) => (cleaned = resolve))
  const source = new Source((index) => ({ id: index, name: 'x'.repeat(10_000) }), cleaning)
  answer(() => source)
  const client = await open('lines', { isPaused: true })
  await until(() => source.next > 10)
  const drained = drainRequests(app, 60_000)
  await until(() => cleaned !== undefined)
  client.socket.resetAndDestroy()
  await drained
  cleaned?.(undefined)
  await sleep(20)
  t.equal(source.returned, 1)
})

t.test('several contracts in one Fastify are drained together', async (t) => {
  const start: typeof serve = (t, contract, service) => servePlugins(t, contract, service, ['/v1', '/v2'])
  const { app, answer, open } = await streams(t, {}, start)
  const sources: Source[] = []
  answer(() => {
    sources.push(new Source())
    return sources.at(-1)
  })
  const clients = [await open('v1/lines'), await open('v2/lines')]
  await until(() => sources.length === 2 && sources.every(({ pending }) => pending === 1))
  const closed = app.close()
  for (const source of sources) source.give({ id: 1 })
  await closed
  await until(() => clients.every((client) => client.isWhole()))
  for (const { returned } of sources) t.equal(returned, 1)
})
