/** Refuses requests with 503 while the event loop is late, so that accepted ones are answered in time. */

import { FailureError } from '@contract-first/engine/errors'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Mean delay of an event-loop turn in ms above which requests are refused; every response is about that late. */
const maxDelayMs = 500
/** Sampling interval in ms; must exceed maxDelayMs, because a sample without a loop turn counts as overload. */
const sampleIntervalMs = 600
/** Age of the last sample in ms above which it is ignored: no sample is taken during a long turn. */
const maxSampleAgeMs = 1_000
/** Seconds after which a client may retry; several samples are taken in this time. */
const retryAfter = '1'

/**
 * Adds load shedding. The store itself bounds the requests that wait for it; both bounds respond with 503.
 * @param isExempt returns true for health checks: an orchestrator restarts a service whose health check fails
 */
export async function shedLoad(
  app: FastifyInstance,
  isExempt: (request: FastifyRequest) => boolean
): Promise<void> {
  let isStarted = false
  let sampledAt = performance.now()
  const sampling = setInterval(() => (sampledAt = performance.now()), sampleIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(sampling))
  // The delay of the start is not overload, nor are the pauses of a test, which calls the service without a port.
  app.addHook('onListen', async () => {
    setTimeout(() => (isStarted = true), 2 * sampleIntervalMs).unref()
  })
  const isRefused = (request: FastifyRequest): boolean => {
    const isOutdated = performance.now() - sampledAt > maxSampleAgeMs
    return isStarted && !isOutdated && !isExempt(request)
  }
  // In a plugin without routes the hook of the package never runs; it would make an object for each request.
  await app.register(async (plugin) => {
    await plugin.register(underPressure, { maxEventLoopDelay: maxDelayMs, sampleInterval: sampleIntervalMs })
    app.addHook('onRequest', (request, _reply, next) => {
      if (plugin.isUnderPressure() && isRefused(request))
        next(new FailureError('overloaded', { headers: { 'retry-after': retryAfter } }))
      else next()
    })
  })
}
