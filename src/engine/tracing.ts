/** Entry point of tracing: the headers and ids of a trace, by the tracer provider that @opentelemetry/api has. */

export { openTracing, type Tracing, tracedFetch, traceFields } from './server/tracing/registered.ts'
export { withinTrace } from './server/tracing/request-span.ts'
