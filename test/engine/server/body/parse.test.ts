import t from 'tap'
import { MalformedJson } from '../../../../src/engine/json/parse.ts'
import { decodeUtf8, malformedBody } from '../../../../src/engine/server/body/parse.ts'
import { failureOf } from '../../failure-of.ts'

t.test('decodeUtf8 decodes well-formed UTF-8 only', async (t) => {
  t.equal(decodeUtf8(Buffer.from('a\u00e9\u{1f331}\u0000')), 'a\u00e9\u{1f331}\u0000')
  t.equal(decodeUtf8(Buffer.from('\ufeff{}')), '{}', 'a byte order mark is ignored')
  t.equal(decodeUtf8(Buffer.alloc(0)), '')
  const bad = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf4, 0x90, 0x80, 0x80]]
  for (const bytes of bad)
    t.equal(failureOf(() => decodeUtf8(Buffer.from(bytes)))?.code, 'malformed-body', String(bytes))
})

t.test('an error of the JSON parser becomes a failure, any other error is rethrown', async (t) => {
  t.match(malformedBody(new MalformedJson('is not valid JSON')), {
    failure: { code: 'malformed-body', message: 'the body is not valid JSON' }
  })
  const bug = new TypeError('internal')
  t.equal(malformedBody(bug), bug)
})
