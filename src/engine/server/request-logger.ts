/** Loggers of requests that are created with their first line, because most requests write one line or none. */
import type { Server } from 'node:http'
import type { FastifyBaseLogger, FastifyHttpOptions } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]

/**
 * Returns options without a logger where Fastify's own request lines are disabled; the caller sets `app.log`
 * afterwards. With a logger Fastify listens to the end of each response, even if those lines are disabled.
 */
export function withRequestLogs(given: FastifyHttpOptions<Server>): FastifyHttpOptions<Server> {
  const { loggerInstance: log, ...others } = given
  if (log === undefined || others.logController?.disableRequestLogging !== true) return given
  return {
    ...others,
    logger: false,
    childLoggerFactory: (_none, bindings, options) => new RequestLog(log, bindings, options)
  }
}

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type Line = [fields: unknown, text?: string, ...values: unknown[]]

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
