/** Definition of a service around a contract: all parts that are not in src/service. */

import type { Contract, ContractTypes, InlineHandlers } from '@contract-first/engine/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config/config.ts'
import type { Authenticate, Identify } from './credentials/scopes.ts'
import type { Metrics, ObservedCommit } from './observability/metrics.ts'
import type { ErrorBodies } from './observability/refusals.ts'

/** Part of a store that every service needs. */
export interface ServiceStore {
  /** Number of writes that wait. */
  readonly depth: number
  /** Resolves to true when a write is likely to succeed. Never throws. */
  ready(): Promise<boolean>
  /** Completes the accepted writes, then releases files, threads and connections. */
  close(): Promise<void>
}

/** Place of the data, without a password. */
export interface StoreOrigin {
  readonly kind: string
  readonly location: string
  /** True if this start has created it. */
  readonly isNew: boolean
}

export interface StoreOptions {
  /** Called after each commit. */
  readonly onCommit: (commit: ObservedCommit) => void
  /** Called when the store is open. */
  readonly onOpen: (origin: StoreOrigin) => void
  /** Makes the folders of a new file. False in a deployment, where a missing folder is an unmounted volume. */
  readonly makesFolders: boolean
}

/** Store, or undefined for a service without one. */
export type StoreOrNone = ServiceStore | undefined

export interface ServiceDefinition<Types extends ContractTypes, Store extends StoreOrNone = undefined>
  extends ErrorBodies {
  /** Default export of generated/contract.ts. */
  readonly contract: Contract<Types>
  /** True when the build has compared generated code and contract; the boot then reads no file of the contract. */
  readonly checkedAtBuild?: boolean
  /** Makes a handler for every operation. */
  readonly handlers: (store: Store) => InlineHandlers<Types> | Promise<InlineHandlers<Types>>
  /** Returns the file of an operation's handler, which the log names when the handler breaks the contract. */
  readonly handlerFile?: (operationId: string) => string
  /**
   * Handler for every security scheme; or a function that makes them with `authenticate`, which accepts the tokens of
   * AUTH_*. A project with such a function needs `tokens: true` in its `runMain`.
   */
  readonly security: Types['security'] | SecurityMaker<Types>
  /** Opens the store that DATABASE_URL names: `''` in a project without that variable. Absent without a store. */
  readonly openStore?: (databaseUrl: string, options: StoreOptions) => Promise<NoInfer<Store>>
  /** Starts work beside the running service. It ends before the store is closed. */
  readonly background?: (store: Store, log: FastifyBaseLogger) => Promise<{ close(): Promise<void> }>
  /**
   * Refuses unsafe requests with 403 that a page of another origin makes with a cookie, Basic or a client certificate.
   * Pages of CORS_ORIGIN and of the origin of BASE_URL are accepted.
   */
  readonly refuseCrossSite?: boolean
  /** Prefix of the token that is made where no credentials are configured. */
  readonly tokenPrefix?: string
}

export type SecurityMaker<Types extends ContractTypes> = (authenticate: Authenticate) => Types['security']

/** Returns undefined for handlers that the project defines itself. */
export function securityMaker<Types extends ContractTypes>(
  security: Types['security'] | SecurityMaker<Types>
): SecurityMaker<Types> | undefined {
  return typeof security === 'function' ? (security as SecurityMaker<Types>) : undefined
}

/** Opened parts of an application. */
export interface AppOptions<Store> {
  readonly config: Config
  readonly store: Store
  /** Returns the principal of a bearer token; the service then checks its scopes. */
  readonly authenticate: Identify
  /** Returns false while no token of the issuer can be checked; absent without an issuer. */
  readonly isAuthReady?: () => boolean
  readonly log?: FastifyBaseLogger
  readonly metrics?: Metrics
}

/** Requires `openStore` where the handlers use a store. */
type OpenedStore<Store> = [Store] extends [undefined] ? unknown : { readonly openStore: unknown }

/** Returns the definition unchanged; exists for type inference. */
export const defineService = <Types extends ContractTypes, Store extends StoreOrNone = undefined>(
  definition: ServiceDefinition<Types, Store> & OpenedStore<Store>
): ServiceDefinition<Types, Store> => definition
