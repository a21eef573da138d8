/** Builds the application: the contract, with the hooks and routes of every service. */
import {
  type Contract,
  type ContractTypes,
  createContractServer,
  drainRequests,
  type InlineHandlers,
  type InlineSecurity,
  literalRoute
} from '@contract-first/engine/server'
import { openTracing } from '@contract-first/engine/tracing'
import { type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config/config.ts'
import { explained, StartError } from './config/start-error.ts'
import { requireScopes } from './credentials/scopes.ts'
import {
  type AppOptions,
  type ServiceDefinition,
  type ServiceOptions,
  type StoreOrNone,
  securityMaker
} from './definition.ts'
import { docsPaths, registerDocs } from './docs/register.ts'
import { type Connections, collectPreClose, trackConnections } from './http/connections.ts'
import { allowOrigins, createRequestIds, securityHeaders, withHeaders } from './http/headers.ts'
import { healthPaths, isProbe, registerHealth, storeReadiness } from './http/health.ts'
import { byteLimits, limitOptions, limits } from './http/limits.ts'
import { clientOf, limitRate, shedLoad } from './http/load.ts'
import {
  addRoutesBeside,
  declareOwnValidators,
  lazyCompilers,
  type RouteBeside
} from './http/routes-beside.ts'
import { silentLog } from './observability/log.ts'
import type { Observers } from './observability/metrics.ts'
import {
  errorResponseReporter,
  failureReporter,
  namesIn,
  observed,
  onEachRequest
} from './observability/request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections
  }
}

/** Longest time in ms that a shutdown waits for the next item of a stream, and then for its client to read the end. */
const maxStreamTimeout = 2_000

/** Returns a function that ends the streams of the contract and, by their hooks, those beside it. */
function drainer(app: FastifyInstance, { shutdownTimeout }: Config): () => Promise<unknown> {
  const runPreClose = collectPreClose(app)
  const timeout = Math.min(maxStreamTimeout, shutdownTimeout / 4)
  return () => Promise.all([drainRequests(app, timeout), runPreClose()])
}

/**
 * Returns an application that does not listen yet.
 * @throws {BootError} when the contract and the code do not agree
 */
export async function buildService<Types extends ContractTypes, Store extends StoreOrNone>(
  definition: ServiceDefinition<Types, Store>,
  { config, store, authenticate, isAuthReady, log = silentLog(), metrics, coverage }: AppOptions<Store>
): Promise<FastifyInstance> {
  const { contract, errorBody } = definition
  // Types that defineService has compared.
  const { errorResponse, around } = definition as ServiceOptions<Types, Types['security'], Store>
  const observers = { log, metrics, tracing: await openTracing() }
  const setting = { config, log, store, metrics: metrics?.registry }
  const { load, compilersFactory } = lazyCompilers()
  await using opening = new AsyncDisposableStack()
  const security =
    securityMaker(definition.security)?.(requireScopes(authenticate, contract), setting) ??
    definition.security
  const app: FastifyInstance = await createContractServer<Types, Types['security']>({
    contract,
    security: security as InlineSecurity<Types, Types['security']>,
    handlers: (await definition.handlers(store, setting)) as InlineHandlers<Types>,
    errorBody,
    checkedAtBuild: definition.checkedAtBuild === true,
    ...(coverage && { coverage }),
    ...(errorResponse && { errorResponse }),
    ...(around && { around: (request, handle) => around(request, handle, setting) }),
    ...(definition.handlerFile && { handlerFile: definition.handlerFile }),
    onFailure: failureReporter(observers, definition, namesIn(await contract.yaml()), (peer) =>
      app.connections.isResponding(peer)
    ),
    onErrorResponse: errorResponseReporter(observers, definition),
    refuseCrossSite: definition.refuseCrossSite === true && { origins: ownOrigins(config) },
    basePath: config.basePath,
    extend: async (opened) => {
      opening.adopt(opened, () => opened.close())
      opened.decorate('connections', trackConnections(opened.server, drainer(opened, config)))
      opened.decorate('basePath', config.basePath)
      declareOwnValidators(opened)
      await addServiceHooks(opened, config, contract, observers)
      const base = literalRoute(config.basePath)
      const routes = await addRoutesBeside(opened, base, () =>
        explained(async () => {
          await definition.extend?.(opened, setting)
          await opened.after()
        })
      )
      refuseCollisions(routes, contract, base)
      if (routes.some(({ hasSchema }) => hasSchema)) await load()
    },
    ...byteLimits(config),
    ...(definition.heartbeat !== undefined && { heartbeat: definition.heartbeat }),
    fastify: {
      ...limitOptions(config),
      loggerInstance: log,
      // Replaces Fastify's two log lines for a request by one at its end (request-log.ts).
      logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
      genReqId: createRequestIds(),
      schemaController: { compilersFactory }
    }
  })
  app.server.maxConnections = limits.maxConnections
  const { isDraining } = app.connections
  const isStoreReady = storeReadiness(store, log)
  const problem = async () => {
    if (isAuthReady?.() === false) return 'tokens cannot be checked yet'
    return (await isStoreReady()) ? undefined : 'the store is unavailable'
  }
  registerHealth(app, config.basePath, { isDraining, problem, log })
  const { page } = securityHeaders(isHttps(config))
  const { maySeeInternal } = definition
  registerDocs(app, { basePath: config.basePath, contract, headers: page, maySeeInternal })
  opening.move()
  return app
}

