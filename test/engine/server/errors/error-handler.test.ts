import t from 'tap'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
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
    const messages: string[] = []
    const { ask } = await serve(t, contract, {
      handlers,
      errorBody: shaped,
      onFailure: ({ message }) => messages.push(message),
      extend: (app) => {
        app.addHook('onRequest', async ({ headers }) => {
          if (headers['x-throw'] !== undefined) throw thrown[String(headers['x-throw'])]
        })
        app.get('/beside', async () => ({ page: true }))
        const schema = { body: { type: 'object', required: ['from'] } }
        app.post('/checked', { schema }, async () => ({}))
      }
    })
    const wanted = { many: 429, large: 413, busy: 503, gone: 404, odd: 500, text: 500 }
    for (const [name, status] of Object.entries(wanted)) {
      const got = await ask(request('GET /shaped', undefined, { 'X-Throw': name }))
      t.match([got.status, got.value], [status, { status }], name)
      t.notMatch(got.body, /secret/)
    }
    const checked = await ask(request('POST /checked', '{}'))
    t.match([checked.status, checked.value], [400, { type: 'mismatch' }])
    t.equal(messages.at(-1), "body must have required property 'from'")
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

t.test(
  'a 503 is a warning with its cause, and no line of its own without one; a 500 is an error',
  async (t) => {
    const thrown: Readonly<Record<string, () => Error>> = {
      shed: () => new FailureError('overloaded'),
      outage: () => new FailureError('unavailable', { cause: new Error('disk full') }),
      defect: () => new Error('defect')
    }
    const { ask, log } = await serve(t, contract, {
      handlers,
      errorBody: shaped,
      extend: (app) => {
        app.addHook('onRequest', async ({ headers }) => {
          throw thrown[String(headers['x-throw'])]?.()
        })
      }
    })
    for (const [name, level] of [
      ['shed', undefined],
      ['outage', 40],
      ['defect', 50]
    ] as const) {
      const before = log.length
      await ask(request('GET /shaped', undefined, { 'X-Throw': name }))
      t.equal(log.slice(before).find(({ err }) => err !== undefined)?.['level'], level, name)
      t.equal(log.length - before, level === undefined ? 0 : 1, name)
    }
  }
)
