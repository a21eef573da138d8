/** Builds the application: the contract, with the hooks and routes of every service. */

import { type Contract, type ContractTypes, createContractServer } from '@contract-first/engine/server'
import { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config/config.ts'
import { requireScopes } from './credentials/scopes.ts'
import { type AppOptions, type ServiceDefinition, type StoreOrNone, securityMaker } from './definition.ts'
import { registerDocs } from './docs/register.ts'
import { type Connections, trackConnections } from './http/connections.ts'
import { allowOrigins, headersOf } from './http/cors.ts'
import { addHeaders, addRequestIdHeader, createRequestIds, securityHeaders } from './http/headers.ts'
import { isProbe, registerHealth, storeReadiness } from './http/health.ts'
import { byteLimits, limitOptions, limits } from './http/limits.ts'
import { shedLoad } from './http/load-shedding.ts'
import { clientOf, limitRate } from './http/rate-limit.ts'
import type { Observers } from './observability/metrics.ts'
import { errorResponseReporter, failureReporter, namesIn } from './observability/refusals.ts'
import { observeRequests } from './observability/request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections
  }
}

/**
 * Returns an application that does not listen yet.
 * @throws {BootError} when the contract and the code do not agree
 */
export async function buildService<Types extends ContractTypes, Store extends StoreOrNone>(
  definition: ServiceDefinition<Types, Store>,
  { config, store, authenticate, isAuthReady, log, metrics }: AppOptions<Store>
): Promise<FastifyInstance> {
  const { contract, errorBody } = definition
  const observers = { log, metrics }
  const app = await createContractServer<Types>({
    contract,
    handlers: await definition.handlers(store),
    security:
      securityMaker<Types>(definition.security)?.(requireScopes(authenticate, contract)) ??
      definition.security,
    errorBody,
    checkedAtBuild: definition.checkedAtBuild === true,
    ...(definition.handlerFile && { handlerFile: definition.handlerFile }),
    onFailure: failureReporter(observers, definition, namesIn(await contract.yaml())),
    onErrorResponse: errorResponseReporter(observers, definition),
    refuseCrossSite: definition.refuseCrossSite === true && { origins: ownOrigins(config) },
    basePath: config.basePath,
    ...byteLimits(config),
    fastify: {
      ...limitOptions(config),
      ...logOptions(log),
      genReqId: createRequestIds(),
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } }
    }
  })
  const connections = trackConnections(app.server)
  app.server.maxConnections = limits.maxConnections
  app.decorate('connections', connections)
  await addServiceHooks(app, { config, contract, observers })
  const { isDraining } = connections
  const isStoreReady = storeReadiness(store, log)
  registerHealth(app, config.basePath, { isDraining, problem: readiness(isStoreReady, isAuthReady), log })
  const { page } = securityHeaders(isHttps(config))
  registerDocs(app, { basePath: config.basePath, contract, headers: page })
  return app
}

/** Fastify loads its schema compilers at each start unless it is given others. No route of a service needs them. */
function noSchemas(): never {
  throw new Error('a route beside the contract has a schema, which a service does not compile')
}

/** Returns a probe; see `Readiness`. */
function readiness(
  isStoreReady: () => Promise<boolean>,
  isAuthReady = () => true
): () => Promise<string | undefined> {
  return async () => {
    if (!isAuthReady()) return 'tokens cannot be checked yet'
    return (await isStoreReady()) ? undefined : 'the store is unavailable'
  }
}

interface Surroundings {
  readonly config: Config
  readonly contract: Contract
  readonly observers: Observers
}

/** Service-level hooks, in this order: logging, request id, headers, CORS, load shedding, rate limit. */
async function addServiceHooks(
  app: FastifyInstance,
  { config, contract, observers }: Surroundings
): Promise<void> {
  observeRequests(app, observers, contract)
  addRequestIdHeader(app)
  addHeaders(app, securityHeaders(isHttps(config)).api)
  await allowOrigins(app, {
    origins: config.corsOrigins,
    methods: methodsOf(contract),
    ...headersOf(contract)
  })
  await shedLoad(app, isProbe)
  await limitRate(app, config.rateLimit, clientOf)
}

/** The origin of BASE_URL may differ from the Host that a proxy sends. */
const ownOrigins = ({ corsOrigins, baseUrl }: Config): readonly string[] =>
  baseUrl === undefined ? corsOrigins : [...corsOrigins, baseUrl.origin]

const isHttps = ({ baseUrl }: Config): boolean => baseUrl?.protocol === 'https:'

/** Methods of the contract, and those of the docs page. */
const methodsOf = ({ operations }: Contract): string[] => [
  ...new Set(['GET', 'HEAD', ...operations.map(({ method }) => method)])
]

/** Options that replace Fastify's two log lines for a request by one at its end (request-log.ts). */
const logOptions = (log: FastifyBaseLogger | undefined) => ({
  ...(log === undefined ? { logger: false } : { loggerInstance: log }),
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })
})
