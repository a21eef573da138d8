import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { test } from 'tap'
import { readScalar } from '../../../src/service/docs/page.ts'

test('the script that is read is the script that the package would serve', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { payload } = await app.inject('/docs/js/scalar.js')
  t.ok(payload.length > 1_000_000)
  t.ok((await readScalar()) === payload)
  const unresolved = () => {
    throw new Error('a bundle holds its packages')
  }
  t.ok((await readScalar(unresolved)) === payload, 'also in a bundle')
})
