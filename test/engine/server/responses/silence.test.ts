/** Heartbeats of silent streams, and clients that close their sending half. */
import t, { type Test } from 'tap'
import { sleep, until } from '../../../time.ts'
import { Source, streams } from './streams.ts'

/** More bytes than the buffers of both operating systems, and of Node, hold. */
const maxBuffered = 16_000_000

async function silent(t: Test, path: string, heartbeat = 20) {
  const served = await streams(t, { heartbeat })
  const source = new Source()
  served.answer(() => source)
  const client = await served.open(path)
  await until(() => source.pending === 1)
  return { ...served, source, client }
}

t.test('a silent stream of events has comments, the first of which sends the status', async (t) => {
  const { client, source } = await silent(t, 'events')
  await until(() => client.body().length > 6)
  t.match(client.text(), /^HTTP\/1.1 200 OK\r\n/)
  t.match(client.text(), /content-type: text\/event-stream/)
  source.give({ data: { id: 1 } })
  await until(() => /data.*\n\n:\n\n/.test(client.body()))
  source.finish()
  await until(client.isWhole)
  t.match(client.body(), /^(:\n\n)+data: \{"id":1\}\n\n(:\n\n)+$/)
})

t.test(
  'a silent stream of JSON lines sends its status only, one of texts line feeds after a text',
  async (t) => {
    for (const [path, body] of [
      ['lines', /^\{"id":1\}\n$/],
      ['texts', /^\p{Cc}\{"id":1\}\n\n+$/u]
    ] as const) {
      const { client, source } = await silent(t, path)
      await until(() => client.text() !== '')
      t.match(client.text(), /^HTTP\/1.1 200 OK\r\n(.+\r\n)+\r\n$/, `${path}: nothing but headers`)
      source.give({ id: 1 })
      await until(() => client.body() !== '')
      await sleep(60)
      source.finish()
      await until(client.isWhole)
      t.match(client.body(), body, path)
    }
  }
)

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

t.test('a client that closes its sending half has left: the iterator is returned', async (t) => {
  for (const path of ['events', 'lines', 'texts']) {
    const { client, source } = await silent(t, path, 0)
    client.socket.end()
    await until(() => source.returned === 1 && client.ending() !== 'open')
    t.notOk(client.isWhole(), path)
  }
})

t.test('heartbeats do not pile up for a client that does not read', async (t) => {
  const { answer, open } = await streams(t, { heartbeat: 1 })
  const source = new Source()
  answer(() => source)
  const client = await open('events', { isPaused: true })
  await until(() => source.pending === 1)
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
