/** Items over real sockets: broken ones, back-pressure, clients that leave, heartbeats. */
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { FailureError } from '../../../../src/engine/errors.ts'
import { sleep, until } from '../../../time.ts'
import { request } from '../../serve.ts'
import { type Client, type Options, type Request, Source, stalled, streams } from './streams.ts'

t.setTimeout(900_000)

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const plants = (index: number) => ({ id: index, name: 'x'.repeat(1000) })
const mismatch = { status: 500, value: { code: 'response-mismatch' } }
/** Yields the items, each but the first after some milliseconds. */
async function* slowly(items: Iterable<unknown>) {
  for (const item of items) {
    yield item
    await sleep(10)
  }
}
/** Bytes that the buffers of both operating systems, and of Node, hold at most. */
const maxBuffered = 16_000_000

const { answer, ask, begin, open, log, app } = await streams(t)

/** Sends a body to a client, and waits until it is whole, or the connection has ended. */
async function sent(path: string, body: () => unknown, options: Options = {}): Promise<Client> {
  answer(body)
  const client = await open(path, options)
  await until(() => client.isWhole() || client.ending() !== 'open')
  return client
}

t.test('a first item that is broken is a 500, of which nothing is sent', async (t) => {
  const before = log.length
  const source = new Source(() => ({ id: 'secret' }))
  for (const body of [[{ id: 'secret' }], slowly([{ id: 'secret' }]), source]) {
    answer(() => body)
    const answered = await ask(request('GET /lines'))
    t.match(answered, mismatch)
    t.equal(answered.headers.get('content-type'), 'application/json')
    t.notMatch(answered.body, /secret/)
  }
  t.same([source.next, source.returned], [1, 1], 'return is called once')
  t.equal(log.slice(before).filter(({ level }) => level === 50).length, 3, 'one line for each')
})

t.test('a later item that is broken ends the connection, and nothing of it is sent', async (t) => {
  const failures: (readonly [string, string | undefined])[] = []
  const { answer, open, log } = await streams(t, {
    onFailure: ({ code }, request) => failures.push([code, request?.routeOptions.url])
  })
  const item = (index: number) => (index < 2 ? { id: index } : { id: 'secret' })
  const source = new Source(item)
  for (const body of [[0, 1, 2].map(item), slowly([0, 1, 2].map(item)), source]) {
    answer(() => body)
    const client = await open('lines')
    await until(() => client.ending() !== 'open')
    t.match(client.text(), /^HTTP\/1.1 200 OK/)
    t.equal(client.body(), '{"id":0}\n{"id":1}\n')
    t.notOk(client.isWhole(), 'the client can tell')
    const msg = 'lines answered 200: body/2/id must be integer (handlers/lines.ts): the connection is closed'
    t.match(log.at(-1), { level: 50, failure: 'response-mismatch', msg })
  }
  t.same([source.next, source.returned], [3, 1], 'return is called once')
  t.same(failures, Array(3).fill(['response-mismatch', '/lines']))
})

t.test('an iterator that throws ends the response like a broken item', async (t) => {
  const failing = () => {
    throw new Error('secret')
  }
  const begun = await sent('lines', async function* () {
    yield* slowly([{ id: 0 }])
    failing()
  })
  t.same([begun.body(), begun.isWhole()], ['{"id":0}\n', false])
  const msg =
    'lines answered 200: the iterator failed at item 1 (handlers/lines.ts): the connection is closed'
  t.match(log.at(-1), { level: 50, failure: 'internal', err: { message: 'secret' }, msg })
  const { client, source } = await begin('lines')
  source.fail(new Error('secret'))
  await until(() => client.text().includes('internal'))
  t.match(client.text(), /^HTTP\/1.1 500 /)
  t.equal(source.returned, 0, 'an iterator that has failed is not ended again')
  const early = {
    'next throws': { [Symbol.iterator]: () => ({ next: failing }) },
    'no iterator': { [Symbol.asyncIterator]: () => undefined },
    'the iterable throws': { [Symbol.iterator]: failing }
  }
  for (const [name, body] of Object.entries(early)) {
    answer(() => body)
    t.match(await ask(request('GET /lines')), { status: 500, value: { code: 'internal' } }, name)
  }
  answer(async function* () {
    yield* []
    throw new FailureError('not-found')
  })
  t.equal((await ask(request('GET /lines'))).status, 404, 'a failure keeps its status')
  await sent('lines', async function* () {
    yield { id: 1 }
    throw new FailureError('mismatch', { message: 'body/3 must be integer' })
  })
  t.match(log.at(-1), { level: 40, failure: 'mismatch', msg: /^body\/3 must be integer/ })
  answer(() => [{ id: 1 }, { id: 'wrong' }])
  const message = 'response destroyed before completion'
  await t.rejects(app.inject({ url: '/lines' }), { message }, 'a request without a connection learns of it')
})

