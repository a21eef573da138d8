/** Standard error of a server without a logger. */
import Fastify, { type FastifyBaseLogger, type FastifyHttpOptions } from 'fastify'
import t from 'tap'
import { parse } from 'yaml'
import { FailureError } from '../../../../src/engine/errors.ts'
import { contractRoutes, createContractServer } from '../../../../src/engine/server.ts'
import { compiled } from '../../serve.ts'

const contract = await compiled(
  t,
  parse(`
paths:
  /bells/{id}:
    get:
      operationId: getBell
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        200: { description: '', content: { application/json: { schema: { type: integer } } } }
        default: { description: '', content: { application/json: { schema: { type: string } } } }
`)
)

const outage = Object.assign(new Error('no disk', { cause: new Error('full \u001b[2J') }), {
  token: 'secret'
})
const throwing = (error: unknown) => () => {
  throw error
}
const hostile = Object.defineProperty(new Error('hostile'), 'cause', { get: throwing(outage) })
const results: Readonly<Record<string, () => unknown>> = {
  broken: () => ({ status: 200, body: 'secret' }),
  thrown: throwing(outage),
  text: throwing('a text'),
  hostile: throwing(hostile),
  outage: throwing(new FailureError('unavailable', { cause: outage })),
  shed: throwing(new FailureError('overloaded')),
  refused: throwing(new FailureError('not-found'))
}
const options = {
  contract,
  security: {},
  handlers: {
    getBell: ({ params, log }: { params: { id: string }; log: FastifyBaseLogger }) => {
      log.child({}).info('not written')
      if (params.id === 'own') log.error({ bell: 3 }, 'bell %d is cracked', 3)
      if (params.id === 'error') log.warn(outage)
      if (params.id === 'plain') log.warn('bell %d is old', 4)
      return results[params.id]?.() ?? { status: 200, body: 1 }
    }
  },
  handlerFile: () => 'get-bell.ts',
  errorBody: ({ message }: { message: string }) => message
} as never

const asServer = (fastify?: FastifyHttpOptions<never>) =>
  createContractServer({ ...Object(options), ...(fastify && { fastify }) })
async function asPlugin(fastify?: FastifyHttpOptions<never>) {
  const app = Fastify(fastify)
  await app.register(contractRoutes, options)
  return app
}

const rows = [
  ['broken', 500, /^getBell answered 200: body must be integer \(get-bell\.ts\)$/],
  [
    'thrown',
    500,
    /^getBell: internal server error\n +Error: no disk\n +at [\s\S]*\n +Error: full \\u001b\[2J\n +at /
  ],
  ['text', 500, /^getBell: internal server error\n {4}a text$/],
  ['hostile', 500, /^getBell: internal server error\n {4}Error: hostile\n/],
  ['outage', 503, /^getBell: something the service depends on is unavailable\n {4}Error: no disk\n/],
  ['own', 200, /^bell 3 is cracked$/],
  ['error', 200, /^Error: no disk\n {4} +at /],
  ['plain', 200, /^bell 4 is old$/],
  ['shed', 503, /^$/],
  ['refused', 404, /^$/],
  ['well', 200, /^$/]
] as const

for (const [name, make] of Object.entries({ asServer, asPlugin }))
  t.test(`${name}: without a logger, the reason of a 500 is on standard error`, async (t) => {
    const written = t.capture(console, 'error')
    const app = await make()
    for (const [id, status, line] of rows) {
      const response = await app.inject(`/bells/${id}`)
      t.equal(response.statusCode, status, id)
      t.notMatch(response.body, /disk|cracked|integer/)
      const [text = '', ...others] = written().map(({ args }) => String(args[0]))
      t.strictSame(others, [], id)
      t.match(text, line, id)
      t.notMatch(text, 'secret', id)
    }
  })

t.test('an errorBody that does not fit is named at the boot', async (t) => {
  const written = t.capture(console, 'error')
  for (const make of [asServer, asPlugin]) {
    Object(options).errorBody = () => 7
    await make().then((app) => app.ready())
    const [text] = written().map(({ args }) => String(args[0]))
    t.match(
      text,
      /^errorBody does not fit what these operations declare\n {4}getBell 400: body must be string\n/
    )
  }
})

t.test('a logger has the reason alone, and can be silent', async (t) => {
  const written = t.capture(console, 'error')
  const lines: Record<string, unknown>[] = []
  const logger = { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } }
  for (const make of [asServer, asPlugin])
    for (const fastify of [{ logger: { level: 'silent' } }, { logger }])
      await (await make(fastify)).inject('/bells/broken')
  await (await asServer({ logger: false })).inject('/bells/broken')
  t.strictSame(written(), [])
  const reason = { operationId: 'getBell', msg: /^getBell answered 200/ }
  t.match(
    lines.filter(({ level }) => Number(level) >= 50),
    [reason, reason]
  )
})
