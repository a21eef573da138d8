/**
 * The tracer provider of the process, and the headers that continue its active trace in outgoing requests (W3C Trace
 * Context; or as the propagator writes them). Without a provider, nothing of OpenTelemetry is loaded or called.
 */

import { channel } from 'node:diagnostics_channel'
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

/** Returns no headers without a provider or an active span. */
async function traceHeaders(): Promise<Readonly<Record<string, string>>> {
  const headers = {}
  const tracing = await openTracing()
  tracing?.api.propagation.inject(tracing.api.context.active(), headers)
  return headers
}

/** Headers of a trace alone (W3C Trace Context). */
const traceContext = ['traceparent', 'tracestate']

/**
 * Sends a request to a URL that others may have chosen: with the ids of the trace, without baggage, which holds values for
 * the own services. An instrumentation of `node:http` finds no baggage either.
 */
export async function withTraceContext<T>(
  send: (headers: Readonly<Record<string, string>>) => Promise<T>
): Promise<T> {
  const tracing = await openTracing()
  if (tracing === undefined) return send({})
  const { context, propagation } = tracing.api
  const all = Object.entries(await traceHeaders())
  const headers = Object.fromEntries(all.filter(([name]) => traceContext.includes(name)))
  return context.with(propagation.deleteBaggage(context.active()), () => send(headers))
}

/** Channel of undici, and so of Node's `fetch`, that an instrumentation of it listens to. */
const requests = channel('undici:request:create')

/**
 * The `fetch` of the platform with the headers of the active trace: `createClient(contract, { fetch: tracedFetch })`.
 * Leaves them to an instrumentation of undici, which sends those of its own span.
 */
export async function tracedFetch(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(requests.hasSubscribers ? {} : await traceHeaders())
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
  return fetch(url, { ...init, headers })
}
