/** The composition root: a pure factory, so that tests run what production runs. */
import { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import contract from '../generated/contract.ts'
import { type Contract, createContractServer } from './contract/server.ts'
import { errorBody } from './plants/failures.ts'
import { createHandlers } from './plants/handlers.ts'
import { Plants } from './plants/plant.ts'
import type { Config } from './service/config/config.ts'
import type { Principal } from './service/credentials/principal.ts'
import { registerDocs } from './service/docs/register.ts'
import { type Connections, trackConnections } from './service/http/connections.ts'
import { allowOrigins } from './service/http/cors.ts'
import { addHeaders, securityHeaders } from './service/http/headers.ts'
import { registerHealth } from './service/http/health.ts'
import { limitOptions, limits } from './service/http/limits.ts'
import { shedLoad } from './service/http/load-shedding.ts'
import { limitRate } from './service/http/rate-limit.ts'
import { requestId, tellRequestId } from './service/http/request-id.ts'
import type { Metrics } from './service/observability/metrics.ts'
import {
  countRefusals,
  failureTeller,
  type Observers,
  observeRequests,
  principalOf
} from './service/observability/request-log.ts'
import type { Store } from './store/store.ts'

export interface AppOptions {
  readonly config: Config
  readonly store: Store
  /** The principal of a bearer token, or undefined. */
  readonly authenticate: (token: string) => Principal | undefined | Promise<Principal | undefined>
  readonly log?: FastifyBaseLogger
  readonly metrics?: Metrics
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections
  }
}

/** Builds the service; it does not listen yet. @throws {BootError} when the contract and the code do not agree */
export async function buildApp({
  config,
  store,
  authenticate,
  log,
  metrics
}: AppOptions): Promise<FastifyInstance> {
  const observers = { log, metrics }
  const handlers = createHandlers({ store, plants: await Plants.load() })
  const app = await createContractServer({
    contract,
    handlers: countRefusals(handlers, observers),
    security: { bearerAuth: authenticate },
    errorBody,
    onFailure: failureTeller(observers),
    basePath: config.basePath,
    fastify: { ...limitOptions(config), ...logOptions(log), genReqId: requestId }
  })
  app.server.maxConnections = limits.connections
  const connections = trackConnections(app.server)
  app.decorate('connections', connections)
  await surround(app, config, observers)
  registerHealth(app, config.basePath, {
    ready: async () => !connections.isDraining() && (await store.ready())
  })
  await registerDocs(app, {
    basePath: config.basePath,
    contract,
    headers: securityHeaders(isHttps(config)).page
  })
  return app
}

/** What every request meets around the contract, in this order: told of, identified, allowed, taken on, counted. */
async function surround(app: FastifyInstance, config: Config, observers: Observers): Promise<void> {
  observeRequests(app, observers)
  tellRequestId(app)
  addHeaders(app, securityHeaders(isHttps(config)).api)
  await allowOrigins(app, { origins: config.corsOrigins, methods: ['GET', 'HEAD', ...methodsOf(contract)] })
  // A path that nothing is at has no route.
  await shedLoad(app, ({ routeOptions }) => String(routeOptions.url).startsWith(`${config.basePath}/-/`))
  await limitRate(app, config.rateLimit, principalOf)
}

const isHttps = ({ baseUrl }: Config): boolean => baseUrl?.protocol === 'https:'

const methodsOf = ({ operations }: Contract): string[] => [...new Set(operations.map(({ method }) => method))]

/** One line a request, written when it is over (observe.ts), in place of Fastify's two. */
const logOptions = (log: FastifyBaseLogger | undefined) => ({
  ...(log === undefined ? { logger: false } : { loggerInstance: log }),
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })
})