t.test('the iterator is not asked while the client does not read', async (t) => {
  const { client, source } = await begin('lines', new Source(plants), { isPaused: true })
  await stalled(source)
  const before = source.next
  t.ok(before * 1000 < maxBuffered, `${before} items of 1000 bytes wait`)
  client.socket.resume()
  await until(() => source.next > 2 * before)
  client.socket.destroy()
  await until(() => source.returned > 0)
  const asked = source.next
  await sleep(20)
  t.same([source.returned, source.next], [1, asked], 'it is ended once, and asked no more')
})

t.test('items of one event-loop turn share a write, the first is sent by itself', async (t) => {
  const items = Array.from({ length: 500 }, (_, id) => ({ id }))
  const large = items.map(({ id }) => ({ id, name: 'x'.repeat(10_000) }))
  for (const body of [items, Readable.from(items), large]) {
    const client = await sent('lines', () => body)
    t.equal(client.body().split('\n').length, 501)
    const sizes = [...client.text().matchAll(/\r\n([\da-f]+)\r\n\{/g)].map(([, size]) => Number(`0x${size}`))
    t.equal(sizes[0], body === large ? 10_019 : 9)
    if (body === large) t.ok(Math.max(...sizes) < 65_536, 'a write is bounded')
    else t.ok(sizes.length < 50, `${sizes.length} chunks`)
  }
})

t.test('a client that leaves aborts the signal, and the iterator is ended once', async (t) => {
  let signal: AbortSignal | undefined
  const { begin } = await streams(t, {
    around: (request: Request, handle) => {
      signal = request.signal
      return handle()
    }
  })
  for (const leave of ['resetAndDestroy', 'destroy', 'end'] as const)
    for (const items of [0, 1, 3]) {
      const { client, source } = await begin('lines')
      for (let id = 0; id < items; id++) {
        source.give({ id })
        await until(() => source.pending === 1 && client.body().includes(`{"id":${id}}`))
      }
      client.socket[leave]()
      await until(() => source.returned > 0)
      source.give({ id: 7 })
      await sleep(10)
      const label = `${leave} after ${items} items`
      t.same([source.returned, source.next, signal?.aborted], [1, items + 1, true], label)
      t.notOk(client.isWhole(), label)
    }
})

t.test('an iterator whose return fails, or is missing, does not disturb', async (t) => {
  let asked = 0
  const next = () => {
    asked++
    return new Promise<never>(() => undefined)
  }
  answer(() => ({ [Symbol.asyncIterator]: () => ({ next }) }))
  const endless = await open('events')
  await until(() => asked > 0)
  endless.socket.resetAndDestroy()
  const failing = new Source(undefined, () => Promise.reject(new Error('it does not close')))
  const { client, source } = await begin('events', failing)
  client.socket.resetAndDestroy()
  await until(() => log.some(({ callback }) => callback === 'return() of the body of a response'))
  t.equal(source.returned, 1)
})

t.test('a response that is given after the client has left is not asked for', async (t) => {
  const { answer, open } = await streams(t, {
    around: async ({ signal }: Request, handle) => {
      await until(() => signal.aborted)
      await sleep(20)
      return handle()
    }
  })
  const source = new Source()
  const iterator = source[Symbol.asyncIterator]()
  let isMade = false
  answer(() => {
    isMade = true
    return Object.assign(iterator, { [Symbol.asyncIterator]: () => iterator })
  })
  const client = await open('lines')
  await sleep(20)
  client.socket.resetAndDestroy()
  await until(() => isMade)
  await until(() => source.returned === 1)
  t.same([source.next, source.returned], [0, 1])
})

t.test('a HEAD has the headers of a GET, and no iterator is asked', async (t) => {
  const source = new Source()
  const unasked = () => t.fail('an iterator is asked for')
  const iterable = { [Symbol.asyncIterator]: unasked }
  const generator = Object.assign(source[Symbol.asyncIterator](), { [Symbol.asyncIterator]: unasked })
  for (const body of [iterable, generator, [{ id: 1 }]]) {
    const client = await sent('lines', () => body, { method: 'HEAD', headers: 'Connection: close\r\n' })
    t.match(client.text(), /^HTTP\/1.1 200 OK\r\n(.+\r\n)*content-type: application\/jsonl\r\n(.+\r\n)*\r\n$/)
    t.notMatch(client.text(), /content-length/)
  }
  t.same([source.next, source.returned], [0, 1], 'an iterator is released')
})

t.test('HTTP/1.0: the end of the connection is the end of the body, a reset is none', async (t) => {
  const whole = await sent('lines', () => [{ id: 1 }, { id: 2 }], { version: '1.0' })
  t.same([whole.ending(), whole.body()], ['closed', '{"id":1}\n{"id":2}\n'])
  t.notMatch(whole.text(), /transfer-encoding/i)
  const broken = await sent('lines', () => slowly([{ id: 1 }, { id: 'wrong' }]), { version: '1.0' })
  t.same([broken.ending(), broken.body()], ['reset', '{"id":1}\n'])
})

t.test('no items are an empty, complete body, and a stream has no length', async (t) => {
  const { answer, open } = await streams(t, {
    extend: (app) =>
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('content-length', '7')
      })
  })
  for (const body of [[], new Set(), (async function* () {})(), (function* () {})()]) {
    answer(() => body)
    const client = await open('lines')
    await until(client.isWhole)
    t.match(client.text(), /^HTTP\/1.1 200 OK\r\n/)
    t.notMatch(client.text(), /content-length/)
    t.equal(client.body(), '')
  }
})

