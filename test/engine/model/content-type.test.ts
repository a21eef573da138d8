import t from 'tap'
import { cachedByText, mediaTypeMatcher } from '../../../src/engine/model/content-type.ts'

t.test('mediaTypeMatcher finds the most specific declared type', async (t) => {
  const rows: [string[], string, number][] = [
    [['application/json'], 'application/json', 0],
    [['application/json'], 'APPLICATION/JSON; charset=latin1', 0],
    [['Application/JSON; charset=utf-8'], 'application/json', 0],
    [['application/json'], 'application/jsonx', -1],
    [['application/json'], 'text/plain', -1],
    [['application/json'], 'nonsense', -1],
    [['application/json'], 'application/json, text/plain', -1],
    [['nonsense', 'text/plain'], 'text/plain', 1],
    [['*/*', 'application/*', 'application/json'], 'application/json', 2],
    [['*/*', 'application/*', 'application/json'], 'application/xml', 1],
    [['*/*', 'application/*', 'application/json'], 'text/xml', 0],
    [['application/*'], 'applications/xml', -1],
    [['a/b; v=1', 'a/b; v=2'], 'a/b; v=2', 1],
    [['a/b; v=1', 'a/b; v=2'], 'a/b; v=3', 0],
    [['a/b; v=1', 'a/b'], 'a/b; v=3', 1],
    [['a/b', 'a/b; v=1'], 'a/b; v=1', 1],
    [['a/b; v=1', 'a/b; v=1; w=2'], 'a/b; w=2; v=1', 1],
    [['*/*; v=1', 'a/b'], 'a/b; v=1', 1],
    [[], 'a/b', -1]
  ]
  for (const [declared, sent, want] of rows)
    t.equal(mediaTypeMatcher(declared)(sent), want, `${sent} of ${declared}`)
})

t.test('mediaTypeMatcher answers the same for any number of types', async (t) => {
  const match = mediaTypeMatcher(['a/b', 'a/*'])
  for (let i = 0; i < 200; i++) {
    const sent = i % 2 ? `a/b; i=${i}` : `a/c; i="${'x'.repeat(i)}"`
    for (const time of ['first', 'second']) t.equal(match(sent), i % 2 ? 0 : 1, `${i}, ${time} time`)
  }
})

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
