/** Runs a service: opens its parts in order, and closes them in reverse order, also when a later one fails to open. */

import { hash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { resultOf } from '@contract-first/engine/errors'
import type { Contract } from '@contract-first/engine/server'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config/config.ts'
import { explained, listening, StartError } from './config/start-error.ts'
import { type BearerAuth, type Changes, openBearerAuth } from './credentials/bearer.ts'
import { requiredScopes } from './credentials/scopes.ts'
import { digestOf, newToken } from './credentials/tokens.ts'
import {
  type AnyService,
  type ServiceStore,
  type Setting,
  type StoreOrigin,
  type StoreOrNone,
  type StoreSetting,
  securityMaker
} from './definition.ts'
import { byteLimits, limits } from './http/limits.ts'
import type { Metrics } from './observability/metrics.ts'

export interface Service extends Controls {
  /** URL for clients, without a slash at the end. */
  readonly url: string
  /** Token made for this run, if no credentials are configured. */
  readonly token: string | undefined
  /** Summary of the start for the log. */
  readonly summary: object
}

/** Controls of a service for the signals of its process. */
export interface Controls {
  /**
   * Reads the token file again.
   * @throws {StartError} for a file with problems: the former tokens stay
   */
  readonly reload: () => Promise<Changes>
  /** Responds to the accepted requests, ends the background work, completes the accepted writes, closes everything. */
  readonly drain: () => Promise<void>
  /** Returns the numbers of requests, connections and writes that `drain` waits for. */
  readonly left: () => object
}

/**
 * @param onStarting called when everything is open, before `start` runs: from then on, `drain` ends the service
 * @throws {StartError | BootError} or an error of `openStore`; after a `drain` before the service listens, a StartError
 */
export async function startService(
  definition: AnyService,
  config: Config,
  log: FastifyBaseLogger,
  onStarting: (controls: Controls) => void = () => undefined
): Promise<Service> {
  checkTokens(definition, config)
  await using opening = new AsyncDisposableStack()
  const closed = Promise.withResolvers<void>()
  opening.defer(closed.resolve)
  const token = isOpen(config) ? newToken(definition.tokenPrefix) : undefined
  const scopes = requiredScopes(definition.contract)
  const made = token === undefined ? undefined : { digest: digestOf(token), scopes }
  const auth = opening.adopt(await openBearerAuth(config.auth, log, made), ({ close }) => close())
  const warn = () => warnOfTokens(auth, config, scopes, log)
  warn()
  const metrics = await openMetrics(config, log, opening)
  const openingStore = openStore(definition, { config, log }, metrics)
  // While the store opens, this thread loads Fastify.
  const building = loadBuild()
  building.catch(() => undefined)
  const { store, origin } = await openingStore
  if (store !== undefined) opening.defer(() => store.close())
  const { authenticate, isReady: isAuthReady } = auth
  const parts = { config, store, authenticate, isAuthReady, log, ...(metrics && { metrics }) }
  const { buildService } = await building
  const app = opening.adopt(await buildService(definition, parts), (built) => built.close())
  await explained(async () => app.ready())
  const ending = new AbortController()
  let opened: AsyncDisposableStack | undefined
  const controls: Controls = {
    reload: serialized(async () => {
      const changes = await auth.reload()
      warn()
      return changes
    }),
    drain: async () => {
      if (opened === undefined) ending.abort()
      else {
        await app.connections.drain()
        await opened.disposeAsync()
      }
      await closed.promise
    },
    left: () => ({
      ...app.connections.left(),
      ...(store !== undefined && hasQueue(store) && { waiting: depthOf(store, log) })
    })
  }
  onStarting(controls)
  const work = startWork(definition, { config, store, log, metrics: metrics?.registry }, ending)
  opening.defer(work.end)
  await work.started
  refuseEnded(ending)
  await listening('HOST and PORT', listen(app, config))
  refuseEnded(ending)
  if (origin?.isNew) log.warn({ store: origin }, 'made a new, empty store')
  opened = opening.move()
  return {
    ...controls,
    url: publicUrl(config, app.listeningOrigin),
    token,
    summary: summaryOf(definition.contract, config, auth, origin)
  }
}

function refuseEnded({ signal }: AbortController): void {
  if (signal.aborted) throw new StartError(['the service was ended before it listened'])
}

/** Imports in a function, because tsc keeps the extension of an import beside `await using` for older targets. */
const loadBuild = () => import('./build.ts')

/** Requires a decision where `authenticate` may be used; without AUTH_* the service would refuse every token. */
function checkTokens({ security }: AnyService, { usesTokens }: Config): void {
  if (usesTokens === undefined && securityMaker(security) !== undefined)
    throw new StartError([
      'security is a function: give runMain "tokens: true" if it uses authenticate, otherwise "tokens: false"'
    ])
}

const isOpen = ({ auth, usesTokens }: Config): boolean =>
  usesTokens === true && auth.tokens.length === 0 && auth.tokensFile === undefined && auth.jwks === undefined

/** @param scopes that the contract requires */
function warnOfTokens(
  auth: BearerAuth,
  config: Config,
  scopes: readonly string[],
  log: FastifyBaseLogger
): void {
  if (config.production) for (const warning of auth.warnings()) log.warn(warning)
  const uncarried = config.usesTokens ? auth.uncarried(scopes) : []
  if (uncarried.length > 0)
    log.warn(
      `no configured token carries these scopes of the contract: ${uncarried.join(', ')}; operations that require them answer 403: write the scopes behind a token in the file of AUTH_TOKENS_FILE`
    )
}

/** Runs a task after its previous run, because concurrent reads of a file could end in the wrong order. */
function serialized<T>(task: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(task, task)
    last = next
    return next
  }
}

