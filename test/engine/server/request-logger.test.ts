import { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import t from 'tap'
import { compiled, request, serve } from '../serve.ts'

const contract = await compiled(t, {
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
  const { ask } = await serve(t, contract, {
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

const withFailure = (lines: Record<string, unknown>[]) => ({
  level: 'info' as const,
  base: null,
  stream: { write: (line: string) => void lines.push(JSON.parse(line)) }
})
t.test('the log of a request keeps its levels, its children and the factory of the user', async (t) => {
  const lines: Record<string, unknown>[] = []
  const found: unknown[] = []
  const one = ({ log }: { log: FastifyBaseLogger & { audit?: (text: string) => void } }) => {
    log.audit?.('audited')
    const child = log.child({ b: 1 }, { level: 'debug' })
    child.debug('child')
    found.push(log.level, child.level)
    log.level = 'error'
    log.warn('not written')
    found.push(log.level)
    return { status: 200 }
  }
  const { ask } = await serve(t, contract, {
    handlers: { one },
    fastify: {
      logController: new LogController(),
      logger: { ...withFailure(lines), customLevels: { audit: 35 } },
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
  t.strictSame(found, ['info', 'debug', 'error'])
})
