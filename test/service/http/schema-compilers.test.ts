/** Schemas of routes beside the contract. */
import { test } from 'tap'
import { until } from '../../time.ts'
import { serve } from '../extended.ts'

test('routes beside the contract may have schemas, as Fastify documents', async (t) => {
  const { ask } = await serve(t, (app) => {
    app.addSchema({ $id: 'page', type: 'object', properties: { size: { type: 'integer', default: 7 } } })
    app.get('/pages', {
      schema: {
        querystring: { $ref: 'page#' },
        headers: { type: 'object', required: ['X-Kind'], properties: { 'X-Kind': { enum: ['a'] } } },
        response: { 200: { type: 'object', properties: { size: { type: 'integer' } } } }
      },
      handler: async ({ query }) => ({ ...Object(query), more: true })
    })
  })
  const headers = { 'x-kind': 'a' }
  t.match(await ask('/pages?size=3', { headers }), { status: 200, text: '{"size":3}' })
  t.match(await ask('/pages', { headers }), { status: 200, text: '{"size":7}' })
  t.match(await ask('/pages?size=x', { headers }), { status: 400, text: /"code":/ })
  t.match(await ask('/pages'), { status: 400 })
})

test('a schema that is compiled while the service runs needs a route with a schema', async (t) => {
  const { ask, lines } = await serve(t, (app) => {
    app.get('/late', async (request) => request.compileValidationSchema({ type: 'object' })({}))
  })
  t.match(await ask('/late'), { status: 500 })
  await until(() => lines.length > 1)
  t.match(lines, [{ err: { message: /route with a schema/ } }, { status: 500 }])
})
