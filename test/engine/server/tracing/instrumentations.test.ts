/** Beside the instrumentations of http and undici, loaded first, no span and no header is doubled. */
import './instrumented.ts'
import { SpanKind } from '@opentelemetry/api'
import t from 'tap'
import type { Json } from '../../serve.ts'
import { serverSpan, spansOf, treeOf, withBaggage } from './provider.ts'

t.setTimeout(900_000)

const { createClient } = await import('../../../../src/engine/client.ts')
const { createSender } = await import('../../../../src/engine/sender.ts')
const { tracedFetch } = await import('../../../../src/engine/tracing.ts')
const { compiled, request, serve } = await import('../../serve.ts')
const { json, receiver } = await import('../../sender/receiver.ts')

const content = { 'application/json': {} }
const responses = { 200: { description: 'ok', content } }
const document: Json = {
  paths: { '/things': { get: { operationId: 'getThings', responses } } },
  webhooks: { newThing: { post: { requestBody: { required: true, content }, responses } } }
}
type Calls = Readonly<Record<string, (call?: object) => Promise<unknown>>>

t.test('the span of the instrumentation of http is that of the request', async (t) => {
  const handlers = { getThings: () => ({ status: 200, body: {} }) }
  const { ask } = await serve(t, document, { handlers, basePath: '/v1' })
  t.strictSame(
    treeOf(await spansOf(() => ask(request('GET /unknown')))),
    [['GET', []]],
    'the start has no request of its own'
  )
  const spans = await spansOf(() => ask(request('GET /v1/things?token=hunter2')))
  t.strictSame(treeOf(spans), [['GET /v1/things', []]])
  const { attributes, instrumentationScope } = serverSpan(spans)
  t.equal(instrumentationScope.name, '@opentelemetry/instrumentation-http')
  t.match(attributes, {
    operationId: 'getThings',
    'http.route': '/v1/things',
    'http.response.status_code': 200
  })
})

t.test('a request of client or sender has one header: that of the span of its instrumentation', async (t) => {
  const contract = await compiled(t, document)
  const { url, received } = await receiver(t, [json(200, '{}')])
  const client = createClient(contract, { baseUrl: url, fetch: tracedFetch }) as Calls
  const sender = createSender(contract as never, { allowPrivateAddresses: true }) as Calls
  const call = async () => {
    await client['getThings']?.()
    await sender['newThing']?.({ url: `${url}/hook`, body: {} })
  }
  const spans = await spansOf(() => withBaggage(call), 2)
  const ids = spans.filter(({ kind }) => kind === SpanKind.CLIENT).map((span) => span.spanContext())
  t.equal(ids.length, 2)
  t.strictSame(
    received.map(({ headers }) => headers['traceparent']).toSorted(),
    ids.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).toSorted()
  )
  t.strictSame(
    received.map(({ headers }) => headers['baggage']),
    ['tenant=secret', undefined],
    'the target of a sender gets no baggage'
  )
})
