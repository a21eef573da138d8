/** Hooks for onSend that fail, on every response or only on the first: the shape is the contract's, and nothing leaks. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { FailureError } from '../../../../src/engine/errors.ts'
import { compiled, type Json, request, serve } from '../../serve.ts'

const content: Json = { 'application/json': { schema: { type: 'object' } } }
const document: Json = {
  paths: {
    '/things': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: '', content }, default: { description: '', content } }
      }
    }
  }
}
const contract = await compiled(t, document)
const handlers = { list: () => ({ status: 200, body: { long: 'x'.repeat(200) } }) }
type Hook = (
  request: unknown,
  reply: unknown,
  payload: unknown,
  done: (error?: unknown, payload?: unknown) => void
) => unknown

const crash = (): never => {
  throw Object.assign(new Error('secret detail'), { statusCode: 418 })
}
const failing: Readonly<Record<string, Hook>> = {
  throws: () => crash(),
  'throws undefined': () => {
    throw undefined
  },
  rejects: async () => crash(),
  'rejects with nothing': () => Promise.reject(),
  'calls back with an error': (_request, _reply, _payload, done) => done(new Error('secret detail')),
  'gives a number': async () => 5,
  'gives an object': (_request, _reply, _payload, done) => done(null, {})
}
const failures = [
  ['GET /things?limit=x', 400, 'mismatch'],
  ['GET /nowhere', 404, 'not-found'],
  ['PUT /things', 405, 'method-not-allowed'],
  ['GET /things', 500, 'internal']
] as const

for (const [what, hook] of Object.entries(failing)) {
  t.test(
    `onSend: one that ${what} leaves errors as they are, and makes a 500 of what succeeds`,
    async (t) => {
      const extend = (app: FastifyInstance) => {
        app.addHook('onSend', hook as never)
        app.addHook('onSend', async (_request, reply) => void reply.header('x-other', 'hook'))
      }
      const { ask, log } = await serve(t, contract, { handlers, extend })
      for (const [line, status, code] of failures) {
        const answer = await ask(request(line))
        t.match([answer.status, answer.value], [status, { code }], line)
        t.equal(answer.headers.get('x-other'), 'hook', 'another hook adds its header')
        t.notMatch(answer.body, /secret/, line)
      }
      t.ok(log.filter(({ callback }) => callback === 'onSend').length >= failures.length)
    }
  )
}

t.test('onSend: one that throws a failure chooses the answer in place of a success', async (t) => {
  const extend = (app: FastifyInstance) => {
    let calls = 0
    app.addHook('onSend', async () => {
      if (calls++ === 0) throw new FailureError('overloaded')
    })
  }
  const { ask } = await serve(t, contract, { handlers, extend })
  t.match(await ask(request('GET /things')), { status: 503, value: { code: 'overloaded' } })
})

const bytes = Buffer.from('{"other":1}')
const working: Readonly<Record<string, Hook>> = {
  'a text': async () => String(bytes),
  bytes: (_request, _reply, _payload, done) => done(null, bytes),
  'a stream': async () => Readable.from([bytes]),
  'a web stream': async () => Readable.toWeb(Readable.from([bytes])),
  'a Response': async () => new Response(bytes)
}

t.test('a payload of a hook is sent, also in a plugin', async (t) => {
  for (const [what, hook] of Object.entries(working)) {
    const extend = (app: FastifyInstance) =>
      void app.register(async (inner) => {
        inner.addHook('onSend', hook as never)
        inner.get('/inner', async () => ({}))
      })
    const { app } = await serve(t, contract, { handlers, extend })
    t.strictSame((await app.inject('/inner')).body, String(bytes), what)
  }
  const { app } = await serve(t, contract, {
    handlers,
    extend: (app) => void app.addHook('onSend', async () => undefined)
  })
  t.equal((await app.inject('/things')).json().long.length, 200, 'undefined keeps the payload')
})
