/**
 * Span of a request, by the semantic conventions of OpenTelemetry for HTTP servers
 * (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server). It never has the query, which may hold
 * credentials, nor the text of an error.
 */
import type { Attributes, Context, Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../model/compiled-contract.ts'
import type { OnFailure } from '../errors/error-handler.ts'
import type { Failure } from '../errors/failure.ts'
import type { Tracing } from './registered.ts'

/** Contexts of the requests that have a span. */
const contexts = new WeakMap<FastifyRequest, Context>()

/** Runs a function in the context of a request, for events of its connection, which have another one. */
export function withinTrace<T>({ api }: Tracing, request: FastifyRequest, run: () => T): T {
  return api.context.with(contexts.get(request) as Context, run)
}

/** Failures that requests were answered with, or that ended their responses. */
const failures = new WeakMap<FastifyRequest, Failure>()

/** Returns a callback that also notes the failure for the span of its request. */
export function noted(onFailure: OnFailure): OnFailure {
  return (failure, request, peer) => {
    if (request !== undefined) failures.set(request, failure)
    return onFailure(failure, request, peer)
  }
}

/** Adds a hook that makes the span of each request, and the context of everything that serves it. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (contexts.has(request)) next()
    else tracing.api.context.with(beginTrace(tracing, request, reply), next)
  })
}

/** Begins the span of a request; completes that of an instrumentation of HTTP or of Fastify instead, if there is one. */
function beginTrace(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): Context {
  const { api } = tracing
  const matched = matchedRoute(request)
  const key = api.createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')
  const metadata = api.context.active().getValue(key) as RpcMetadata | undefined
  // The span of @fastify/otel, which is null before its hook.
  const other: Span | null | undefined = metadata?.span ?? Object(request).opentelemetry?.().span
  if (metadata !== undefined && matched.attributes['http.route'] !== undefined)
    metadata.route = String(matched.attributes['http.route'])
  other?.setAttributes(matched.attributes).updateName(matched.name)
  const context = other ? api.context.active() : ownContext()
  contexts.set(request, context)
  return context

  function ownContext(): Context {
    const parent = api.propagation.extract(api.ROOT_CONTEXT, request.headers)
    const attributes = { ...attributesOf(request), ...matched.attributes }
    const span = tracing.tracer.startSpan(matched.name, { kind: api.SpanKind.SERVER, attributes }, parent)
    reply.raw.on('close', () => endSpan(tracing, span, reply))
    // Plugins for OpenTelemetry find the span of the request by this key, and make no second one of kind SERVER.
    return api.trace.setSpan(parent, span).setValue(key, { type: 'http', span })
  }
}

/** Data that an instrumentation of HTTP shares with that of a framework (opentelemetry-core, trace/rpc-metadata.ts). */
interface RpcMetadata {
  readonly span: Span
  route?: string
}

const methods = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE'.split(' '))

interface Matched {
  readonly name: string
  readonly attributes: Attributes
}

function matchedRoute({ method, routeOptions: { url, config } }: FastifyRequest): Matched {
  const { operation } = config
  const route = operation === undefined || url === undefined ? url : templateOf(url, operation)
  const verb = methods.has(method) ? method : 'HTTP'
  return {
    name: route === undefined ? verb : `${verb} ${route}`,
    attributes: { 'http.route': route, operationId: operation?.operationId }
  }
}

/** Returns the path of the contract behind the prefix of the route. */
const templateOf = (url: string, operation: Operation): string =>
  `${url.slice(0, -operation.url.length).replaceAll('::', ':')}${operation.path}`

function attributesOf(request: FastifyRequest): Attributes {
  const { method, raw } = request
  return {
    'http.request.method': methods.has(method) ? method : '_OTHER',
    'http.request.method_original': methods.has(method) ? undefined : method,
    'url.path': request.url.replace(/\?.*$/s, ''),
    'url.scheme': request.protocol,
    'server.address': request.hostname || undefined,
    'server.port': request.port ?? undefined,
    'client.address': request.ip,
    'network.peer.address': raw.socket.remoteAddress,
    'network.peer.port': raw.socket.remotePort,
    'network.protocol.version': raw.httpVersion,
    'user_agent.original': raw.headers['user-agent']
  }
}

/** Ends the span when the response is sent or the connection is closed. A refusal of the client's request is no error. */
function endSpan({ api }: Tracing, span: Span, { raw, request }: FastifyReply): void {
  if (raw.headersSent) span.setAttribute('http.response.status_code', raw.statusCode)
  const type = errorType(raw, failures.get(request))
  if (type !== undefined) span.setAttribute('error.type', type).setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}

function errorType(
  { writableFinished, statusCode }: FastifyReply['raw'],
  failure?: Failure
): string | undefined {
  if (!writableFinished) return failure?.code ?? 'client_disconnected'
  if (statusCode < 500) return undefined
  return failure?.code ?? String(statusCode)
}
