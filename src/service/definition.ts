/** Definition of a service around a contract: all parts that are not in src/service. */

import type {
  Contract,
  ContractRoutesOptions,
  ContractTypes,
  InlineAround,
  InlineErrorResponse,
  InlineHandlers,
  InlineSecurity
} from '@contract-first/engine/server'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from './config/config.ts'
import type { OwnVariables, Values } from './config/variables.ts'
import type { Authenticate, Identify } from './credentials/scopes.ts'
import type { Metrics, ObservedCommit } from './observability/metrics.ts'
import type { ErrorBodies } from './observability/request-log.ts'

/** Parts of a store that a service uses: a `DatabaseSync` of node:sqlite is one. */
export interface ServiceStore {
  /** Number of writes that wait, for logs and metrics. Absent in a store without a queue. */
  readonly depth?: number
  /** Size and checkpoints of a write-ahead log, for metrics. Absent in a store without one. */
  readonly wal?: { readonly bytes: () => number; readonly checkpoints: () => number } | undefined
  /** Returns true when a write is likely to succeed; `/-/ready` asks it. Absent where an open store is ready. */
  ready?(): boolean | Promise<boolean>
  /** Completes the accepted writes, then releases files, threads and connections. */
  close(): void | Promise<void>
}

/** Place of the data, without a password. */
export interface StoreOrigin {
  readonly kind: string
  readonly location: string
  /** True if this start has created it. */
  readonly isNew: boolean
}

export interface Setting<Own extends Values = Values> {
  readonly config: Config<Own>
  readonly log: FastifyBaseLogger
  /** Registry of prom-client, which METRICS_PORT serves; undefined without METRICS_PORT. Takes further metrics. */
  readonly metrics?: Registry | undefined
}

export interface StoreSetting<Store, Own extends Values = Values> extends Setting<Own> {
  readonly store: Store
}

export interface StartSetting<Store, Own extends Values = Values> extends StoreSetting<Store, Own> {
  /** Aborted when the work has to end: after the last response, or by a signal to the process during `start`. */
  readonly signal: AbortSignal
}

export interface StoreOptions<Own extends Values = Values> extends Setting<Own> {
  readonly onCommit: (commit: ObservedCommit) => void
  readonly onOpen: (origin: StoreOrigin) => void
  /** Makes the folders of a new file. False in a deployment, where a missing folder is an unmounted volume. */
  readonly makesFolders: boolean
}

export type StoreOrNone = ServiceStore | undefined

/**
 * Functions that take a setting are methods, so that TypeScript accepts those of a service with variables of its own as
 * those of any service.
 */
interface ServiceParts<Types extends ContractTypes, Store extends StoreOrNone, Own extends Values, Started>
  extends ErrorBodies {
  /** Default export of generated/contract.ts. */
  readonly contract: Contract<Types>
  /** True when the build has compared generated code and contract; the boot then reads no file of the contract. */
  readonly checkedAtBuild?: boolean
  /** Variables of the environment, beside those of every service; their values are `config.own`. */
  readonly environment?: OwnVariables<Own>
  /** Returns the file of an operation's handler, which the log names when the handler breaks the contract. */
  readonly handlerFile?: (operationId: string) => string
  /** Opens the store that DATABASE_URL names: `''` in a project without that variable. Absent without a store. */
  openStore?(databaseUrl: string, options: StoreOptions<Own>): Promise<Store>
  /**
   * Adds plugins, hooks, decorators, and routes beside those of the contract, below the path of BASE_URL. Called once:
   * after the hooks of the service (log, request id, headers, CORS, load shedding, rate limit), which apply to these
   * routes and run first; before the routes of the contract, the docs and the health checks, to which its hooks apply.
   * They run before authentication. Hooks for preClose run when the drain begins; those for onClose after the last
   * request and before the store is closed.
   */
  extend?(app: FastifyInstance, setting: StoreSetting<Store, Own>): unknown
  /**
   * Returns true for a request of somebody who may see, in the docs page and the documents of the contract, the operations
   * and parts that are `x-internal: true`. Nobody may without it.
   */
  maySeeInternal?(request: FastifyRequest): boolean | Promise<boolean>
  /**
   * Starts work beside the requests, before the service listens, which waits for it. An error refuses the start.
   * @returns what `stop` gets
   */
  start?(setting: StartSetting<Store, Own>): Started | Promise<Started>
  /**
   * Ends that work, after the last response and before the store is closed, which waits for it, at most
   * SHUTDOWN_TIMEOUT. Called once if `start` has succeeded, also when the service could not listen.
   */
  stop?(started: Started): unknown
  /**
   * Refuses unsafe requests with 403 that a page of another origin makes with a cookie, Basic or a client certificate.
   * Pages of CORS_ORIGIN and of the origin of BASE_URL are accepted.
   */
  readonly refuseCrossSite?: boolean
  /** Milliseconds of silence before a heartbeat in a stream; see `heartbeat` of the engine. */
  readonly heartbeat?: number
  /** Prefix of the token that is made where no credentials are configured. */
  readonly tokenPrefix?: string
}

