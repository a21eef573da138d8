/** Door of tracing: spans and the headers of a trace, by the tracer provider that @opentelemetry/api has. */

export { inSpan } from './server/tracing/in-span.ts'
export { tracedFetch } from './server/tracing/outgoing.ts'
export { openTracing, type Tracing, traceFields } from './server/tracing/registered.ts'
export { withinTrace } from './server/tracing/request-span.ts'
