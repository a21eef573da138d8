/** Health checks. `/-/live`: the process responds. `/-/ready`: the next request will probably succeed. */

import { FailureError } from '@contract-first/engine/errors'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a health check, which is never refused because of load, and logged at debug only. */
    readonly isProbe?: boolean
  }
}

export interface Readiness {
  readonly isDraining: () => boolean
  /** Returns the reason why the next request would fail, as a sentence for clients; undefined if it would succeed. */
  readonly problem: () => Promise<string | undefined>
  readonly log: FastifyBaseLogger | undefined
}

/** Minimum time between two probes of the store: frequent health checks share a probe. */
const probeIntervalMs = 500

const config = { isProbe: true }

export function registerHealth(app: FastifyInstance, basePath: string, readiness: Readiness): void {
  const problemNow = sharedProbe(reportingChanges(readiness))
  const probe = (url: string, answer: () => Promise<{ readonly status: string }>) => {
    // An operation of the contract at this path takes precedence.
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, { config }, answer)
  }
  probe(`${basePath}/-/live`, async () => ({ status: 'live' }))
  probe(`${basePath}/-/ready`, async () => {
    const problem = readiness.isDraining() ? 'the service is shutting down' : await problemNow()
    if (problem === undefined) return { status: 'ready' }
    throw new FailureError('unavailable', { message: problem, headers: { 'retry-after': '1' } })
  })
}

export const isProbe = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isProbe === true

/** Shares one probe among all calls while it runs and during the interval after it began. */
export function sharedProbe<T>(probe: () => Promise<T>, intervalMs = probeIntervalMs): () => Promise<T> {
  let current: Promise<T> | undefined
  return () => {
    current ??= begin()
    return current
  }

  function begin(): Promise<T> {
    const probing = probe()
    const interval = new Promise((resolve) => setTimeout(resolve, intervalMs).unref())
    Promise.allSettled([probing, interval]).then(() => {
      current = undefined
    })
    return probing
  }
}

/** Logs the beginning and the end of a problem only, because probes repeat it every few seconds. */
function reportingChanges({ problem, log }: Readiness): Readiness['problem'] {
  let last: string | undefined
  return async () => {
    const found = await problem()
    if (found !== undefined && found !== last) log?.warn({ reason: found }, 'not ready')
    if (found === undefined && last !== undefined) log?.info('ready again')
    last = found
    return found
  }
}
