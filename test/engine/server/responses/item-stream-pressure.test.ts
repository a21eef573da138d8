/** Streams whose clients read slowly, or not at all. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { sleep, until } from '../../../time.ts'
import { Source, streams } from './streams.ts'

t.setTimeout(900_000)

t.test('a client that reads in drops gets every item', async (t) => {
  const { answer, open } = await streams(t)
  const count = 20_000
  answer(async function* () {
    for (let index = 0; index < count; index++) yield { id: index, name: 'x'.repeat(300) }
  })
  const client = await open('lines', { isPaused: true })
  for (let turn = 0; !client.text().endsWith('0\r\n\r\n'); turn++) {
    if (turn > 4000) throw new Error('it does not end')
    client.socket.resume()
    await nextTurn()
    client.socket.pause()
    await sleep(turn % 10 === 0 ? 5 : 0)
  }
  const lines = client.body().trimEnd().split('\n')
  t.ok(client.isWhole())
  t.same([lines.length, JSON.parse(String(lines.at(-1))).id], [count, count - 1])
})

t.test(
  'beyond the bound the stream whose client has read nothing for the longest time is closed',
  async (t) => {
    const { answer, open, app } = await streams(t, { maxUnreadBytes: 3_000_000 })
    const idle = new Source()
    answer(() => idle)
    const reader = await open('lines')
    await until(() => idle.pending === 1)
    idle.give({ id: 1 })
    await until(() => reader.body() !== '')
    const sources: Source[] = []
    answer(() => {
      const source = new Source((index) => ({ id: index, name: 'x'.repeat(2_000_000) }))
      sources.push(source)
      return source
    })
    const clients = [await open('lines', { isPaused: true })]
    const isStalled = async (source: Source | undefined) => {
      const before = source?.next
      await sleep(100)
      return source?.next === before
    }
    await until(() => isStalled(sources[0]))
    while ((sources[0]?.returned ?? 0) === 0 && clients.length < 20) {
      clients.push(await open('lines', { isPaused: true }))
      await until(() => isStalled(sources.at(-1)))
    }
    t.equal(sources[0]?.returned, 1, `the first of ${clients.length} is closed`)
    t.equal(sources.at(-1)?.returned, 0, 'the last is open')
    idle.give({ id: 2 })
    await until(() => reader.body().includes('2'))
    t.equal(reader.ending(), 'open', 'one with nothing to read stays open')
    t.equal(app.server.listening, true)
  }
)
