/** Contract beside @fastify/otel with a registered provider: each request has one span of kind SERVER. */
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { SpanKind } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { serverSpan, spansOf } from '../tracing/provider.ts'
import { hosts } from './hosts.ts'

t.test('both complete one span; in a server of the engine that of the plugin is below it', async (t) => {
  const instrumentation = new FastifyOtelInstrumentation()
  const extend = async (app: FastifyInstance) => void (await app.register(instrumentation.plugin()))
  for (const { name, base, isEngine, ask } of await hosts(t, { extend })) {
    const spans = await spansOf(() => ask(request(`GET ${base}/things/7`)))
    const span = serverSpan(spans)
    t.equal(span.name, `GET ${base}/things/{id}`, name)
    t.match(span.attributes, {
      operationId: 'getThing',
      'http.route': `${base}/things/{id}`,
      'http.response.status_code': 200
    })
    const own = spans.find((each) => each.name === 'request')
    t.equal(own?.kind, isEngine ? SpanKind.INTERNAL : undefined, name)
    for (const each of spans) t.equal(each.spanContext().traceId, span.spanContext().traceId, 'one trace')
  }
})
