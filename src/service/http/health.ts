/** Health checks. `/-/live`: the process responds. `/-/ready`: the next request will probably succeed. */

import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '@contract-first/engine/errors'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { StoreOrNone } from '../definition.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a health check, which is never refused because of load, and logged at debug only. */
    readonly isProbe?: boolean
  }
}

interface Readiness {
  readonly isDraining: () => boolean
  /** Returns the reason why the next request would fail, as a sentence for clients; undefined if it would succeed. */
  readonly problem: () => Promise<string | undefined>
  readonly log: FastifyBaseLogger
}

const config = { isProbe: true }

export const healthPaths = (base: string): readonly string[] => [`${base}/-/live`, `${base}/-/ready`]

export function registerHealth(app: FastifyInstance, basePath: string, readiness: Readiness): void {
  const problemNow = reportingChanges(readiness)
  const probe = (url: string, respond: () => Promise<{ readonly status: string }>) => {
    // An operation of the contract at this path takes precedence.
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, { config }, respond)
  }
  probe(`${basePath}/-/live`, async () => ({ status: 'live' }))
  probe(`${basePath}/-/ready`, async () => {
    const problem = readiness.isDraining() ? 'the service is shutting down' : await problemNow()
    if (problem === undefined) return { status: 'ready' }
    throw new FailureError('unavailable', { message: problem, headers: { 'retry-after': '1' } })
  })
}

export const isProbe = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isProbe === true

/** Logs the beginning and the end of a problem only, because probes repeat it every few seconds. */
function reportingChanges({ problem, log }: Readiness): Readiness['problem'] {
  let last: string | undefined
  return async () => {
    const found = await problem()
    if (found !== undefined && found !== last) log.warn({ reason: found }, 'not ready')
    if (found === undefined && last !== undefined) log.info('ready again')
    last = found
    return found
  }
}

const storeTimes = {
  /** Minimum time between two questions: frequent health checks share an answer. */
  intervalMs: 500,
  /** Longest time for an answer: health checks of orchestrators wait a few seconds. */
  maxMs: 2_000
}

/**
 * Returns a function that resolves to true if the store is ready. An error and an answer that is late count as false; a
 * question without an answer is not asked again.
 */
export function storeReadiness(
  store: StoreOrNone,
  log: FastifyBaseLogger,
  { intervalMs, maxMs } = storeTimes
): () => Promise<boolean> {
  const ask = store?.ready?.bind(store)
  if (ask === undefined) return async () => true
  let shared: Promise<boolean> | undefined
  const begin = (): Promise<boolean> => {
    const answer = Promise.try(ask).then(
      (isReady) => isReady === true,
      (err: unknown) => {
        log.error({ err, callback: 'store.ready' }, 'store.ready failed')
        return false
      }
    )
    Promise.all([answer, sleep(intervalMs, undefined, { ref: false })]).then(() => {
      shared = undefined
    })
    return Promise.race([answer, sleep(maxMs, false, { ref: false })])
  }
  return () => {
    shared ??= begin()
    return shared
  }
}
