import t from 'tap'
import { withBase64 } from '../../../src/contract/load/file-resolver.ts'

const bytes = new TextEncoder().encode('hello')

t.test('byte strings become Base64 at any depth', async (t) => {
  t.equal(withBase64(bytes), 'aGVsbG8=')
  t.strictSame(withBase64({ a: [bytes, { b: bytes }], c: 1, d: null }), {
    a: ['aGVsbG8=', { b: 'aGVsbG8=' }],
    c: 1,
    d: null
  })
})

t.test('a cycle of YAML aliases ends the walk', async (t) => {
  const cycle: Record<string, unknown> = { a: bytes }
  cycle['self'] = cycle
  withBase64(cycle)
  t.equal(cycle['a'], 'aGVsbG8=')
})
