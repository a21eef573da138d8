/** Refuses requests with 503 while the event loop is late: a server that accepts everything answers nothing in time. */

import { FailureError } from '@contract-first/engine/errors'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Mean delay of an event-loop turn, in ms; about how late every answer is by then. */
const maxDelayMs = 500
/** Sampling interval in ms; must exceed maxDelayMs, because a sample without a loop turn counts as overload. */
const sampleIntervalMs = 600
/** Age of the last sample in ms above which it says nothing about the present: no sample is taken during a long turn. */
const maxSampleAgeMs = 1_000
/** Seconds; several samples are taken in this time. */
const retryAfter = '1'

/**
 * The store bounds the requests that wait for it itself. Both bounds end in 503.
 * @param isExempt health checks: an orchestrator restarts a service whose health check fails
 */
export async function shedLoad(
  app: FastifyInstance,
  isExempt: (request: FastifyRequest) => boolean
): Promise<void> {
  let isStarted = false
  let sampledAt = performance.now()
  const sampling = setInterval(() => (sampledAt = performance.now()), sampleIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(sampling))
  app.addHook('onReady', async () => {
    // The delay of the start itself is no overload.
    setTimeout(() => (isStarted = true), 2 * sampleIntervalMs).unref()
  })
  const isRefused = (request: FastifyRequest): boolean => {
    const isOutdated = performance.now() - sampledAt > maxSampleAgeMs
    return isStarted && !isOutdated && !isExempt(request)
  }
  // A plugin of its own has no routes: the hook of the package, which makes an object for each request, runs for none.
  await app.register(async (plugin) => {
    await plugin.register(underPressure, { maxEventLoopDelay: maxDelayMs, sampleInterval: sampleIntervalMs })
    app.addHook('onRequest', (request, _reply, next) => {
      if (plugin.isUnderPressure() && isRefused(request))
        next(new FailureError('overloaded', { headers: { 'retry-after': retryAfter } }))
      else next()
    })
  })
}
