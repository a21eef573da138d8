/** Door of the engine: serves a compiled contract as a Fastify instance. */
import type { Server } from 'node:http'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  type HTTPMethods
} from 'fastify'
import type { CompiledCode, Contract, ContractTypes, Operation } from './model/compiled-contract.ts'
import { decorateAdmission } from './server/admission.ts'
import { bodyBudget } from './server/body/read-bytes.ts'
import { checkBoot } from './server/boot-checks.ts'
import { codeLoader } from './server/code-loader.ts'
import { logSafely, notify } from './server/errors/callbacks.ts'
import { tryErrorBodies } from './server/errors/error-body-check.ts'
import { commonErrorContent, type PreparedErrors } from './server/errors/error-content.ts'
import { errorHandler, type OnFailure } from './server/errors/error-handler.ts'
import { type ErrorBody, type ErrorContext, plainErrorResponse } from './server/errors/error-response.ts'
import type { Failure } from './server/errors/failure.ts'
import { guardHooks } from './server/errors/send-error.ts'
import { fastifyOptions } from './server/fastify-options.ts'
import type { InlineHandlers } from './server/handler-types.ts'
import { type Handler, OperationRoute, type RouteContext } from './server/operation-route.ts'
import type { OnErrorResponse } from './server/responses/checks.ts'
import { paceRoutes } from './server/responses/paced.ts'
import { refuseUnmatched } from './server/routing/unmatched.ts'
import { type CrossSiteRules, crossSiteRules } from './server/security/cross-site.ts'
import type { SecurityHandler } from './server/security/security-handler.ts'
import { offerDocument } from './server/swagger.ts'
import { guardServer, logServerErrors } from './server/transport/listeners.ts'
import { warnOfMissingParts } from './server/transport/protections.ts'
import { guardRoutes } from './server/transport/request-checks.ts'
import { UnreadBytes } from './server/transport/unread.ts'

export {
  BootError,
  type Failure,
  type FailureCode,
  FailureError,
  failureStatus,
  type Problem
} from './errors.ts'
export { openApiJson } from './json/openapi-json.ts'
export type { Contract, ContractTypes, Operation } from './model/compiled-contract.ts'
export { operationOf, principalOf } from './server/admission.ts'
export type { OnFailure } from './server/errors/error-handler.ts'
export type { ErrorBody } from './server/errors/error-response.ts'
export type { Handlers, InlineHandlers, SecurityHandlers } from './server/handler-types.ts'
export type { OnErrorResponse } from './server/responses/checks.ts'

export interface ContractServerOptions<Types extends ContractTypes> {
  /** Default export of generated/contract.ts. */
  readonly contract: Contract<Types>
  /** `{ [operationId]: async (request) => ({ status, body, headers? }) }` */
  readonly handlers: InlineHandlers<Types>
  /** `{ [schemeName]: async (credential, { scopes, request }) => principal | undefined }` */
  readonly security: Types['security']
  /**
   * Returns the body of every failure, in the contract's own error shape. Called for each failure at boot, too: where it
   * throws or returns a promise for a request, the client gets the body that it has made at boot.
   */
  readonly errorBody: ErrorBody
  /** Called for every failure; has no request when none was parsed or the connection is closed. */
  readonly onFailure?: OnFailure
  /** Called for every error response of a handler, when it is sent. */
  readonly onErrorResponse?: OnErrorResponse
  /** Returns the file of an operation's handler, which the log names when the handler breaks the contract. */
  readonly handlerFile?: (operationId: string) => string
  /**
   * True when the build has compared the generated code with the contract (`npm run generate -- --check`), as for a
   * bundled server: the boot then reads no file of the contract.
   */
  readonly checkedAtBuild?: boolean
  /** Prefix of every path of the contract: `''` or `/api`. */
  readonly basePath?: string
  /**
   * Refuses requests of unsafe methods (POST, PUT, PATCH, DELETE) with 403 that a page of another origin makes and that
   * only credentials authenticate which a browser adds by itself: a cookie, Basic, a client certificate. Decided by
   * `Sec-Fetch-Site`, without it by `Origin`. Pages of `origins` are accepted; `true`: no others than our own.
   */
  readonly refuseCrossSite?: boolean | CrossSiteRules
  /**
   * Bytes of all bodies in flight; at least the body limit, 64 MiB by default. Further bodies are refused with 503
   * before they are read. Up to 16 KiB of each body are not counted.
   */
  readonly maxBodyBytes?: number
  /**
   * Bytes of all responses that clients have not read; 256 MiB by default. Beyond that, the connections whose clients
   * have read nothing for the longest time are closed. Up to 1 KiB of each response is not counted.
   */
  readonly maxUnreadBytes?: number
  /** Further options of the Fastify server. */
  readonly fastify?: FastifyHttpOptions<Server>
}

