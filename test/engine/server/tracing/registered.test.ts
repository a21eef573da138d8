/**
 * The tracer provider of the process: found where it is registered, and nothing is loaded without one. Beside the
 * instrumentations of http and undici, loaded first, no span and no header is doubled.
 */
import './instrumented.ts'
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
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
const { build } = await import('esbuild')

const door = resolve('src/engine/tracing.ts')

/** Runs a module in a process of its own, and returns what it prints. */
function printed(code: string): unknown {
  const source = `import { openTracing, traceFields } from '${door}'
    import { createRequire } from 'node:module'
    const require = createRequire('${door}')
    const isLoaded = () => Object.keys(require.cache).some((file) => file.includes('@opentelemetry/api/'))
    ${code}`
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' })
  return JSON.parse(text)
}

const registering = `const { trace } = await import('@opentelemetry/api')
  const { BasicTracerProvider } = await import('@opentelemetry/sdk-trace-base')
  trace.setGlobalTracerProvider(new BasicTracerProvider())`

t.test('a provider is found where it is registered; without one the API is not loaded', async (t) => {
  const found = 'console.log(JSON.stringify([await openTracing() === undefined, isLoaded()]))'
  t.strictSame(printed(found), [true, false])
  t.strictSame(printed(`await import('@opentelemetry/api'); ${found}`), [true, true], 'its API alone')
  const code = `${registering}
    const tracing = await openTracing()
    const span = tracing.tracer.startSpan('x')
    console.log(JSON.stringify([span.isRecording(), span.instrumentationScope.name, traceFields(tracing)]))`
  t.strictSame(printed(code), [true, '@contract-first/engine', {}], 'outside of a span the log has no ids')
})

t.test('a provider whose API cannot be loaded is a warning', async (t) => {
  const code = `${registering}
    const { registerHooks } = await import('node:module')
    registerHooks({
      resolve(name, context, next) {
        if (name === '@opentelemetry/api') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' })
        return next(name, context)
      }
    })
    const lines = []
    const log = { warn: ({ err }, text) => lines.push([err.code, text]) }
    const found = [await openTracing(), await openTracing(log)]
    console.log(JSON.stringify([found.every((each) => each === undefined), lines]))`
  const text = 'a tracer provider is registered, but there are no spans: install @opentelemetry/api'
  t.strictSame(printed(code), [true, [['ERR_MODULE_NOT_FOUND', text]]])
})

t.test('a bundle of esbuild, whose API has the default export only, makes spans', async (t) => {
  const outdir = t.testdir({})
  const contents = `import { trace } from '@opentelemetry/api'
    import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
    import { openTracing } from '${door}'
    trace.setGlobalTracerProvider(new BasicTracerProvider())
    const tracing = await openTracing()
    const isRecording = tracing.tracer.startSpan('x').isRecording()
    console.log(JSON.stringify([isRecording, 'ROOT_CONTEXT' in tracing.api]))`
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
  const stdin = { contents, resolveDir: resolve('.') }
  const options = { bundle: true, splitting: true, format: 'esm', platform: 'node' } as const
  await build({ ...options, stdin, outdir, conditions: [], banner: { js } })
  const text = execFileSync(process.execPath, [join(outdir, 'stdin.js')], { encoding: 'utf8' })
  t.strictSame(JSON.parse(text), [true, true])
})

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
  const unknown = treeOf(await spansOf(() => ask(request('GET /unknown'))))
  t.strictSame(unknown, [['GET', []]], 'the start has no request of its own')
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