t.test('an endless list of items lets other requests have their turn', async (t) => {
  let [count, before, most] = [0, 0, 0]
  answer(function* () {
    for (;;) yield { id: count++ }
  })
  const client = await open('lines')
  while (count < 20_000) {
    await nextTurn()
    most = Math.max(most, count - before)
    before = count
  }
  t.ok(most < 1_000, `${most} items in one event-loop turn`)
  const { value } = await ask(request('GET /page'))
  t.equal(value, 'page')
  client.socket.destroy()
})

t.test('an iterator that never gives an item keeps neither request nor response', async (t) => {
  const collected = new FinalizationRegistry<number>(() => {
    left--
  })
  let left = 0
  const { begin } = await streams(t, {
    around: (request: Request, handle) => {
      collected.register(request, left++)
      return handle()
    }
  })
  const sources: Source[] = []
  for (let index = 0; index < 20; index++) {
    const { client, source } = await begin('events')
    sources.push(source)
    client.socket.resetAndDestroy()
    await until(() => source.returned === 1)
  }
  // Of the last requests the stack may hold one.
  await until(() => {
    gc()
    return left <= 2
  })
  t.ok(sources.every(({ pending }) => pending === 1))
})

t.test('beyond the bound the stream that was not read for the longest time is closed', async (t) => {
  const { begin, app } = await streams(t, { maxUnreadBytes: 3_000_000 })
  const { client: reader, source: idle } = await begin('lines')
  idle.give({ id: 1 })
  await until(() => reader.body() !== '')
  const sources: Source[] = []
  while ((sources[0]?.returned ?? 0) === 0 && sources.length < 20) {
    const large = new Source((index) => ({ id: index, name: 'x'.repeat(2_000_000) }))
    sources.push(large)
    await begin('lines', large, { isPaused: true })
    await stalled(large)
  }
  t.equal(sources[0]?.returned, 1, `the first of ${sources.length} is closed`)
  t.equal(sources.at(-1)?.returned, 0, 'the last is open')
  idle.give({ id: 2 })
  await until(() => reader.body().includes('2'))
  t.equal(reader.ending(), 'open', 'one with nothing to read stays open')
  t.equal(app.server.listening, true)
})

async function silent(t: Test, path: string, heartbeat = 20) {
  const served = await streams(t, { heartbeat })
  return { ...served, ...(await served.begin(path)) }
}

t.test('a silent stream sends its status; of events comments, of texts line feeds', async (t) => {
  for (const [path, body] of [
    ['events', /^(:\n\n)+data: \{"id":1\}\n\n(:\n\n)+$/],
    ['lines', /^\{"id":1\}\n$/],
    ['texts', /^\p{Cc}\{"id":1\}\n\n+$/u]
  ] as const) {
    const { client, source } = await silent(t, path)
    await until(() => client.text() !== '')
    t.match(client.text(), /^HTTP\/1.1 200 OK\r\n(.+\r\n)+\r\n/, path)
    source.give(path === 'events' ? { data: { id: 1 } } : { id: 1 })
    await until(() => client.body().includes('{"id":1}'))
    await sleep(60)
    source.finish()
    await until(client.isWhole)
    t.match(client.body(), body, path)
  }
})

t.test('a first item that is broken after a heartbeat ends the connection', async (t) => {
  for (const path of ['lines', 'events']) {
    const { client, source, log } = await silent(t, path)
    await until(() => client.text() !== '')
    source.give({ id: 'wrong', data: 'wrong' })
    await until(() => client.ending() !== 'open')
    t.notOk(client.isWhole())
    t.match(log.at(-1), { level: 50, failure: 'response-mismatch' }, path)
    t.equal(source.returned, 1)
  }
})

t.test('0 is no heartbeat, and another value is refused at the boot', async (t) => {
  const { client, source } = await silent(t, 'events', 0)
  await sleep(60)
  t.equal(client.text(), '')
  source.finish()
  await until(client.isWhole)
  for (const heartbeat of [-1, Number.NaN, 2 ** 31])
    await t.rejects(streams(t, { heartbeat }), {
      message: `heartbeat is ${heartbeat}: give a number of milliseconds, or 0 for no heartbeats`
    })
})

t.test('heartbeats do not pile up for a client that does not read', async (t) => {
  const { begin } = await streams(t, { heartbeat: 1 })
  const { client, source } = await begin('events', new Source(), { isPaused: true })
  source.give({ data: { id: 1, name: 'x'.repeat(maxBuffered) } })
  await sleep(200)
  t.equal(source.next, 1, 'the iterator is not asked')
  client.socket.resume()
  await until(() => client.socket.bytesRead > maxBuffered && source.pending === 1)
  await until(() => client.body().endsWith(':\n\n'))
  t.ok(/^(:\n\n)*data: \{"id":1,"name":"x+"\}\n\n(:\n\n)*$/.test(client.body()))
  source.give({ data: { id: 'wrong' } })
  await until(() => client.ending() !== 'open')
})
