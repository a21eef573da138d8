/** The running service: everything is opened in order, and closed in the mirrored one. */
import { lookup } from 'node:dns/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { Commit } from '../store/group-commit.ts'
import { openStore } from '../store/open.ts'
import type { Config } from './config/config.ts'
import { type BearerAuth, openBearerAuth } from './credentials/bearer.ts'
import { newToken } from './credentials/tokens.ts'
import { StartError } from './lifecycle/start-error.ts'
import type { Metrics } from './observability/metrics.ts'
import { listenForMetrics, type MetricsListener } from './observability/metrics-listener.ts'

export interface Service {
  /** Where it is for its clients, without a slash at the end. */
  readonly url: string
  /** Made for this run, where no credentials are configured. */
  readonly token: string | undefined
  /** Reads the token file again; with any problem in it, nothing changes. */
  readonly reload: () => Promise<readonly string[]>
  /** Answers what was asked, stores what was promised, lets go of everything. */
  readonly drain: () => Promise<void>
  /** What `drain` is still waiting for. */
  readonly left: () => object
}

/** @throws {StartError | StoreOpenError | BootError} what a user can mend, in sentences */
export async function startService(config: Config, log: FastifyBaseLogger): Promise<Service> {
  const metrics = await metricsIfWanted(config)
  const token = isOpen(config) ? newToken() : undefined
  const auth = await openAuth(config, token, log)
  const store = await openStore(config.databaseUrl, { onCommit: commitTeller(log, metrics) })
  metrics?.watchQueue(() => store.depth)
  const app = await buildApp({
    config,
    store,
    authenticate: auth.authenticate,
    log,
    ...(metrics && { metrics })
  })
  await app.ready()
  await listening('HOST and PORT', listen(app, config))
  const metricsListener = await listenIfWanted(config, metrics, log)
  return {
    url: publicUrl(config, app.listeningOrigin),
    token,
    reload: auth.reload,
    drain: async () => {
      await app.connections.drain()
      await app.close()
      await store.close()
      await metricsListener?.close()
      auth.close()
    },
    left: () => ({ ...app.connections.left(), waiting: store.depth })
  }
}

/** What is not wanted is not loaded: a start is measured in tenths of a second. */
async function metricsIfWanted({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics } = await import('./observability/metrics.ts')
  return createMetrics()
}

const isOpen = ({ auth }: Config): boolean =>
  auth.tokens.length === 0 && auth.tokensFile === undefined && auth.jwks === undefined

async function openAuth(
  { auth }: Config,
  token: string | undefined,
  log: FastifyBaseLogger
): Promise<BearerAuth> {
  const tokens = token === undefined ? auth.tokens : [token]
  const opened = await openBearerAuth({ ...auth, tokens }, (error) => {
    log.warn({ err: error }, 'AUTH_JWKS_URL: the keys could not be fetched; the last ones go on counting')
  })
  if ('problems' in opened) throw new StartError(opened.problems)
  return opened.auth
}

const commitTeller = (log: FastifyBaseLogger, metrics: Metrics | undefined) => (commit: Commit) => {
  metrics?.commit(commit)
  if (commit.error !== undefined)
    log.error({ err: commit.error, creates: commit.size }, 'a batch could not be committed')
}

/** By address, for a name that has several would open listeners that nobody drains. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  const { address } = await lookup(host)
  await app.listen({ host: address, port })
}

async function listenIfWanted(
  { metricsPort }: Config,
  metrics: Metrics | undefined,
  log: FastifyBaseLogger
): Promise<MetricsListener | undefined> {
  if (metrics === undefined || metricsPort === undefined) return undefined
  const listener = await listening('METRICS_PORT', listenForMetrics(metrics.registry, metricsPort))
  log.info({ url: listener.url }, 'metrics')
  return listener
}

/** What a user can do about it. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there: stop it, or set another port',
  EADDRNOTAVAIL: 'this machine does not have that address: set one that it has, such as 127.0.0.1',
  EACCES: 'this user may not listen there: set a port above 1023',
  ENOTFOUND: 'nobody knows that name: set an address, such as 127.0.0.1'
}

/** A port that is taken, a name that does not resolve, an address of another machine: all else has been got ready before. */
async function listening<T>(variables: string, started: Promise<T>): Promise<T> {
  return started.catch((error: NodeJS.ErrnoException) => {
    const sentences = [`${variables}: ${error.message}`, remedies[String(error.code)]]
    throw new StartError([sentences.filter((sentence) => sentence !== undefined).join('; ')])
  })
}

function publicUrl({ baseUrl, basePath }: Config, listeningOrigin: string): string {
  return `${baseUrl?.origin ?? listeningOrigin}${basePath}`
}
