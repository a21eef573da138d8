/** The tracer provider of the process: found where it is registered, and nothing is loaded without one. */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import t from 'tap'

t.setTimeout(900_000)

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
