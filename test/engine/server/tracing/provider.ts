/** A tracer provider that keeps its spans in memory, registered as an SDK registers it. */
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor
} from '@opentelemetry/sdk-trace-base'
import { until } from '../../../time.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
trace.setGlobalTracerProvider(provider)
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] })
)

export const tracer = provider.getTracer('test')

/** Runs a function with baggage, as a service that receives some does. */
export const withBaggage = <T>(run: () => T): T => {
  const baggage = propagation.createBaggage({ tenant: { value: 'secret' } })
  return context.with(propagation.setBaggage(context.active(), baggage), run)
}

/** Runs a request, and returns its spans when those of the servers have ended. */
export async function spansOf(run: () => unknown, servers = 1): Promise<readonly ReadableSpan[]> {
  exporter.reset()
  await run()
  const spans = () => exporter.getFinishedSpans()
  await until(() => spans().filter(({ kind }) => kind === SpanKind.SERVER).length >= servers)
  return [...spans()]
}

/** Returns the one span of kind SERVER. */
export function serverSpan(spans: readonly ReadableSpan[]): ReadableSpan {
  const [span, ...others] = spans.filter(({ kind }) => kind === SpanKind.SERVER)
  if (span === undefined || others.length > 0) throw new Error(`${others.length} further spans of servers`)
  return span
}

/** Returns the names of spans as a tree: `[['GET /x', [['query', []]]]]`. */
export type Tree = readonly (readonly [name: string, children: Tree])[]

export function treeOf(spans: readonly ReadableSpan[], parent?: string): Tree {
  const ids = new Set(spans.map((span) => span.spanContext().spanId))
  const idOf = ({ parentSpanContext }: ReadableSpan) =>
    parentSpanContext && ids.has(parentSpanContext.spanId) ? parentSpanContext.spanId : undefined
  return spans
    .filter((span) => idOf(span) === parent)
    .toSorted((a, b) => compare(a.startTime, b.startTime))
    .map((span) => [span.name, treeOf(spans, span.spanContext().spanId)])
}

const compare = ([second, nano]: readonly [number, number], [second2, nano2]: readonly [number, number]) =>
  second - second2 || nano - nano2
