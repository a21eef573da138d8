/** Limits the requests of each client in a window of time. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FailureError } from '../../contract/errors.ts'
import type { RateLimit } from '../config/parse.ts'

/**
 * Counts after authentication and before the body is read. Requests that fail authentication are not counted.
 * @param clientOf undefined for a request that is not counted
 */
export async function limitRate(
  app: FastifyInstance,
  limit: RateLimit | undefined,
  clientOf: (request: FastifyRequest) => string | undefined
): Promise<void> {
  if (limit === undefined) return
  const { default: rateLimit } = await import('@fastify/rate-limit')
  await app.register(rateLimit, {
    // The plugin would skip routes that exist already; the hook below runs for all.
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
