/** Entry point of tracing: the headers and ids of a trace, by the tracer provider that @opentelemetry/api has. */

export { tracedFetch } from './server/tracing/outgoing.ts'
export { openTracing, type Tracing, traceFields } from './server/tracing/registered.ts'
export { withinTrace } from './server/tracing/request-span.ts'
