/** The composition root: a pure factory, so that tests run what production runs. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import contract from '../generated/contract.ts'
import type { Config } from './config.ts'
import { type Contract, createContractServer } from './contract/server.ts'
import { registerDocs } from './docs.ts'
import { registerHealth } from './health.ts'
import { securityHeaders } from './http/headers.ts'
import { createPlant } from './plants/create-plant.ts'
import { errorBody } from './plants/failures.ts'
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
    handlers: { createPlant: createPlant(store, await documentSerializer()) },
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
  registerHealth(app, basePath, store)
  const { page } = securityHeaders(config.baseUrl?.protocol === 'https:')
  await registerDocs(app, { basePath, contract, headers: page([]) })
  return app
}

/** The contract's own serializer of a plant makes the stored document, so that equal plants have equal texts. */
async function documentSerializer(): Promise<(plant: unknown) => string> {
  const { serializers } = await contract.load()
  const operation = (contract as Contract).operations.find(({ operationId }) => operationId === 'createPlant')
  const name = operation?.responses['200']?.content[0]?.serialize ?? ''
  return serializers[name]
}
