/** Spans of the steps of a request: security, body, handler. Without a tracer provider a route calls the functions themselves. */
import type { Span } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { bodyValue, receiveBody } from '../body/receive.ts'
import type { OnFailure } from '../errors/error-handler.ts'
import type { Handler } from '../handlers/handler-request.ts'
import type { Authenticate } from '../security/authenticate.ts'
import { endFailed, inSpan, observed } from './in-span.ts'
import { openTracing, type Tracing } from './registered.ts'
import { noteFailure, traceRequests } from './request-span.ts'

/** Functions that a route calls, or makes of its own. */
export interface Steps {
  readonly authenticate: (authenticate: Authenticate | undefined) => Authenticate | undefined
  readonly receive: typeof receiveBody
  readonly value: typeof bodyValue
  readonly handle: (handler: Handler) => Handler
}

interface PreparedTracing {
  readonly steps: Steps
  readonly onFailure: OnFailure
  /** Adds the hook that makes the span of each request. */
  readonly trace: (app: FastifyInstance) => void
}

/** @returns parts that do nothing more than without OpenTelemetry where no tracer provider is registered */
export async function prepareTracing(
  log: FastifyBaseLogger,
  onFailure: OnFailure = () => undefined
): Promise<PreparedTracing> {
  const tracing = await openTracing(log)
  if (tracing === undefined) return { steps: untraced, onFailure, trace: () => undefined }
  return {
    steps: traced(tracing),
    onFailure: (failure, request, peer) => {
      noteFailure(failure, request)
      return onFailure(failure, request, peer)
    },
    trace: (app) => traceRequests(app, tracing)
  }
}

const untraced: Steps = {
  authenticate: (authenticate) => authenticate,
  receive: receiveBody,
  value: bodyValue,
  handle: (handler) => handler
}

/** Returns steps that are spans; that of a body ends when its value is validated. */
function traced(tracing: Tracing): Steps {
  const spans = new WeakMap<object, Span>()
  return {
    authenticate: (authenticate) =>
      authenticate && ((request) => inSpan(tracing, 'security', () => authenticate(request))),
    handle: (handler) => (request) => inSpan(tracing, 'handler', () => handler(request)),
    receive: (...values) => {
      const span = tracing.tracer.startSpan('body')
      const received = observed(tracing, span, () => receiveBody(...values))
      received.then(
        (body) => spans.set(body, span),
        (error: unknown) => endFailed(tracing, span, error)
      )
      return received
    },
    value: (received, ...rules) => {
      const span = spans.get(received) as Span
      const value = observed(tracing, span, () => bodyValue(received, ...rules))
      span.end()
      return value
    }
  }
}
