/** Serves a compiled contract: everything that a client can observe comes from it. */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  type HTTPMethods
} from 'fastify'
import type { CompiledCode, Contract, ContractTypes, Operation } from './model/compiled-contract.ts'
import { registerMultipart } from './server/body/multipart.ts'
import { BootError, checkBoot } from './server/boot-checks.ts'
import { codeLoader } from './server/code-loader.ts'
import { unfitErrorBodies } from './server/errors/error-body-check.ts'
import { errorHandler, type OnFailure } from './server/errors/error-handler.ts'
import { type ErrorBody, plainErrorResponse } from './server/errors/error-response.ts'
import type { Failure } from './server/errors/failure.ts'
import { type Handler, operationRoute } from './server/operation-route.ts'
import { refuseUnmatched } from './server/routing/unmatched.ts'
import type { SecurityHandler } from './server/security/authenticate.ts'
import { guardRoutes } from './server/transport/guard-hook.ts'
import { guardServer } from './server/transport/listeners.ts'
import { transportOptions } from './server/transport/options.ts'

export type { Contract } from './model/compiled-contract.ts'
export {
  type Failure,
  type FailureCode,
  FailureError,
  failureStatus,
  type Problem
} from './server/errors/failure.ts'
export { BootError }

/** The handlers that a contract wants, no more and no less. */
export type Handlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['handlers']
    : never
  : never
/** One per security scheme that the contract declares. */
export type SecurityHandlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['security']
    : never
  : never

export interface ContractServerOptions<Types extends ContractTypes> {
  /** The default export of generated/contract.ts. */
  readonly contract: Contract<Types>
  /** `{ [operationId]: async (request) => ({ status, body, headers? }) }` */
  readonly handlers: Types['handlers']
  /** `{ [schemeName]: async (credential, { scopes, request }) => principal | undefined }` */
  readonly security: Types['security']
  /** Makes the body of every failure, in the contract's own error shape. Its result is sent; it must not throw. */
  readonly errorBody: ErrorBody
  /** Told of every failure that is answered; without a request where it never became one. It must not throw. */
  readonly onFailure?: OnFailure
  /** Before every path of the contract: `''` or `/api`. */
  readonly basePath?: string
  /** Further options of the Fastify server. */
  readonly fastify?: FastifyHttpOptions<Server>
}

/** @throws {BootError} when generated code, handlers and contract do not agree */
export async function createContractServer<Types extends ContractTypes>(
  options: ContractServerOptions<Types>
): Promise<FastifyInstance> {
  const { contract, errorBody, onFailure = () => undefined, basePath = '' } = options
  await checkBoot(contract, options.handlers, options.security)
  const answer = (failure: Failure) => {
    onFailure(failure, undefined)
    return plainErrorResponse(failure, { errorBody, log: app.log })
  }
  const app: FastifyInstance = Fastify(serverOptions(options.fastify, answer))
  const code = await codeLoader(contract, (loaded) =>
    warnOfUnfitErrorBodies(app, contract, loaded, errorBody)
  )
  guardServer(app.server, answer, [...new Set(contract.operations.map(({ method }) => method))].join(', '))
  app.decorateRequest('admitted', undefined)
  await readOwnBodies(app, contract, bodyLimitOf(app))
  app.setErrorHandler(errorHandler(code, { errorBody, onFailure }))
  refuseOthers(app, refuseUnmatched(app, contract, basePath))
  const context = {
    contract,
    basePath,
    bodyLimit: bodyLimitOf(app),
    handlers: options.handlers as Readonly<Record<string, Handler>>,
    security: options.security as Readonly<Record<string, SecurityHandler>>,
    code
  }
  const heads = new Set(contract.operations.flatMap(({ method, path }) => (method === 'HEAD' ? [path] : [])))
  for (const operation of contract.operations) {
    const method = methodsOf(operation, heads)
    app.route({ ...operationRoute(operation, context), method, exposeHeadRoute: false })
  }
  return app
}

/** GET serves HEAD as well (RFC 9110, section 9.3.2), unless the contract has an operation for it. */
function methodsOf({ method, path }: Operation, heads: ReadonlySet<string>): HTTPMethods | HTTPMethods[] {
  return method === 'GET' && !heads.has(path) ? ['GET', 'HEAD'] : (method as HTTPMethods)
}

/** What the engine relies on wins over what is given. */
function serverOptions(
  given: FastifyHttpOptions<Server> = {},
  answer: Parameters<typeof transportOptions>[0]
): FastifyHttpOptions<Server> {
  const own = transportOptions(answer)
  return {
    schemaController,
    ...given,
    ...own,
    http: { connectionsCheckingInterval: 500, ...given.http, ...own.http },
    routerOptions: { maxParamLength: 16_384, ...given.routerOptions }
  }
}

const ofFastify = createRequire(import.meta.resolve('fastify'))

/**
 * Fastify's own compilers, for routes beside the contract that have schemas; loaded by the first of them, for they take a
 * tenth of the boot and no route of the contract needs them. (What Fastify did not choose itself it gives the schemas of
 * headers as they are written: in lower case, please.)
 */
const schemaController = {
  compilersFactory: {
    buildValidator: (...given: unknown[]) => ofFastify('@fastify/ajv-compiler')()(...given),
    buildSerializer: (...given: unknown[]) => ofFastify('@fastify/fast-json-stringify-compiler')()(...given)
  }
}

function bodyLimitOf(app: FastifyInstance): number {
  return Number(app.initialConfig.bodyLimit)
}

/** Bodies are read by the operation, after authentication and by its media types; Fastify's own parsers never run. */
async function readOwnBodies(app: FastifyInstance, { operations }: Contract, limit: number): Promise<void> {
  app.removeAllContentTypeParsers()
  await registerMultipart(app, operations, limit)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Before Fastify looks at their bodies: a path that is not there is so whatever is sent to it. */
function refuseOthers(app: FastifyInstance, refuse: (request: FastifyRequest) => never): void {
  const guard = guardRoutes(app)
  const hooks = {
    preHandler: [],
    onRequest: async (request: FastifyRequest) => {
      guard(request)
      refuse(request)
    }
  }
  app.setNotFoundHandler(hooks, refuse)
}

function warnOfUnfitErrorBodies(
  app: FastifyInstance,
  { operations }: Contract,
  code: CompiledCode,
  errorBody: ErrorBody
): void {
  const found = unfitErrorBodies(operations, code, errorBody)
  if (found.length === 0) return
  app.log.warn(
    { operations: found.slice(0, 20), count: found.length },
    'errorBody does not fit what these operations declare'
  )
}
