/** The trace goes on in the requests of client and sender. */
import t, { type Test } from 'tap'
import { createClient } from '../../src/engine/client.ts'
import { createSender } from '../../src/engine/sender.ts'
import { tracedFetch } from '../../src/engine/tracing.ts'
import { json, receiver } from './sender/receiver.ts'
import { compiled, type Json } from './serve.ts'
import { tracer, withBaggage } from './server/tracing/provider.ts'

const content = { 'application/json': {} }
const responses = { 200: { description: 'ok', content } }
const document: Json = {
  paths: { '/things': { get: { operationId: 'getThings', responses } } },
  webhooks: {
    newThing: { post: { requestBody: { required: true, content }, responses } }
  }
}

type Sent = readonly (string | string[] | undefined)[]
type Calls = Readonly<Record<string, (call?: object) => Promise<{ status: number }>>>

/** Runs both calls, and returns the headers of a name that they have sent. */
async function sent(
  t: Test,
  headers: Readonly<Record<string, string>> = {},
  name = 'traceparent'
): Promise<Sent> {
  const contract = await compiled(t, document)
  const { url, received } = await receiver(t, [json(200, '{}')])
  const client = createClient(contract, { baseUrl: url, fetch: tracedFetch, headers }) as Calls
  const sender = createSender(contract as never, { allowPrivateAddresses: true, headers } as never) as Calls
  await client['getThings']?.()
  await sender['newThing']?.({ url: `${url}/hook`, body: {} })
  return received.map((request) => request.headers[name])
}

t.test('outside of a span no header is sent', async (t) => {
  t.strictSame(await sent(t), [undefined, undefined])
})

const inSpan = (run: () => Promise<Sent>) =>
  tracer.startActiveSpan('request', async (span) => {
    const { traceId, spanId } = span.spanContext()
    const found = await run()
    span.end()
    return { found, traceId, spanId }
  })

t.test('within a span its ids are sent; a header of the caller stays', async (t) => {
  const { found, traceId, spanId } = await inSpan(() => sent(t))
  t.strictSame(found, [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`])
  const own = await inSpan(() => sent(t, { traceparent: 'own' }))
  t.strictSame(own.found, ['own', 'own'])
})

t.test('baggage goes to services that the caller names, not to the targets of a sender', async (t) => {
  const { found } = await inSpan(() => withBaggage(() => sent(t, {}, 'baggage')))
  t.strictSame(found, ['tenant=secret', undefined])
})
