import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController
} from 'fastify'
import pino from 'pino'
import t from 'tap'
import { compileInMemory } from '../../src/compiler/compiler.ts'
import { type Contract, createContractServer } from '../../src/engine/server.ts'
import { compiled, request, serve, taking } from './serve.ts'

t.setTimeout(900_000)

const contract = { paths: { '/things': taking('takeThing', { type: 'object' }) } }
const handlers = { takeThing: async () => ({ status: 200, body: {} }) }

t.test('routes beside the contract have schemas of their own', async (t) => {
  const size = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } }
  const schema = { querystring: size, response: { 200: size } }
  const { ask } = await serve(t, contract, {
    handlers,
    extend: (app) => app.get('/beside', { schema }, async ({ query }) => ({ ...Object(query), more: true }))
  })
  t.same((await ask(request('GET /beside?size=3'))).value, { size: 3 })
  t.equal((await ask(request('GET /beside?size=x'))).status, 400)
})

const one = await compiled(t, {
  paths: { '/one': { get: { operationId: 'one', responses: { 200: { description: '' } } } } }
})

t.test('lines of a request have its id; the log of a request is made with its first line', async (t) => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  let children = 0
  const loggerInstance = new Proxy(log, {
    get: (target, name) => {
      if (name === 'child') children += 1
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  const levels: string[] = []
  const { ask } = await serve(t, one, {
    handlers: { one: () => ({ status: 200 }) },
    extend: (app) =>
      void app.addHook('onRequest', async ({ log, headers }: FastifyRequest) => {
        levels.push(log.level)
        if (headers['x-log'] === undefined) return
        log.info({ a: 1 }, 'said %s', 'so')
        log.child({ b: 2 }).warn('child')
        log.level = 'error'
        log.info('not written')
        levels.push(log.level)
      }),
    fastify: { loggerInstance, logController: new LogController({ disableRequestLogging: true }) }
  })
  lines.length = 0
  await ask(request('GET /one'))
  t.same([lines.length, children, levels], [0, 0, ['info']])
  await ask(request('GET /one', '', { 'X-Log': '1' }))
  t.match(lines, [
    { reqId: String, a: 1, msg: 'said so' },
    { reqId: String, b: 2, msg: 'child' }
  ])
  t.same([lines.length, children, levels], [2, 1, ['info', 'info', 'error']])
})

t.test('the log of a request keeps its levels, its children and the factory of the user', async (t) => {
  const lines: Record<string, unknown>[] = []
  const found: unknown[] = []
  const handler = ({ log }: { log: FastifyBaseLogger & { audit?: (text: string) => void } }) => {
    log.audit?.('audited')
    const child = log.child({ b: 1 }, { level: 'debug' })
    child.debug('child')
    found.push(log.level, child.level)
    return { status: 200 }
  }
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const { ask } = await serve(t, one, {
    handlers: { one: handler },
    fastify: {
      logController: new LogController(),
      logger: { level: 'info', base: null, customLevels: { audit: 35 }, stream },
      childLoggerFactory: (log, bindings, options) => log.child({ ...bindings, own: true }, options)
    }
  })
  lines.length = 0
  await ask(request('GET /one'))
  t.match(lines, [
    { msg: 'incoming request', own: true },
    { level: 35, msg: 'audited', own: true },
    { b: 1, level: 20, msg: 'child', own: true }
  ])
  t.strictSame(found, ['info', 'debug'])
})

const path = 'test/contracts/peers.yaml'
const text = readFileSync(path, 'utf8')

async function engine(given?: Partial<Contract>): Promise<FastifyInstance> {
  const { contract } = await compileInMemory(path)
  const names = contract.operations.map(({ operationId }) => operationId)
  return createContractServer({
    contract: { ...contract, ...given },
    handlers: Object.fromEntries(names.map((name) => [name, () => ({ status: 204 })])),
    security: {},
    errorBody: () => ({})
  })
}

/** A plugin as those around @fastify/swagger are: it depends on it by name, and reads the document for each request. */
const dependent = Object.assign(
  async (app: FastifyInstance) => {
    app.get('/document.json', { schema: {} }, () => app.swagger())
    app.get('/document.yaml', () => app.swagger({ yaml: true }))
  },
  { [Symbol.for('plugin-meta')]: { name: 'dependent', dependencies: ['@fastify/swagger'] } }
)

t.test('a plugin that depends on @fastify/swagger gets the contract', async (t) => {
  const app = await engine()
  t.teardown(() => app.close())
  app.register(dependent)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  // @fastify/swagger itself, with the file of the contract.
  const theirs = fastify()
  await theirs.register(swagger, { mode: 'static', specification: { path, baseDir: '.' } })
  t.ok(app.hasPlugin('@fastify/swagger'))
  t.strictSame(await (await fetch(`${url}/document.json`)).json(), theirs.swagger())
  t.equal(await (await fetch(`${url}/document.yaml`)).text(), text)
  t.equal(app.swagger(), app.swagger(), 'parsed once')
})

t.test('numbers are those of JSON.parse, and the text is parsed at the first call', async (t) => {
  const given = { contract: await compiled(t, { paths: {}, 'x-large': 9223372036854775807n }), handlers: {} }
  const app = await createContractServer({ ...given, security: {}, errorBody: () => ({}) })
  await app.ready()
  t.match(app.swagger(), { 'x-large': 2 ** 63 })
  t.match(app.swagger({ yaml: true }), '9223372036854775807')
  const broken = await engine({ yaml: async () => 'a: {' })
  await broken.ready()
  t.equal(broken.swagger({ yaml: true }), 'a: {')
  t.throws(() => broken.swagger(), { name: 'YAMLException' })
})
