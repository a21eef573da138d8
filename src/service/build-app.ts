/** Builds the application of a definition without starting it, for tests. */

import type { ContractTypes } from '@contract-first/engine/server'
import type { FastifyInstance } from 'fastify'
import { type Config, readConfig } from './config/config.ts'
import type { Environment } from './config/read.ts'
import { type AppOptions, type ServiceDefinition, type StoreOrNone, securityMaker } from './definition.ts'
import { StartError } from './start-error.ts'

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

type TestedApp<Store> = Parts & StorePart<Store>

/**
 * Returns the production application, without listening. Accepts no token unless `authenticate` is given.
 * @throws {BootError} when the contract and the code do not agree
 * @throws {StartError} for a wrong variable of the environment
 */
export async function buildApp<Types extends ContractTypes, Store extends StoreOrNone>(
  definition: ServiceDefinition<Types, Store>,
  options: TestedApp<Store>
): Promise<FastifyInstance> {
  const { environment = {}, config, onDefect, ...parts }: Parts = options
  const { buildService } = await import('./build.ts')
  const { defectLog } = await import('./observability/log.ts')
  return buildService(definition, {
    authenticate: () => undefined,
    ...(onDefect && { log: defectLog(onDefect) }),
    ...parts,
    store: options.store as Store,
    config: config ?? configOf(environment, definition)
  })
}

function configOf<Types extends ContractTypes, Store extends StoreOrNone>(
  environment: Environment,
  { contract, security, environment: own }: ServiceDefinition<Types, Store>
): Config {
  const read = readConfig(environment, {
    tokens: securityMaker(security) !== undefined,
    own,
    basePath: contract.basePath
  })
  if ('problems' in read) throw new StartError(read.problems)
  return read.config
}