/** Loads the metrics only where they are configured, because prom-client delays the start. */
async function openMetrics(
  { metricsPort, metricsHost }: Config,
  log: FastifyBaseLogger,
  opening: AsyncDisposableStack
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics, listenForMetrics } = await import('./observability/metrics.ts')
  const metrics = createMetrics()
  const started = listenForMetrics(metrics.registry, metricsPort, metricsHost)
  const { url, close } = await listening('METRICS_PORT', started)
  opening.defer(close)
  log.info({ url }, 'metrics')
  return metrics
}

/** Resolves HOST first: for a name with several addresses Fastify opens further servers, which drain() would miss. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  const { address } = await lookup(host)
  await app.listen({ host: address, port })
}

function publicUrl({ baseUrl, basePath }: Config, listeningOrigin: string): string {
  // Clients cannot connect to the wildcard address.
  const reachable = listeningOrigin.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost')
  return `${baseUrl?.origin ?? reachable}${basePath}`
}

/** @throws {unknown} the errors of the definition's `openStore` */
async function openStore(
  definition: AnyService,
  { config, log }: Setting,
  metrics: Metrics | undefined
): Promise<{ readonly store: StoreOrNone; readonly origin?: StoreOrigin | undefined }> {
  if (definition.openStore === undefined) return { store: undefined }
  const observed = metrics?.watchStore()
  let origin: StoreOrigin | undefined
  const store = await definition.openStore(config.databaseUrl, {
    config,
    log,
    metrics: metrics?.registry,
    onCommit: (commit) => {
      observed?.commit(commit)
      if (commit.error !== undefined)
        log.error({ err: commit.error, creates: commit.size }, 'a batch could not be committed')
    },
    makesFolders: !config.production,
    onOpen: (found) => (origin = found)
  })
  if (store !== undefined && hasQueue(store)) observed?.watchQueue(() => depthOf(store, log))
  if (store?.wal !== undefined) observed?.watchWal(store.wal.bytes, store.wal.checkpoints)
  return { store, origin }
}

/** Returns true for a store that has a number of writes that wait, own or inherited. */
export const hasQueue = (store: ServiceStore): boolean => 'depth' in store

/** Returns the number of writes that wait; NaN, after a line in the log, where the store gives no number. */
export function depthOf(store: ServiceStore, log: FastifyBaseLogger): number {
  const accepts = (value: unknown) => typeof value === 'number'
  return resultOf('store.depth', log, { call: () => store.depth, accepts }) ?? Number.NaN
}

/**
 * Starts the background work of a service: `start` and `stop` of its definition.
 * @param ending tells `start` that the work has to end
 * @returns a promise that rejects with a StartError for an error of `start`, which the log has with its stack; and a
 * function that aborts the signal, waits for `start`, then for `stop`, at most SHUTDOWN_TIMEOUT, and logs its error
 */
function startWork(
  definition: AnyService,
  setting: StoreSetting<StoreOrNone>,
  ending: AbortController
): { readonly started: Promise<void>; readonly end: () => Promise<void> } {
  const { log, config } = setting
  const { signal } = ending
  const begun = Promise.try(() => definition.start?.({ ...setting, signal }))
  const started = begun.then(
    () => undefined,
    (error: unknown) => {
      if (!signal.aborted) log.fatal({ err: error }, 'start failed')
      if (error instanceof StartError) throw error
      throw new StartError([`start: ${error instanceof Error ? error.message : String(error)}`])
    }
  )

  async function end(): Promise<void> {
    ending.abort()
    // What start did not complete has nothing to stop.
    const stopped = begun.then(
      (value) => definition.stop?.(value),
      () => undefined
    )
    const timer = new AbortController()
    const { shutdownTimeout } = config
    const tooLong = sleep(shutdownTimeout, undefined, timer).then(() => {
      throw new Error(`SHUTDOWN_TIMEOUT of ${shutdownTimeout} ms`)
    })
    await Promise.race([stopped, tooLong])
      .catch((error: unknown) => log.error({ err: error }, 'stop failed'))
      .finally(() => timer.abort())
  }

  return { started, end }
}

/** Returns the fields of the log line of a start: contract, store, credentials and limits, without secrets. */
export function summaryOf(
  { title, version, sources }: Contract,
  config: Config,
  auth: BearerAuth,
  origin: StoreOrigin | undefined
): object {
  const { bodyLimit, requestTimeout, shutdownTimeout, rateLimit = 'off' } = config
  const configured = { bodyLimit, requestTimeout, shutdownTimeout, rateLimit }
  const { tokens, tokensFile: file, jwks } = config.auth
  const credentials = { tokens: auth.count(), fromEnvironment: tokens.length, file, issuer: jwks?.issuer }
  return {
    contract: { title, version, sha256: sourceDigest(sources) },
    store: origin,
    credentials: config.usesTokens ? credentials : undefined,
    limits: { ...configured, ...limits, ...byteLimits(config) },
    production: config.production
  }
}

/** Returns the digest of one file as `sha256sum` prints it; for several files, the digest of their digests. */
function sourceDigest(sources: Contract['sources']): string {
  const [only, ...others] = sources.map(({ sha256 }) => sha256)
  if (only !== undefined && others.length === 0) return only
  return hash('sha256', [only, ...others].join())
}