/**
 * Options of `defineService`. `security` stands before `handlers`, because TypeScript infers in this order: the
 * principals of inline handlers are what the security handlers return.
 */
export interface ServiceOptions<
  Types extends ContractTypes,
  Security = Types['security'],
  Store extends StoreOrNone = undefined,
  Own extends Values = Values,
  Started = unknown
> extends ServiceParts<Types, Store, Own, Started> {
  /**
   * Handler for every security scheme; or a function that makes them with `authenticate`, which accepts the tokens of
   * AUTH_*. A project with such a function needs `tokens: true` in its `runMain`, or `tokens: false` where it does not
   * use `authenticate` but the store, for instance.
   */
  readonly security:
    | InlineSecurity<Types, Security>
    | SecurityMaker<InlineSecurity<Types, Security>, Store, Own>
  /** Makes a handler for every operation. */
  handlers(
    store: Store,
    setting: Setting<Own>
  ): InlineHandlers<Types, Security> | Promise<InlineHandlers<Types, Security>>
  /** Returns the response to what a handler threw; see `errorResponse` of the engine. */
  readonly errorResponse?: InlineErrorResponse<Types, Security>
  /** Wraps every handler: `(request, handle, { store }) => store.transaction(handle)`; see `around` of the engine. */
  readonly around?: InlineAround<Types, Security, [StoreSetting<NoInfer<Store>, NoInfer<Own>>]>
}

export type SecurityMaker<Security = object, Store = unknown, Own extends Values = Values> = (
  authenticate: Authenticate,
  setting: StoreSetting<Store, Own>
) => Security

/** Definition of a service. Its handlers fit its contract and its security handlers. */
export interface ServiceDefinition<
  Types extends ContractTypes,
  Store extends StoreOrNone = undefined,
  Own extends Values = Values
> extends ServiceParts<Types, Store, Own, unknown> {
  readonly security: object
  handlers(store: Store, setting: Setting<Own>): object
  readonly errorResponse?: object
  readonly around?: object
}

/** Definition of a service with any contract and any store. */
export type AnyService = ServiceDefinition<ContractTypes, StoreOrNone>

/** Returns undefined for handlers that the project defines itself. */
export function securityMaker(security: object): SecurityMaker<object> | undefined {
  return typeof security === 'function' ? (security as SecurityMaker<object>) : undefined
}

export interface AppOptions<Store> {
  readonly config: Config
  readonly store: Store
  /** Returns the principal of a bearer token; the service then checks its scopes. */
  readonly authenticate: Identify
  /** Returns false while no token of the issuer can be checked; absent without an issuer. */
  readonly isAuthReady?: () => boolean
  readonly log?: FastifyBaseLogger
  readonly metrics?: Metrics
  /** Counts what the requests see of the contract: `contractCoverage` of `@contract-first/engine/coverage`. */
  readonly coverage?: NonNullable<ContractRoutesOptions<ContractTypes>['coverage']>
}

/** Requires `openStore` where the handlers use a store. */
type OpenedStore<Store> = [Store] extends [undefined] ? unknown : { readonly openStore: unknown }

type NoValues = Readonly<Record<never, unknown>>

/** Returns the definition unchanged, after its handlers were compared with its contract and its security handlers. */
export const defineService = <
  Types extends ContractTypes,
  Security,
  Store extends StoreOrNone = undefined,
  Own extends Values = NoValues,
  Started = unknown
>(
  definition: ServiceOptions<Types, Security, Store, Own, Started> & OpenedStore<Store>
): ServiceDefinition<Types, Store> => definition
