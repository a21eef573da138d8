import t from 'tap'
import { RecentResults } from '../../../src/compiler/source/recent-results.ts'

t.test('a result is made once for the same texts, and again for others', async (t) => {
  const results = new RecentResults<readonly string[]>()
  const of = (...texts: string[]) => results.of(texts, () => texts)
  const first = of('ab', 'c')
  t.equal(of('ab', 'c'), first)
  for (const others of [['a', 'bc'], ['abc'], ['ab'], ['ab', 'd'], []]) t.strictSame(of(...others), others)
  t.equal(of('ab', 'c'), first)
})

t.test('the eight that were used last are kept', async (t) => {
  const results = new RecentResults<object>()
  const of = (text: string) => results.of([text], () => ({}))
  const first = of('0')
  for (let number = 1; number < 8; number++) of(String(number))
  t.equal(of('0'), first)
  for (let number = 8; number < 16; number++) of(String(number))
  t.not(of('0'), first)
})

t.test('a promise that is rejected is made again', async (t) => {
  const results = new RecentResults<Promise<number>>()
  let count = 0
  const of = (isBroken: boolean) =>
    results.of(['a'], async () => {
      if (isBroken) throw new Error('killed')
      return ++count
    })
  await t.rejects(of(true), { message: 'killed' })
  t.equal(await of(false), 1)
  t.equal(await of(false), 1)
})
