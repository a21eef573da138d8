/** The tracer provider of the process. Without one, nothing of OpenTelemetry is loaded or called. */
import type * as OpenTelemetry from '@opentelemetry/api'

export interface Tracing {
  readonly api: typeof OpenTelemetry
  readonly tracer: OpenTelemetry.Tracer
}

/** Key of the registry that all versions 1.x of the API share (opentelemetry-js, api/src/internal/global-utils.ts). */
const registry = Symbol.for('opentelemetry.js.api.1')

interface Log {
  readonly warn: (fields: object, message: string) => void
}

/**
 * Returns undefined without a registered provider. A provider is found if it was registered before, as by
 * `node --import ./otel.js`.
 * @param log gets a warning when there is a provider and the API is not installed
 */
export async function openTracing(log?: Log): Promise<Tracing | undefined> {
  if (Reflect.get(globalThis, registry)?.trace === undefined) return undefined
  // esbuild accepts a package that is missing where the rejection has a handler.
  const loaded = await import('@opentelemetry/api').catch((err: unknown) => {
    log?.warn({ err }, 'a tracer provider is registered, but there are no spans: install @opentelemetry/api')
    return undefined
  })
  if (loaded === undefined) return undefined
  // In its bundles the module has the default export only.
  const api = { ...loaded.default, ...loaded }
  return { api, tracer: api.trace.getTracer('@contract-first/engine') }
}

/** Returns the ids of the active span, by the names that OpenTelemetry gives them in logs that are JSON. */
export function traceFields({ api }: Tracing): object {
  const span = api.trace.getActiveSpan()?.spanContext()
  if (span === undefined || !api.isSpanContextValid(span)) return {}
  return { trace_id: span.traceId, span_id: span.spanId, trace_flags: `0${span.traceFlags.toString(16)}` }
}
