/** Entry point of the engine: serves a compiled contract as a Fastify instance, or as a plugin of one. */
import type { Server } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { ContractTypes } from './model/compiled-contract.ts'
import { skipParsers } from './server/body/payload.ts'
import type { ContractRoutesOptions } from './server/contract-options.ts'
import { logOf, logRequests } from './server/errors/standard-error-log.ts'
import { fastifyOptions } from './server/fastify-options.ts'
import { guardRoutes, requestGuard } from './server/operation-route.ts'
import { literalRoute } from './server/parameters/request-path.ts'
import { paceRoutes } from './server/responses/paced.ts'
import { prefixOf, prepareContract } from './server/served-contract.ts'
import { offerDocument } from './server/swagger.ts'
import { guardServer, logServerErrors } from './server/transport/connections.ts'
import type { RenderFailure } from './server/transport/raw-response.ts'
import { limitReading } from './server/transport/unread.ts'
import { connectRefusal, refuseUnmatched, unmatchedFinder, urlFinder } from './server/unmatched.ts'

export {
  BootError,
  type Failure,
  type FailureCode,
  FailureError,
  failureStatus,
  type Problem,
  type ReportedProblem
} from './errors.ts'
export { openApiJson, parseOpenApi, writeOpenApiJson, writeOpenApiYaml } from './json/openapi-json.ts'
export {
  type Contract,
  type ContractTypes,
  type Operation,
  tokenAlternative
} from './model/compiled-contract.ts'
export type {
  Around,
  ContractRoutesOptions,
  ErrorBody,
  ErrorResponse,
  InlineAround,
  InlineErrorResponse
} from './server/contract-options.ts'
export { contractOptions, contractRoutes } from './server/contract-routes.ts'
export type { OnFailure } from './server/errors/error-handler.ts'
export type {
  Handlers,
  InlineHandlers,
  InlineSecurity,
  SecurityHandlers
} from './server/handler-types.ts'
export { drainRequests } from './server/handlers/open-requests.ts'
export { operationOf, principalOf } from './server/operation-route.ts'
export { literalRoute } from './server/parameters/request-path.ts'
export type { OnErrorResponse } from './server/responses/body.ts'
export { isLoopback, isOwnHost } from './server/security/cross-site.ts'

export interface ContractServerOptions<Types extends ContractTypes, Security = Types['security']>
  extends ContractRoutesOptions<Types, Security> {
  /** Prefix of every path of the contract: `''` or `/api`. */
  readonly basePath?: string
  /**
   * Adds plugins, hooks, decorators, and routes beside those of the contract. Called once, before the routes of the
   * contract are added. Its routes parse bodies as Fastify does, and their errors have the contract's shape.
   */
  readonly extend?: (app: FastifyInstance) => unknown
  /** Further options of the Fastify server. */
  readonly fastify?: FastifyHttpOptions<Server>
}

/**
 * Serves a contract on a Fastify of its own: `contractRoutes`, and the failures of HTTP that no route sees.
 * @throws {BootError} when generated code, handlers and contract do not agree
 */
export async function createContractServer<Types extends ContractTypes, Security>(
  options: ContractServerOptions<Types, Security>
): Promise<FastifyInstance> {
  const { contract, basePath = '', fastify } = options
  const prefix = literalRoute(basePath)
  const render: RenderFailure = (failure, peer) => prepared.render(failure, peer)
  const routePrefix = prefixOf(prefix)
  const hasPath = (path: string) => urlsOf(path).size > 0
  const app: FastifyInstance = Fastify(fastifyOptions(fastify, { render, hasPath }))
  app.log = fastify?.loggerInstance ?? app.log
  if (fastify?.logger !== false) {
    logRequests(app)
    app.log = logOf(app)
  }
  const prepared = await prepareContract(app, options)
  const urlsOf = urlFinder(contract.operations, routePrefix)
  guardServer(app.server, render, connectRefusal(contract))
  limitReading(app.server, render)
  logServerErrors(app.server, app.log)
  prepared.trace(app)
  offerDocument(app, await contract.yaml())
  const { handleError } = prepared
  app.setErrorHandler(handleError)
  const guard = requestGuard(app)
  guardRoutes(app, guard)
  refuseUnmatched(app, guard, { find: unmatchedFinder(app, contract, routePrefix), handleError })
  paceRoutes(app)
  const parsed = skipParsers(app, contract)
  await options.extend?.(app)
  await app.register(
    async (routes) => {
      // `extend` may have set another one.
      routes.setErrorHandler(handleError)
      prepared.addRoutes(routes, { guard, parsed })
    },
    { prefix }
  )
  return app
}
