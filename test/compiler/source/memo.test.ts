/** Results are made once, and forgotten two generations later. */
import t from 'tap'
import { Memo } from '../../../src/compiler/source/memo.ts'

t.test('a result is made once for each key, until two generations have passed', async (t) => {
  const memo = new Memo<string>(2)
  const made: string[] = []
  const get = (key: string) =>
    memo.get(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  t.strictSame(['a', 'a', 'b', 'a', 'c', 'a', 'd', 'e', 'a', 'b'].map(get).join(''), 'AABACADEAB')
  t.equal(made.join(''), 'abcdeb', 'what is asked for stays; b was last asked for two generations ago')
})
