/** Builds the application of a definition without starting it, for tests. */

import type { ContractTypes } from '@contract-first/engine/server'
import type { FastifyInstance } from 'fastify'
import { type Environment, readConfig } from './config/config.ts'
import { type AppOptions, type ServiceDefinition, type StoreOrNone, securityMaker } from './definition.ts'

interface Parts extends Partial<Omit<AppOptions<unknown>, 'store'>> {
  /** Environment to read the configuration from; used where `config` is absent. */
  readonly environment?: Environment
  /** Receives a sentence and the stack of what leads to a 500, which no answer tells; used where `log` is absent. */
  readonly onDefect?: (text: string) => unknown
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Path below which a service serves the contract, its docs and the health checks: `''` or `/api`. */
    readonly basePath: string
  }
}

/** Store option, which a definition with a store requires. */
type StorePart<Store> = [Store] extends [undefined] ? { readonly store?: Store } : { readonly store: Store }

/**
 * Returns the production application, without listening. Neither `start` nor `stop` runs. Accepts the tokens of AUTH_*,
 * and none without these variables, unless `authenticate` is given.
 * @throws {BootError} when the contract and the code do not agree
 * @throws {StartError} for a wrong variable of the environment, and for a token file that cannot be read
 */
export async function buildApp<Types extends ContractTypes, Store extends StoreOrNone>(
  definition: ServiceDefinition<Types, Store>,
  options: Parts & StorePart<Store>
): Promise<FastifyInstance> {
  const { environment = {}, onDefect, ...parts }: Parts = options
  const tokens = securityMaker(definition.security) !== undefined
  const { environment: own, contract } = definition
  const config = parts.config ?? readConfig(environment, { tokens, own, basePath: contract.basePath })
  const { buildService } = await import('./build.ts')
  const { openBearerAuth } = await import('./credentials/bearer.ts')
  const { defectLog, silentLog } = await import('./observability/log.ts')
  const log = parts.log ?? (onDefect ? defectLog(onDefect) : silentLog())
  using opening = new DisposableStack()
  const configured = parts.authenticate ? undefined : await openBearerAuth(config.auth, log)
  opening.defer(() => configured?.close())
  const app = await buildService(definition, {
    authenticate: () => undefined,
    ...(configured && { authenticate: configured.authenticate, isAuthReady: configured.isReady }),
    ...parts,
    log,
    store: options.store as Store,
    config
  })
  const opened = opening.move()
  return app.addHook('onClose', async () => opened.dispose())
}
