/** Headers that continue the active trace in outgoing requests (W3C Trace Context; or as the propagator writes them). */
import { channel } from 'node:diagnostics_channel'
import { openTracing } from './registered.ts'

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
