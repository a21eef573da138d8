import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from 'tap'
import { createAsset } from '../../../src/service/docs/asset.ts'

const text = 'a plant '.repeat(1_000)

test('compressed bytes are the same bytes, and fewer', async (t) => {
  const { encoded } = createAsset('text/plain', text)
  const [br, gzip, identity] = await Promise.all([encoded('br'), encoded('gzip'), encoded('identity')])
  t.equal(brotliDecompressSync(br).toString(), text)
  t.equal(gunzipSync(gzip).toString(), text)
  t.equal(identity.toString(), text)
  t.ok(br.length < 100 && gzip.length < 100)
})

test('nothing is compressed twice', async (t) => {
  const { encoded } = createAsset('text/plain', text)
  t.equal(await encoded('br'), await encoded('br'))
})

test('the version is of the content', async (t) => {
  const { version } = createAsset('text/plain', text)
  t.equal(createAsset('text/plain', Buffer.from(text)).version, version)
  t.not(createAsset('text/plain', `${text}.`).version, version)
  t.match(version, /^[\w-]{16}$/)
})
