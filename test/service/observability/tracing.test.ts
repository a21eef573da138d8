/** A service with a tracer provider: its spans, and the ids of the trace in its log. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { plantStore } from '../../../src/app.ts'
import { openTracing } from '../../../src/engine/tracing.ts'
import { variables } from '../../../src/plants/product.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import type { AnyService } from '../../../src/service/definition.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { startService } from '../../../src/service/run.ts'
import { ask, request } from '../../engine/serve.ts'
import { serverSpan, spansOf, treeOf } from '../../engine/server/tracing/provider.ts'
import { until } from '../../time.ts'

type Line = Readonly<Record<string, unknown>>

async function started(t: Test, extend?: (app: FastifyInstance) => unknown) {
  const folder = t.testdir({})
  const environment = { PORT: '0', AUTH_TOKENS: 'hunter2', DATABASE_URL: `sqlite:${join(folder, 'x.db')}` }
  const config = readConfig(environment, variables)
  const lines: Line[] = []
  const write = (text: string) => {
    const line: Line = JSON.parse(text)
    // The check of what is stored logs in the background.
    if (line['msg'] === 'within' || line['msg'] === 'request') lines.push(line)
  }
  const log = createLog('info', { write }, await openTracing())
  const definition = { ...plantStore, ...(extend && { extend }) } as AnyService
  const service = await startService(definition, config, log)
  t.teardown(() => service.drain())
  return { port: Number(new URL(service.url).port), lines }
}

const create = (body: string, token = 'hunter2') =>
  request('POST /plants?token=hunter2', body, { Authorization: `Bearer ${token}` })

t.test(
  'lines of a request have the ids of its one span, which has nothing of the credential, also those of hooks; others have none',
  async (t) => {
    const { port, lines } = await started(t, (app) =>
      app.addHook('onRequest', async ({ log }) => log.info('within'))
    )
    for (const bytes of [
      create('{"id":1,"name":"x"}'),
      create('{'),
      create('{}', 'wrong'),
      request('GET /x')
    ]) {
      const spans = await spansOf(() => ask(port, bytes))
      t.equal(treeOf(spans).length, 1)
      t.notMatch(
        JSON.stringify(spans.map(({ name, attributes, events }) => [name, attributes, events])),
        'hunter2'
      )
      const { traceId, spanId } = serverSpan(spans).spanContext()
      await until(() => lines.length > 1)
      const ids = { trace_id: traceId, span_id: spanId, trace_flags: '01' }
      t.match(lines, [
        { msg: 'within', ...ids },
        { msg: 'request', ...ids }
      ])
      t.equal(lines.length, 2)
      lines.length = 0
    }
    for (const unrouted of ['garbage\r\n\r\n', request('GET /%zz')]) {
      await ask(port, unrouted)
      await until(() => lines.length > 0)
      t.match(lines, [{ status: 400 }])
      t.notOk('trace_id' in Object(lines[0]))
      lines.length = 0
    }
  }
)
