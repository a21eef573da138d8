/** Functions among Fastify's options that fail change no response, and do not end the process. */
import { LogController } from 'fastify'
import t from 'tap'
import { compiled, type Json, request, serve } from '../serve.ts'

const document: Json = {
  paths: {
    '/things': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: { description: '' },
          default: { description: '', content: { 'application/json': { schema: { type: 'object' } } } }
        }
      }
    }
  }
}
const contract = await compiled(t, document)
const handlers = { list: () => ({ status: 200 }) }

const crash = (): never => {
  throw new Error('secret detail')
}
const failing: Readonly<Record<string, () => unknown>> = {
  throws: crash,
  rejects: async () => crash(),
  'returns undefined': () => undefined,
  'returns a number': () => 5
}

class Lines extends LogController {
  readonly #run: () => unknown

  constructor(run: () => unknown) {
    super()
    this.#run = run
  }

  override isLogDisabled(): boolean {
    return this.#run() as boolean
  }

  override requestCompleted(): undefined {
    return this.#run() as undefined
  }
}

/** Options with a function, and the name that the log gives it. */
const options: Readonly<Record<string, (run: () => unknown) => object>> = {
  genReqId: (genReqId) => ({ genReqId }),
  querystringParser: (querystringParser) => ({ routerOptions: { querystringParser } }),
  childLoggerFactory: (childLoggerFactory) => ({ childLoggerFactory }),
  isLogDisabled: (run) => ({
    logController: new LogController({ disableRequestLogging: run as () => boolean })
  }),
  requestCompleted: (run) => ({ logController: new Lines(run) })
}
const rows = [
  ['GET /things?limit=1', 200],
  ['GET /things?limit=x', 400],
  ['GET /nowhere', 404],
  ['PUT /things', 405],
  ['GET /%zz', 400]
] as const

for (const [name, optionsOf] of Object.entries(options))
  for (const [what, run] of Object.entries(failing))
    t.test(`${name}: one that ${what} changes no response`, async (t) => {
      const { ask, log } = await serve(t, contract, { handlers, fastify: optionsOf(run) })
      for (const [line, status] of rows) {
        const answer = await ask(request(line))
        t.equal(answer.status, status, line)
        t.notMatch(answer.body, /secret/, line)
      }
      const failed = log.filter((line) => line['callback'] === name)
      if (what === 'throws') t.match(failed[0], { err: { message: 'secret detail' } })
    })

t.test('functions that do not fail are those of the user', async (t) => {
  const fastify = {
    logger: false,
    genReqId: () => 'own',
    routerOptions: { querystringParser: () => ({ own: true }) },
    logController: new Lines(() => true)
  }
  const { app } = await serve(t, contract, {
    handlers,
    fastify,
    extend: (app) => {
      app.get('/own', ({ id, query }) => ({ id, query }))
    }
  })
  t.strictSame((await app.inject('/own?a=1')).json(), { id: 'own', query: { own: true } })
})
