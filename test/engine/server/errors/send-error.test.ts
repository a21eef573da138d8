/** Error responses that hooks keep from being sent. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import t from 'tap'
import { sendError } from '../../../../src/engine/server/errors/error-response.ts'
import { compiled, request, serve } from '../../serve.ts'
import { document, handlers, shaped } from './failing-contract.ts'

const contract = await compiled(t, document)
const crash = async (): Promise<never> => {
  throw new Error('secret detail')
}

type Done = (error?: unknown, payload?: unknown) => void

const breaking: Readonly<Record<string, (app: FastifyInstance) => void>> = {
  'an asynchronous hook that fails': (app) => void app.addHook('onSend', crash),
  'a hook that throws': (app) =>
    void app.addHook('onSend', () => {
      throw new Error('secret detail')
    }),
  'a hook that calls back with an error': (app) =>
    void app.addHook('onSend', (_request, _reply, _payload, done: Done) => done(new Error('secret detail'))),
  'a hook that gives no payload': (app) =>
    void app.addHook('onSend', (_request, _reply, _payload, done: Done) => done(null, {})),
  'an asynchronous hook that adds a wrong header': (app) =>
    void app.addHook('onSend', async (_request, reply) => void reply.header('secret detail', 'x')),
  'a hook that adds a wrong header': (app) =>
    void app.addHook('onSend', (_request, reply, _payload, done: Done) => {
      reply.header('secret detail', 'x')
      done()
    }),
  'a hook of a route that fails': (app) =>
    void app.addHook('onRoute', (route) => void Object.assign(route, { onSend: crash }))
}

for (const [what, extend] of Object.entries(breaking))
  t.test(`${what} changes neither status nor shape of errors`, async (t) => {
    const { ask, log } = await serve(t, contract, {
      handlers,
      errorBody: shaped,
      extend: (app) => {
        extend(app)
        app.get('/beside', crash)
      }
    })
    const got = await ask(request('GET /beside'))
    t.match([got.status, got.value], [500, { status: 500 }])
    t.notMatch(JSON.stringify([...got.headers, got.body]), /secret/)
    t.match(log.at(-1), { level: 50, msg: 'an error response could not be sent with its hooks' })
    const missing = await ask(request('GET /nowhere'))
    t.match([missing.status, missing.value], [404, { status: 404 }], 'also where no other hook follows')
  })

t.test('a response that a hook has begun is cut off when the hook fails', async (t) => {
  const { app, ask } = await serve(t, contract, {
    handlers,
    errorBody: shaped,
    extend: (app) => {
      app.get('/begun', { onSend: begin }, async (_request, reply) =>
        sendError(reply, { status: 404, headers: {}, body: '{}' })
      )
    }
  })
  await t.rejects(ask(request('GET /begun')))
  t.equal((await app.inject('/nowhere')).statusCode, 404, 'the server goes on')
})

async function begin(_request: unknown, { raw }: FastifyReply): Promise<never> {
  raw.writeHead(200, { 'content-length': 9 }).write('half')
  throw new Error('secret detail')
}
