/** How many requests a principal may make in a window of time. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FailureError } from '../../contract/errors.ts'
import type { RateLimit } from '../config/parse.ts'

/**
 * Counted after authentication and before the body is read: by principal, so that one client can not use up what another
 * has by standing behind the same proxy, and requests that are refused their credentials count for nobody.
 */
export async function limitRate(
  app: FastifyInstance,
  limit: RateLimit | undefined,
  principalOf: (request: FastifyRequest) => string | undefined
): Promise<void> {
  if (limit === undefined) return
  const { default: rateLimit } = await import('@fastify/rate-limit')
  await app.register(rateLimit, {
    // Routes that are there already would be passed over; the hook below meets them all.
    global: false,
    max: limit.max,
    timeWindow: limit.windowMs,
    enableDraftSpec: true,
    keyGenerator: (request) => principalOf(request) ?? '',
    allowList: (_request, key) => key === '',
    errorResponseBuilder: (_request, { max, ttl }) =>
      new FailureError('too-many-requests', {
        message: `more than ${max} requests in a window; the next begins in ${Math.ceil(ttl / 1000)} s`
      })
  })
  const count = app.rateLimit()
  app.addHook('preParsing', async (request, reply) => {
    await count.call(app, request, reply)
  })
}
