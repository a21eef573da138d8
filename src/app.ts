/** The composition root: a pure factory, so that tests run what production runs. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import contract from '../generated/contract.ts'
import type { Config } from './config.ts'
import { createContractServer } from './contract/server.ts'
import { registerDocs } from './docs.ts'
import { registerHealth } from './health.ts'
import { createPlant } from './plants/create-plant.ts'
import { errorBody } from './plants/failures.ts'
import { loadPlants } from './plants/plant.ts'
import type { Store } from './store/store.ts'

export interface AppOptions {
  readonly config: Config
  readonly store: Store
  /** The principal of a bearer token, or undefined. */
  readonly authenticate: (token: string) => unknown
  readonly logger?: FastifyServerOptions['logger']
}

/** Builds the service; it does not listen yet. @throws {BootError} when the contract and the code do not agree */
export async function buildApp({
  config,
  store,
  authenticate,
  logger = false
}: AppOptions): Promise<FastifyInstance> {
  const { basePath } = config
  const app = await createContractServer({
    contract,
    handlers: { createPlant: createPlant(store, await loadPlants()) },
    security: { bearerAuth: authenticate },
    errorBody,
    basePath,
    fastify: {
      logger,
      bodyLimit: config.bodyLimit,
      requestTimeout: config.requestTimeout,
      trustProxy: config.trustProxy as string[]
    }
  })
  registerHealth(app, basePath, { ready: () => store.ready() })
  await registerDocs(app, basePath, contract)
  return app
}
