/** A stream whose client reads slowly. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { sleep } from '../../../time.ts'
import { streams } from './streams.ts'

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
