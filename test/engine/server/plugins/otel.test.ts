/** Contract beside @fastify/otel. */
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { operationOf } from '../../../../src/engine/server.ts'
import { request } from '../../serve.ts'
import { hosts } from './hosts.ts'

const exporter = new InMemorySpanExporter()
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager())

/** Status, route and error of a request's span. */
const rows = [
  ['GET /things/7', 200, '/things/{id}', undefined],
  ['GET /things/broken', 500, '/things/{id}', 'internal server error'],
  ['GET /things', 401, '/things', /^no credentials/],
  ['DELETE /things', 405, undefined, undefined]
] as const

t.test('a request of the contract is a span with its route, its status and its error', async (t) => {
  const instrumentation = new FastifyOtelInstrumentation({
    requestHook: (span, request) => {
      const path = operationOf(request)?.path
      if (path !== undefined) span.setAttribute('http.route', path)
    }
  })
  instrumentation.setTracerProvider(tracerProvider)
  const extend = async (app: FastifyInstance) => void (await app.register(instrumentation.plugin()))
  let active: string | undefined
  const handlers = {
    getThing: ({ params: { id } }: { params: { id: string } }) => {
      active = trace.getActiveSpan()?.spanContext().traceId
      if (id === 'broken') throw new Error('broken')
      return { status: 200, body: {} }
    }
  }
  for (const { name, base, ask } of await hosts(t, { extend, handlers }))
    for (const [line, status, route, message] of rows) {
      exporter.reset()
      await ask(request(line.replace(' ', ` ${base}`)))
      const spans = exporter.getFinishedSpans()
      const span = spans.find((each) => each.name === 'request')
      t.equal(span?.attributes['http.response.status_code'], status, `${name}: ${line}`)
      t.equal(span?.attributes['http.route'], route, `${name}: ${line}`)
      t.match([span?.status.message, span?.events[0]?.attributes?.['exception.message']], [message, message])
      if (route === '/things/{id}') t.equal(active, span?.spanContext().traceId, 'active in the handler')
    }
})