/** @throws {BootError} when generated code, handlers and contract do not agree */
export async function createContractServer<Types extends ContractTypes>(
  options: ContractServerOptions<Types>
): Promise<FastifyInstance> {
  const { contract, errorBody, onFailure = () => undefined, basePath = '' } = options
  await checkBoot(options)
  const render = (failure: Failure, peer?: object) => {
    const response = plainErrorResponse(failure, context())
    const sent = { ...failure, body: response.made }
    notify('onFailure', app.log, () => onFailure(sent, undefined, peer))
    return response
  }
  const common = commonErrorContent(contract.operations)
  let loaded: CompiledCode | undefined
  let prepared: PreparedErrors | undefined
  const context = (): ErrorContext => ({ errorBody, common, code: loaded, prepared, log: app.log })
  const app: FastifyInstance = Fastify(fastifyOptions(options.fastify, render, () => app.log))
  app.log = options.fastify?.loggerInstance ?? app.log
  guardHooks(app)
  const code = await codeLoader(contract, (compiled) => {
    loaded = compiled
    prepared = preparedErrors(contract, context())
  })
  const unread = new UnreadBytes(render, options.maxUnreadBytes)
  guardServer(app.server, render, unread)
  logServerErrors(app.server, app.log)
  warnOfMissingParts(app.log)
  decorateAdmission(app)
  offerDocument(app, await contract.yaml())
  const bodyLimit = Number(app.initialConfig.bodyLimit)
  disableBodyParsers(app, contract)
  app.setErrorHandler(errorHandler(code, { context, onFailure, handlerFile: options.handlerFile }))
  const guard = guardRoutes(app)
  setNotFoundHandler(app, guard, refuseUnmatched(app, contract, basePath))
  paceRoutes(app)
  addRoutes(app, {
    contract,
    basePath,
    bodyLimit,
    bodyBudget: bodyBudget(contract, bodyLimit, options.maxBodyBytes),
    unread,
    onErrorResponse: options.onErrorResponse,
    handlers: options.handlers as Readonly<Record<string, Handler>>,
    security: options.security as Readonly<Record<string, SecurityHandler>>,
    crossSite: crossSiteRules(options.refuseCrossSite),
    code,
    guard
  })
  return app
}

function addRoutes(app: FastifyInstance, context: RouteContext): void {
  const { operations } = context.contract
  const heads = new Set(operations.flatMap(({ method, path }) => (method === 'HEAD' ? [path] : [])))
  for (const operation of operations) {
    const { options } = new OperationRoute(operation, context)
    app.route({ ...options, method: methodsOf(operation, heads), exposeHeadRoute: false })
  }
}

/** GET serves HEAD, too (RFC 9110, section 9.3.2), unless the contract has an operation for it. */
function methodsOf({ method, path }: Operation, heads: ReadonlySet<string>): HTTPMethods | HTTPMethods[] {
  return method === 'GET' && !heads.has(path) ? ['GET', 'HEAD'] : (method as HTTPMethods)
}

/**
 * Switches off Fastify's body parsers: operations read their bodies after authentication, by media type. All methods
 * are registered as methods without a body, so that Fastify does not look for one.
 */
function disableBodyParsers(app: FastifyInstance, { operations }: Contract): void {
  app.removeAllContentTypeParsers()
  for (const { method } of operations) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
}

type Check = (request: FastifyRequest) => void

/** Refuses unmatched requests in onRequest, before Fastify handles the body: an unknown path is 404 for any body. */
function setNotFoundHandler(
  app: FastifyInstance,
  guard: Check,
  refuse: (request: FastifyRequest) => never
): void {
  const hooks = {
    preHandler: [],
    onRequest: async (request: FastifyRequest) => {
      guard(request)
      refuse(request)
    }
  }
  app.setNotFoundHandler(hooks, refuse)
}

/** Tries `errorBody` for each failure of each operation, and warns of those that do not fit. */
function preparedErrors({ operations }: Contract, context: ErrorContext): PreparedErrors {
  const { unfit, prepared } = tryErrorBodies(operations, context)
  const fields = { operations: unfit.slice(0, 20), count: unfit.length }
  const message = 'errorBody does not fit what these operations declare'
  if (unfit.length > 0) logSafely(context.log, 'warn', fields, message)
  return prepared
}
