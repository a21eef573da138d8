/**
 * Loggers of requests. Their methods do not throw, because serializers and destinations of a log are the user's.
 */
import type { Server } from 'node:http'
import type { FastifyBaseLogger, FastifyHttpOptions } from 'fastify'
import { type ErrorLog, type Line, resultOf, writeSafely } from './errors/callbacks.ts'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]

/**
 * Returns options without a logger where Fastify's own request lines are disabled; the caller sets `app.log`
 * afterwards. With a logger Fastify listens to the end of each response, even if those lines are disabled.
 */
export function withRequestLogs(
  given: FastifyHttpOptions<Server>,
  app: () => ErrorLog
): FastifyHttpOptions<Server> {
  const { loggerInstance: log, ...others } = given
  if (log === undefined || others.logController?.disableRequestLogging !== true)
    return withGuardedLogs(given, app)
  return {
    ...others,
    logger: false,
    childLoggerFactory: (_none, bindings, options) => new RequestLog(log, bindings, options)
  }
}

/** Returns options whose loggers of requests are guarded; without a logger Fastify makes none. */
function withGuardedLogs(given: FastifyHttpOptions<Server>, app: () => ErrorLog): FastifyHttpOptions<Server> {
  const { logger, loggerInstance, childLoggerFactory } = given
  if (!logger && loggerInstance === undefined) return given
  return {
    ...given,
    childLoggerFactory(log, bindings, options, request) {
      const call = () => childLoggerFactory?.call(this, log, bindings, options, request)
      const child = resultOf('childLoggerFactory', app(), { call, accepts: isLog })
      return guardedLog(child ?? log.child(bindings, options))
    }
  }
}

const isLog = (value: unknown) =>
  value === undefined || (typeof value === 'object' && value !== null && 'info' in value)

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Returns a log whose methods are guarded; it has everything else of the given one, such as further levels. */
function guardedLog(log: FastifyBaseLogger): FastifyBaseLogger {
  return Object.create(log, guards)
}

const guardedBy: (guarded: object) => FastifyBaseLogger = Object.getPrototypeOf

const guards: PropertyDescriptorMap = {
  level: {
    get() {
      return guardedBy(this).level
    },
    set(level: string) {
      guardedBy(this).level = level
    }
  },
  child: {
    value(bindings: Bindings, options?: ChildOptions) {
      return guardedLog(guardedBy(this).child(bindings, options))
    }
  },
  ...Object.fromEntries(methods.map((method) => [method, { value: writing(method) }]))
}

function writing(method: (typeof methods)[number]) {
  return function (this: object, ...line: Line): void {
    writeSafely((...given) => guardedBy(this)[method](...given), line)
  }
}

/** Logger that is created with its first line, because most requests write one line or none. */
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
        writeSafely((...given) => this.#made[method](...given), line)
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
    return guardedLog(this.#made.child(bindings, options))
  }

  get #made(): FastifyBaseLogger {
    this.#child ??= this.#log.child(this.#bindings, this.#options)
    return this.#child
  }
}
