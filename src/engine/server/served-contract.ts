/** Checks the options of a contract, loads its code, and adds its routes. */
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { CompiledCode, Contract, ContractTypes } from '../model/compiled-contract.ts'
import { bodyBudgets } from './body/budget.ts'
import { passBodies } from './body/payload.ts'
import { uploadFolder } from './body/upload-folder.ts'
import { BootError, type BootOptions, checkBoot, checkOptions } from './boot-checks.ts'
import { codeLoader } from './code-loader.ts'
import type { ContractRoutesOptions } from './contract-options.ts'
import { notify } from './errors/callbacks.ts'
import { type ErrorHandler, errorHandler, lateFailureReporter } from './errors/error-handler.ts'
import {
  commonErrorContent,
  type ErrorContext,
  errorResponse,
  type PreparedErrors,
  tryErrorBodies
} from './errors/error-response.ts'
import type { Handler } from './handlers/handler-request.ts'
import { openRequests } from './handlers/open-requests.ts'
import { operationRoute, type RouteContext } from './operation-route.ts'
import type { SecurityHandler } from './security/credentials.ts'
import { crossSiteRules } from './security/cross-site.ts'
import { openTracing } from './tracing/registered.ts'
import { noted, traceRequests } from './tracing/request-span.ts'
import type { RenderFailure } from './transport/raw-response.ts'
import { UnreadBytes } from './transport/unread.ts'
import type { Prefix } from './unmatched.ts'

/** Steps of a request before all others. */
interface FirstSteps {
  readonly guard: RouteContext['guard']
  /** Methods whose bodies Fastify gives to a parser; undefined for all. */
  readonly parsed: ReadonlySet<string> | undefined
}

/** Contract whose options are checked and whose code is loaded: what its routes and its server share. */
export interface PreparedContract {
  readonly render: RenderFailure
  readonly handleError: ErrorHandler
  /** Adds the hook that makes a span of each request, if a tracer provider is registered. */
  readonly trace: (app: FastifyInstance) => void
  /** Adds the routes to an encapsulated instance. */
  readonly addRoutes: (app: FastifyInstance, first: FirstSteps) => void
}

/**
 * Checks the options, and loads the code of a contract.
 * @throws {BootError} when generated code, handlers and contract do not agree
 */
export async function prepareContract<Types extends ContractTypes, Security>(
  app: FastifyInstance,
  options: ContractRoutesOptions<Types, Security>,
  log = app.log
): Promise<PreparedContract> {
  checkOptions(options)
  const { contract, errorBody, handlerFile, onFailure: reported = () => undefined } = options
  await checkBoot(options)
  const tracing = await openTracing(log)
  const onFailure = tracing === undefined ? reported : noted(reported)
  const common = commonErrorContent(contract.operations)
  let loaded: CompiledCode | undefined
  let prepared: PreparedErrors | undefined
  const context = (): ErrorContext => ({ errorBody, common, code: loaded, prepared, log })
  const code = await codeLoader(contract, (compiled) => {
    loaded = compiled
    prepared = preparedErrors(contract, context())
  })
  const render: RenderFailure = (failure, peer) => {
    const response = errorResponse(failure, undefined, context())
    notify('onFailure', log, () => onFailure({ ...failure, body: response.made }, undefined, peer))
    return response
  }
  const sending = {
    unread: new UnreadBytes(render, options.maxUnreadBytes),
    uploads: await uploadFolder(app, options),
    open: openRequests(app),
    heartbeat: heartbeatOf(options.heartbeat),
    onBrokenStream: lateFailureReporter({ onFailure, handlerFile })
  }
  return {
    render,
    handleError: errorHandler(code, { context, onFailure, handlerFile }),
    trace: (server) => {
      if (tracing !== undefined) traceRequests(server, tracing)
    },
    addRoutes: (instance, { parsed, guard }) => {
      passBodies(instance, parsed)
      addRoutes(instance, options, { code, guard, ...sending })
    }
  }
}

/** Longest time of a timer in Node. */
const maxTimer = 2_147_483_647

/** @throws {BootError} for a time that no timer has */
function heartbeatOf(heartbeat = 15_000): number {
  if (heartbeat >= 0 && heartbeat <= maxTimer) return heartbeat
  throw new BootError(`heartbeat is ${heartbeat}: give a number of milliseconds, or 0 for no heartbeats`)
}

/** @throws {BootError} when the application has a route already */
function addRoutes<Types extends ContractTypes, Security>(
  app: FastifyInstance,
  options: ContractRoutesOptions<Types, Security>,
  shared: Pick<
    RouteContext,
    'code' | 'guard' | 'unread' | 'uploads' | 'open' | 'heartbeat' | 'onBrokenStream'
  >
): void {
  const { contract, handlers, security }: BootOptions = options
  const bodyLimit = Number(app.initialConfig.bodyLimit)
  options.coverage?.watch(app)
  const context: RouteContext = {
    ...shared,
    contract,
    prefix: prefixOf(app.prefix).template,
    bodyLimit,
    ...bodyBudgets(contract, bodyLimit, options.maxBodyBytes),
    onErrorResponse: options.onErrorResponse,
    handlers: handlers as Readonly<Record<string, Handler>>,
    security: security as Readonly<Record<string, SecurityHandler>>,
    around: options.around as RouteContext['around'],
    errorResponse: options.errorResponse as RouteContext['errorResponse'],
    crossSite: crossSiteRules(options.refuseCrossSite)
  }
  // Fastify does not route every method by itself; the engine decides which requests have a body.
  for (const { method } of contract.operations)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  const heads = new Set(contract.operations.flatMap(({ method, path }) => (method === 'HEAD' ? [path] : [])))
  for (const operation of contract.operations) {
    const { method, path, operationId } = operation
    // GET serves HEAD, too (RFC 9110, section 9.3.2), unless the contract has an operation for it.
    const methods = method === 'GET' && !heads.has(path) ? ['GET', 'HEAD'] : method
    try {
      app.route({ ...operationRoute(operation, context), method: methods as HTTPMethods | HTTPMethods[] })
    } catch (error) {
      if (Object(error).code !== 'FST_ERR_DUPLICATED_ROUTE') throw error
      throw new BootError(
        `${method} ${app.prefix}${path} is a route of the application and of the contract (${operationId}): ` +
          'remove the one of the application, or serve the contract under another prefix'
      )
    }
  }
}

/** Tries `errorBody` for each failure of each operation, and warns of those that do not fit. */
function preparedErrors({ operations }: Contract, context: ErrorContext): PreparedErrors {
  const { unfit, prepared } = tryErrorBodies(operations, context)
  const fields = { operations: unfit.slice(0, 20), count: unfit.length }
  const message = 'errorBody does not fit what these operations declare'
  if (unfit.length > 0) context.log.warn(fields, message)
  return prepared
}

/**
 * Reads the prefix of a Fastify instance, whose parameters are allowed: `/v1/:tenant` is `/v1/{tenant}`.
 * @throws {BootError} for a prefix with a wildcard, a pattern or an optional part
 */
export function prefixOf(pattern: string): Prefix {
  if (/\*|(?<!:):\w+[(?]/.test(pattern))
    throw new BootError(
      `the prefix ${pattern} of a contract has a wildcard, a pattern or an optional part: ` +
        'write a path such as /v1 or /:tenant'
    )
  const template = pattern.replaceAll(/::|:(\w+)/g, (_text, name?: string) =>
    name === undefined ? ':' : `{${name}}`
  )
  return { pattern, template }
}
