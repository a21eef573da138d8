import type { Server } from 'node:http'
import { type FastifyBaseLogger, type FastifyHttpOptions, type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import t from 'tap'
import type { Failure } from '../../../src/engine/server/errors/failure.ts'
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

const crash = (): never => {
  throw new Error('secret stack detail')
}
const withFailure = (lines: Record<string, unknown>[]) => ({
  level: 'info' as const,
  base: null,
  stream: { write: (line: string) => void lines.push(JSON.parse(line)) }
})
const failing = { handlers: { one: crash }, errorBody: ({ code, status }: Failure) => ({ code, status }) }
const internal = { code: 'internal', status: 500 }

t.test('a serializer that throws changes no answer, and the line is written as a text', async (t) => {
  for (const disableRequestLogging of [false, true]) {
    const lines: Record<string, unknown>[] = []
    const serializers = { err: crash, req: crash, res: crash }
    const logController = new LogController({ disableRequestLogging })
    const own: FastifyHttpOptions<Server>[] = [
      { logger: { ...withFailure(lines), serializers }, logController },
      { loggerInstance: pino({ serializers }, withFailure(lines).stream), logController, logger: false }
    ]
    for (const fastify of own) {
      lines.length = 0
      const { ask } = await serve(t, contract, { ...failing, fastify })
      const { status, value } = await ask(request('GET /one'))
      t.strictSame([status, value], [500, internal])
      const text =
        'internal server error: Error: secret stack detail (its fields cannot be logged: Error: secret'
      t.equal(lines.filter(({ msg }) => String(msg).startsWith(text)).length, 1, 'the cause is logged once')
    }
  }
})

t.test('a log that takes no line changes no answer', async (t) => {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
  const made = (): FastifyBaseLogger => {
    const methods = Object.fromEntries(levels.map((level) => [level, crash]))
    return { level: 'info', ...methods, child: made } as unknown as FastifyBaseLogger
  }
  const quiet = Object.assign(made(), { info: () => undefined })
  for (const disableRequestLogging of [false, true]) {
    const logController = new LogController({ disableRequestLogging })
    const fastify = { logger: false as const, loggerInstance: quiet, logController }
    const { ask } = await serve(t, contract, { ...failing, fastify, errorBody: () => undefined })
    const { status, body } = await ask(request('GET /one'))
    t.strictSame([status, body], [500, ''])
  }
})

t.test('the log of a request keeps its levels, its children and the factory of the user', async (t) => {
  const lines: Record<string, unknown>[] = []
  const found: unknown[] = []
  const one = ({ log }: { log: FastifyBaseLogger & { audit?: (text: string) => void } }) => {
    log.audit?.('audited')
    const child = log.child({ b: 1 }, { level: 'debug', serializers: { err: crash } })
    child.debug('child')
    child.error({ err: new Error('x') }, 'lost')
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
    { b: 1, level: 20, msg: 'child', own: true },
    { b: 1, level: 50, msg: /^lost: Error: x \(its fields cannot be logged/ }
  ])
  t.strictSame(found, ['info', 'debug', 'error'])
})
