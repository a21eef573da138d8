import t from 'tap'
import { compiled, request, serve } from '../../serve.ts'
import { document, handlers, shaped } from './failing-contract.ts'

const contract = await compiled(t, document)

t.test(
  'the status of a plugin error is kept when the client can be the cause, otherwise it is 500',
  async (t) => {
    const thrown: Record<string, unknown> = {
      many: Object.assign(new Error('secret'), { statusCode: 429 }),
      large: Object.assign(new Error('secret'), { statusCode: 413 }),
      busy: Object.assign(new Error('secret'), { statusCode: 503 }),
      gone: Object.assign(new Error('secret'), { statusCode: 404 }),
      odd: Object.assign(new Error('secret'), { statusCode: 'toString' }),
      text: 'secret'
    }
    const { ask } = await serve(t, contract, {
      handlers,
      errorBody: shaped,
      extend: (app) => {
        app.addHook('onRequest', async ({ headers }) => {
          if (headers['x-throw'] !== undefined) throw thrown[String(headers['x-throw'])]
        })
        app.get('/beside', async () => ({ page: true }))
      }
    })
    const wanted = { many: 429, large: 413, busy: 503, gone: 500, odd: 500, text: 500 }
    for (const [name, status] of Object.entries(wanted)) {
      const got = await ask(request('GET /shaped', undefined, { 'X-Throw': name }))
      t.match([got.status, got.value], [status, { status }], name)
      t.notMatch(got.body, /secret/)
    }
    const beside = await ask(request('PUT /beside', 'x'))
    t.same(
      [beside.status, beside.headers.get('allow')],
      [405, 'GET, HEAD'],
      'routes beside the contract count in Allow'
    )
    t.equal(
      (await ask(request('GET /beside', undefined, { Host: 'a', host: 'b' }))).status,
      400,
      'the checks of HTTP apply to them'
    )
  }
)
