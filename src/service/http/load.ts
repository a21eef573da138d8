/** Refuses requests that are too many: 503 while the event loop is late, 429 beyond the rate of a client. */

import { FailureError } from '@contract-first/engine/errors'
import { operationOf, principalOf } from '@contract-first/engine/server'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RateLimit } from '../config/parse.ts'
import { ipAddressOf, principalId } from '../credentials/scopes.ts'
import { patternBeside } from './routes-beside.ts'

/** Mean delay of an event-loop turn in ms above which requests are refused; every response is about that late. */
const maxDelayMs = 500
/** Sampling interval in ms; must exceed maxDelayMs, because a sample without a loop turn counts as overload. */
const sampleIntervalMs = 600
/** Age of the last sample in ms above which it is ignored: no sample is taken during a long turn. */
const maxSampleAgeMs = 1_000
/** Seconds after which a client may retry; several samples are taken in this time. */
const retryAfter = '1'

/**
 * Refuses requests while the event loop is late, so that accepted ones are answered in time. The store itself bounds
 * the requests that wait for it; both bounds respond with 503.
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

/**
 * Limits the requests of each client per window of time. Counts after authentication and before the body is read.
 * Requests that fail authentication are not counted.
 * @param clientOf returns undefined for a request that is not counted
 */
export async function limitRate(
  app: FastifyInstance,
  limit: RateLimit | undefined,
  clientOf: (request: FastifyRequest) => string | undefined
): Promise<void> {
  if (limit === undefined) return
  const { default: rateLimit } = await import('@fastify/rate-limit')
  await app.register(rateLimit, {
    // The plugin would skip existing routes; the hook below runs for all.
    global: false,
    max: limit.max,
    timeWindow: limit.windowMs,
    enableDraftSpec: true,
    keyGenerator: (request) => clientOf(request) ?? '',
    allowList: (_request, key) => key === '',
    errorResponseBuilder: (_request, { max }) =>
      new FailureError('too-many-requests', {
        message: `more than ${max} requests in ${limit.windowMs / 1000} s; Retry-After says when to come back`
      })
  })
  const count = app.rateLimit()
  app.addHook('preParsing', async (request, reply) => {
    await count.call(app, request, reply)
  })
}

/**
 * Returns the principal of a request, because clients behind one proxy share an address, or the address where the
 * principal has no id, as at a route of `extend`. Returns undefined for health checks and the docs page, which are not
 * counted.
 */
export function clientOf(request: FastifyRequest): string | undefined {
  if (operationOf(request) === undefined && patternBeside(request) === undefined) return undefined
  const { ip, raw } = request
  // The address of the connection, where a trusted proxy names none. Never empty.
  return principalId(principalOf(request)) ?? ipAddressOf(ip) ?? String(raw.socket.remoteAddress)
}
