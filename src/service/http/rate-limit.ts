/** Limits the requests of each client per window of time. */

import { FailureError } from '@contract-first/engine/errors'
import { operationOf, principalOf } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RateLimit } from '../config/parse.ts'
import { ipAddressOf, principalId } from '../credentials/principal.ts'
import { patternBeside } from './routes-beside.ts'

/**
 * Counts after authentication and before the body is read. Requests that fail authentication are not counted.
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
  return principalId(principalOf(request)) ?? addressOf(request)
}

/** Returns the address of the client; that of the connection where a trusted proxy names none. Never empty. */
function addressOf({ ip, raw }: FastifyRequest): string {
  return ipAddressOf(ip) ?? String(raw.socket.remoteAddress)
}
