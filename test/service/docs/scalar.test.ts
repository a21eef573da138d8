import { brotliDecompressSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { test } from 'tap'
import { scalarCopy } from '../../../scripts/docs/scalar-copy.ts'
import { readScalar } from '../../../src/service/docs/page.ts'
import copy from '../../../src/service/docs/scalar.json' with { type: 'json' }

test('the script is the one that the package would serve', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { payload } = await app.inject('/docs/js/scalar.js')
  t.ok(payload.length > 1_000_000)
  const { encoded } = await readScalar()
  t.ok(String(await encoded('identity')) === payload)
  t.ok(String(brotliDecompressSync(await encoded('br'))) === payload)
})

test('the copy is of the installed package, and names its version and licence', async (t) => {
  t.match(copy.license, /^MIT License\n\nCopyright/)
  t.ok(
    JSON.stringify(scalarCopy(copy)) === JSON.stringify(copy),
    'run "npm run docs:page" after an update of Scalar'
  )
})
