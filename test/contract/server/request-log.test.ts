import { type FastifyRequest, LogController } from 'fastify'
import pino from 'pino'
import t from 'tap'
import { request, serve } from '../serve.ts'

const document = {
  paths: { '/one': { get: { operationId: 'one', responses: { 200: { description: '' } } } } }
}

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
  const { ask } = await serve(t, document, {
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
