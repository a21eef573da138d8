/** Definitions that a value would call exponentially often. */
import t from 'tap'
import { oftenCalled } from '../../../../../src/compiler/compile/validators/ajv/memoised-names.ts'

const chain = (length: number, times: number) =>
  new Map(
    Array.from({ length }, (_, index) => [
      `S${index}`,
      index === length - 1 ? [] : Array<string>(times).fill(`S${index + 1}`)
    ])
  )

t.test('definitions that are called often', async (t) => {
  t.equal(oftenCalled(chain(500, 1)).size, 0)
  t.equal(oftenCalled(chain(9, 2)).size, 0)
  t.strictSame([...oftenCalled(chain(28, 2))], ['S10', 'S20'])
  const fan = new Map<string, string[]>([['Id', []]])
  for (let index = 0; index < 5_000; index++) fan.set(`P${index}`, ['Id'])
  t.equal(oftenCalled(fan).size, 0, 'references from many definitions are not many calls')
  t.equal(
    oftenCalled(
      new Map([
        ['A', ['B']],
        ['B', ['A', 'C', 'C']],
        ['C', []]
      ])
    ).size,
    0,
    'cycles are not counted'
  )
})
