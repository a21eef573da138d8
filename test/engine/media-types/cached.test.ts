import t from 'tap'
import { cachedByText } from '../../../src/engine/media-types/cached.ts'

t.test('a text is computed once, a long one every time, and a full cache is cleared', async (t) => {
  const computed: string[] = []
  const cached = cachedByText((text) => computed.push(text))
  for (const text of ['a', 'a', 'x'.repeat(128), 'x'.repeat(128)]) cached(text)
  t.equal(computed.length, 2)
  for (let times = 0; times < 2; times++) cached('y'.repeat(129))
  t.equal(computed.length, 4)
  for (let other = 0; other < 64; other++) cached(`b${other}`)
  cached('a')
  t.equal(computed.length, 69)
})
