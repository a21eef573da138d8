import t from 'tap'
import { decodeUtf8 } from '../../../../src/engine/server/body/utf8.ts'
import { failureOf } from '../../failure-of.ts'

t.test('decodeUtf8 decodes well-formed UTF-8 only', async (t) => {
  t.equal(decodeUtf8(Buffer.from('a\u00e9\u{1f331}\u0000')), 'a\u00e9\u{1f331}\u0000')
  t.equal(decodeUtf8(Buffer.from('\ufeff{}')), '{}', 'a byte order mark is ignored')
  t.equal(decodeUtf8(Buffer.alloc(0)), '')
  const bad = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80]]
  for (const bytes of bad)
    t.equal(failureOf(() => decodeUtf8(Buffer.from(bytes)))?.code, 'malformed-body', String(bytes))
})