/** Service-level hooks, in this order: logging, request id, headers, CORS, load shedding, rate limit. */
async function addServiceHooks(
  app: FastifyInstance,
  config: Config,
  contract: Contract,
  observers: Observers
): Promise<void> {
  onEachRequest(app, observed(observers, contract), withHeaders(securityHeaders(isHttps(config)).api))
  await allowOrigins(app, config.corsOrigins, contract)
  await shedLoad(app, isProbe)
  await limitRate(app, config.rateLimit, clientOf)
}

/** The origin of BASE_URL may differ from the Host that a proxy sends. */
const ownOrigins = ({ corsOrigins, baseUrl }: Config): readonly string[] =>
  baseUrl === undefined ? corsOrigins : [...corsOrigins, baseUrl.origin]

const isHttps = ({ baseUrl }: Config): boolean => baseUrl?.protocol === 'https:'

/**
 * Refuses routes that the contract or every service has.
 * @param base base path, in the syntax of Fastify's router
 * @throws {StartError} that names each of them
 */
function refuseCollisions(
  routes: readonly RouteBeside[],
  { operations }: Pick<Contract, 'operations'>,
  base: string
): void {
  const owners = new Map<string, string>()
  const own = (method: string, url: string, owner: string) => {
    owners.set(keyOf(method, url), owner)
    // Fastify adds HEAD to a route of GET.
    if (method === 'GET') owners.set(keyOf('HEAD', url), owner)
  }
  for (const path of [...docsPaths(base), ...healthPaths(base)]) own('GET', path, 'a route of every service')
  for (const { operationId, method, path, url } of operations)
    own(method, base + url, `the operation ${operationId} of the contract (${method} ${path})`)
  const colliding = routes.filter(({ method, url }) => owners.has(keyOf(method, url)))
  const isHeadOfGet = ({ method, url }: RouteBeside) =>
    method === 'HEAD' && colliding.some((route) => route.method === 'GET' && route.url === url)
  const problems = colliding
    .filter((route) => !isHeadOfGet(route))
    .map(({ method, url }) => {
      const owner = owners.get(keyOf(method, url))
      return `extend adds ${method} ${url}, which is ${owner}: remove it, or give it another path`
    })
  if (problems.length > 0) throw new StartError(problems)
}

/** Parameter of a route with its pattern and its mark of an optional one, or an escaped colon. */
const parameter = /::|:\w+(?:\((?:[^()\\]|\\.|\([^()]*\))*\))?\??/g

/** Returns the same text for routes that differ in the names or patterns of their parameters, or in constraints. */
const keyOf = (method: string, url: string): string =>
  `${method} ${url.replaceAll(parameter, (text) => (text === '::' ? text : ':'))}`
