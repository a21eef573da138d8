import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { type Test, test } from 'tap'
import { createAsset, sendAsset } from '../../../src/service/docs/asset.ts'

const text = 'a plant '.repeat(100)
const asset = createAsset('text/css; charset=utf-8', text)

function get(t: Test, headers: Record<string, string> = {}, query = '') {
  const app = fastify()
  t.teardown(() => app.close())
  app.get('/asset', (request, reply) => sendAsset(request, reply, asset))
  return app.inject({ url: `/asset${query}`, headers })
}

const decode: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  undefined: (bytes) => bytes
}

const negotiated: [accepted: string | undefined, encoding: string | undefined][] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['deflate', undefined],
  ['', undefined],
  [undefined, undefined]
]

for (const [accepted, encoding] of negotiated) {
  test(`to one that accepts ${accepted}: ${encoding ?? 'as it is'}`, async (t) => {
    const answer = await get(t, accepted === undefined ? {} : { 'accept-encoding': accepted })
    t.equal(answer.statusCode, 200)
    t.equal(answer.headers['content-encoding'], encoding)
    t.equal(decode[String(encoding)]?.(answer.rawPayload).toString(), text)
    t.match(answer.headers, { 'content-type': 'text/css; charset=utf-8', vary: 'accept-encoding' })
  })
}

test('an asset that the client has cached is not sent again, in any encoding', async (t) => {
  const br = { 'accept-encoding': 'br' }
  const { headers } = await get(t, br)
  const etag = String(headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(t, { ...br, 'if-none-match': known })
    t.equal(again.statusCode, 304, known)
    t.equal(again.payload, '')
    t.match(again.headers, { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  }
  t.equal((await get(t, { ...br, 'if-none-match': '"other"' })).statusCode, 200)
  t.equal((await get(t, { 'accept-encoding': 'gzip', 'if-none-match': etag })).statusCode, 200)
})

test('an asset is immutable under its version and revalidated under any other URL', async (t) => {
  const named = await get(t, {}, `?v=${asset.version}`)
  t.equal(named.headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const query of ['', '?v=', '?v=of-before'])
    t.equal((await get(t, {}, query)).headers['cache-control'], 'no-cache', query)
})
