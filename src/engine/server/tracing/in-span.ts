/** Runs a function in a span. */
import type { Span } from '@opentelemetry/api'
import { isThenable, textOf } from '../errors/callbacks.ts'
import { isFailure } from '../errors/failure.ts'
import type { Tracing } from './registered.ts'

/** Runs a function, and what it awaits, in a span that is a child of the active one. */
export function inSpan<T>(tracing: Tracing, name: string, run: () => T): T {
  return tracing.tracer.startActiveSpan(name, (span) => {
    const result = observed(tracing, span, run)
    if (!isThenable(result)) {
      span.end()
      return result
    }
    // A thenable of the user may do its work at each call of `then`.
    const promise = Promise.resolve(result)
    promise.then(
      () => span.end(),
      (error: unknown) => endFailed(tracing, span, error)
    )
    return promise as T
  })
}

/** Ends the span when the function throws. */
export function observed<T>(tracing: Tracing, span: Span, run: () => T): T {
  try {
    return run()
  } catch (error) {
    endFailed(tracing, span, error)
    throw error
  }
}

/** Notes the kind of an error, not its text, which may quote data. A refusal of the client's request is no error. */
export function endFailed({ api }: Tracing, span: Span, error: unknown): void {
  const failure = isFailure(error) ? error.failure : undefined
  const name = error instanceof Error ? textOf(() => error.name) : '_OTHER'
  span.setAttribute('error.type', failure?.code ?? name)
  if (failure === undefined || failure.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}
