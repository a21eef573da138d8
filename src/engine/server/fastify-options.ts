/** Options of the Fastify server: those that the engine needs override those of the service. */

import type { IncomingMessage, Server } from 'node:http'
import type { FastifyHttpOptions, FastifyReply } from 'fastify'
import { sendError } from './errors/error-response.ts'
import { type Failure, FailureError } from './errors/failure.ts'
import { normalizePath, originForm, pathOf } from './parameters/request-path.ts'
import { withRequestLogs } from './request-logger.ts'
import { refuseConnection } from './transport/client-error.ts'
import { openResponses } from './transport/connections.ts'
import { type RenderFailure, renderSafely } from './transport/raw-response.ts'

export interface ServerContext {
  readonly render: RenderFailure
  /** Returns true for a normalised path of the contract. */
  readonly hasPath: (path: string) => boolean
}

export function fastifyOptions(
  options: FastifyHttpOptions<Server> = {},
  { render, hasPath }: ServerContext
): FastifyHttpOptions<Server> {
  const own = transportOptions(render, hasPath)
  return {
    ...withRequestLogs(options),
    ...own,
    http: { connectionsCheckingInterval: 500, ...options.http, ...own.http },
    routerOptions: { maxParamLength: 16_384, ...options.routerOptions }
  }
}

type TransportOptions = Pick<
  FastifyHttpOptions<Server>,
  'clientErrorHandler' | 'frameworkErrors' | 'return503OnClosing' | 'rewriteUrl' | 'http'
>

/** Returns options that disable Node's Host check, which responds without a body; the guard checks Host instead. */
export function transportOptions(
  render: RenderFailure,
  hasPath: ServerContext['hasPath'] = () => true
): TransportOptions {
  return {
    http: { requireHostHeader: false, shouldUpgradeCallback: upgradesBeside(hasPath) },
    return503OnClosing: false,
    rewriteUrl: ({ url = '' }) => (url.startsWith('/') ? url : originForm(url)),
    clientErrorHandler: (error, socket) =>
      refuseConnection(error, socket, (failure) => render(failure, socket)),
    frameworkErrors: (error, { raw }, reply: FastifyReply) => {
      const response = renderSafely(urlFailure(error), (failure) => render(failure, raw.socket))
      sendError(reply, response)
    }
  }
}

/**
 * Leaves a WebSocket handshake (RFC 6455, section 4.1) beside the contract to the plugin that listens for it, unless the
 * connection has unanswered requests. Every other request is served as if it had no `Upgrade` (RFC 9110, section 7.8),
 * and is the last one of its connection.
 */
function upgradesBeside(hasPath: ServerContext['hasPath']) {
  return function (this: Server, { method, headers, url, socket }: IncomingMessage): boolean {
    const isHandshake = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
    if (!isHandshake || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      return false
    if (this.listenerCount('upgrade') === 0 || openResponses(socket).length > 0) return false
    return !hasPath(normalizePath(pathOf(String(url))))
  }
}

function urlFailure(error: Error & { code?: string }): Failure {
  if (error.code === 'FST_ERR_BAD_URL') return new FailureError('malformed-url').failure
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new FailureError('malformed-url', { message: 'a part of the path is too long' }).failure
  return new FailureError('internal', { cause: error }).failure
}
