/** Spans of the steps of a request: which there are, their order, and their errors. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { SpanStatusCode } from '@opentelemetry/api'
import t from 'tap'
import { FailureError } from '../../../../src/engine/errors.ts'
import { until } from '../../../time.ts'
import { type Json, request, serve } from '../../serve.ts'
import { serverSpan, spansOf, tracer, treeOf } from './provider.ts'

t.setTimeout(900_000)

const json = { description: 'ok', content: { 'application/json': {} } }
const document: Json = {
  paths: {
    '/things': {
      get: { operationId: 'getThings', responses: { 200: json } },
      post: {
        operationId: 'makeThing',
        security: [{ bearer: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { type: 'object', required: ['size'] } },
            'multipart/form-data': { schema: { type: 'object' } }
          }
        },
        responses: { 200: json }
      }
    }
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
}

class NoStock extends Error {
  override readonly name = 'NoStock'
}

const nameless = Object.defineProperty(new Error('hunter2'), 'name', {
  get() {
    throw new Error('hunter2')
  }
})

/** Errors that the handler throws, by the size. */
const thrown: Readonly<Record<string, unknown>> = {
  1: new NoStock('hunter2'),
  2: 'hunter2',
  3: new FailureError('not-found'),
  4: nameless
}

const service = {
  security: {
    bearer: async (token: string) => {
      await tracer.startActiveSpan('lookup', async (span) => span.end())
      if (token === 'down') throw new FailureError('unavailable')
      return token === 'good' ? { id: 'x' } : undefined
    }
  },
  handlers: {
    getThings: () => ({
      status: 200,
      body: tracer.startActiveSpan('query', (span) => void span.end()) ?? {}
    }),
    makeThing: async ({ body: { size } }: { body: { size: number } }) => {
      await tracer.startActiveSpan('query', async (span) => span.end())
      if (size in thrown) throw thrown[size]
      return { status: 200, body: {} }
    }
  }
}

const make = (body: string, more: Readonly<Record<string, string>> = {}) =>
  request('POST /things', body, { Authorization: 'Bearer good', ...more })
const security = ['security', [['lookup', []]]] as const
const body = ['body', []] as const
const handler = ['handler', [['query', []]]] as const

t.test('the steps of a request are children of its span, and what they await is below them', async (t) => {
  const { ask } = await serve(t, document, service)
  const rows = [
    [request('GET /things'), 'GET /things', [handler]],
    [make('{"size":9}'), 'POST /things', [security, body, handler]],
    [make('{'), 'POST /things', [security, body]],
    [make('{}', { Authorization: 'Bearer bad' }), 'POST /things', [security]],
    [make('x', { 'Content-Type': 'text/plain' }), 'POST /things', [security]]
  ] as const
  for (const [bytes, name, children] of rows)
    t.strictSame(treeOf(await spansOf(() => ask(bytes))), [[name, children]], String(bytes))
})

const { ERROR, UNSET } = SpanStatusCode

t.test('the step that fails has the kind of its error, never its text', async (t) => {
  const { ask } = await serve(t, document, { ...service, maxBodyBytes: 1_048_576 })
  const rows = [
    [make('{}', { Authorization: 'Bearer bad' }), 'security', 'credentials-refused', 401],
    [make('{}', { Authorization: 'Bearer down' }), 'security', 'unavailable', 503],
    [make('{'), 'body', 'malformed-body', 400],
    [make('{}'), 'body', 'mismatch', 400],
    [make('--b', { 'Content-Type': 'multipart/form-data; boundary=b' }), 'body', 'malformed-body', 400],
    [make('{"size":1}'), 'handler', 'NoStock', 500],
    [make('{"size":2}'), 'handler', '_OTHER', 500],
    [make('{"size":3}'), 'handler', 'not-found', 404],
    [make('{"size":4}'), 'handler', 'an error without a text', 500]
  ] as const
  for (const [bytes, name, type, status] of rows) {
    const spans = await spansOf(() => ask(bytes))
    const failed = spans.filter((span) => 'error.type' in span.attributes && span !== serverSpan(spans))
    t.strictSame(
      failed.map((span) => [span.name, span.attributes['error.type'], span.status]),
      [[name, type, { code: status >= 500 ? ERROR : UNSET }]],
      String(bytes)
    )
    t.equal(serverSpan(spans).attributes['http.response.status_code'], status)
    t.notMatch(
      JSON.stringify(spans.map(({ attributes, events, status: own }) => [attributes, events, own])),
      'hunter2'
    )
  }
})

t.test('a body that is refused before it is read ends its span', async (t) => {
  const limit = 40_000
  const { ask, port } = await serve(t, document, {
    ...service,
    fastify: { bodyLimit: limit },
    maxBodyBytes: limit
  })
  const incomplete = make('x'.repeat(limit)).subarray(0, -1)
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(incomplete)
  let status: number | undefined
  let bodies: readonly unknown[] = []
  await until(async () => {
    const spans = await spansOf(async () => {
      status = (await ask(make('x'.repeat(limit)))).status
    })
    bodies = spans
      .filter((span) => span.name === 'body')
      .map((span) => [span.attributes['error.type'], span.status.code])
    return status === 503
  })
  t.strictSame(bodies, [['overloaded', ERROR]])
})
