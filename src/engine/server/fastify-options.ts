/** Options of the Fastify server: those that the engine needs override those of the service. */
import type { IncomingMessage, Server } from 'node:http'
import type { FastifyBaseLogger, FastifyHttpOptions, FastifyReply } from 'fastify'
import { sendError } from './errors/error-response.ts'
import { type Failure, FailureError } from './errors/failure.ts'
import { normalizePath, originForm, pathOf } from './parameters/request-path.ts'
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

/**
 * Returns options without a logger where Fastify's own request lines are disabled; the caller sets `app.log`
 * afterwards. With a logger Fastify listens to the end of each response, even if those lines are disabled.
 */
function withRequestLogs(given: FastifyHttpOptions<Server>): FastifyHttpOptions<Server> {
  const { loggerInstance: log, ...others } = given
  if (log === undefined || others.logController?.disableRequestLogging !== true) return given
  return {
    ...others,
    logger: false,
    childLoggerFactory: (_none, bindings, options) => new RequestLog(log, bindings, options)
  }
}

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type Line = [fields: unknown, text?: string, ...values: unknown[]]

/** Logger of a request that is created with its first line, because most requests write one line or none. */
class RequestLog implements FastifyBaseLogger {
  declare readonly fatal: FastifyBaseLogger['fatal']
  declare readonly error: FastifyBaseLogger['error']
  declare readonly warn: FastifyBaseLogger['warn']
  declare readonly info: FastifyBaseLogger['info']
  declare readonly debug: FastifyBaseLogger['debug']
  declare readonly trace: FastifyBaseLogger['trace']
  declare readonly silent: FastifyBaseLogger['silent']
  readonly #log: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: ChildOptions
  #child: FastifyBaseLogger | undefined

  constructor(log: FastifyBaseLogger, bindings: Bindings, options: ChildOptions) {
    this.#log = log
    this.#bindings = bindings
    this.#options = options
  }

  static {
    for (const method of methods) {
      const write = function (this: RequestLog, ...line: Line) {
        this.#made[method](...line)
      }
      Object.defineProperty(RequestLog.prototype, method, { value: write })
    }
  }

  get level(): string {
    return this.#child?.level ?? this.#options?.level ?? this.#log.level
  }

  set level(level: string) {
    this.#made.level = level
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#made.child(bindings, options)
  }

  get #made(): FastifyBaseLogger {
    this.#child ??= this.#log.child(this.#bindings, this.#options)
    return this.#child
  }
}
