/**
 * Which pages of other origins may call the service from a browser (Fetch Standard, section 3.2). Off unless configured.
 * Origins are compared exactly. Credentials in the standard's sense (cookies, client certificates) are never allowed,
 * because none are used: a page sends its bearer token itself, which needs `authorization` among the allowed headers only.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface CorsOptions {
  readonly origins: readonly string[]
  /** Of the contract and the pages beside it. */
  readonly methods: readonly string[]
}

const allowedHeaders = ['authorization', 'content-type', 'x-request-id', 'traceparent', 'tracestate']
const exposedHeaders = [
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'www-authenticate',
  'x-request-id'
]
/** Seconds; browsers cut it to their own bound, two hours at most. */
const maxAge = 7_200

/** To be called before authentication is hooked in: a preflight carries no token. */
export async function allowOrigins(app: FastifyInstance, { origins, methods }: CorsOptions): Promise<void> {
  if (origins.length === 0) return
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const isAllowed = origins.includes(request.headers.origin ?? '')
      const preflight = 'access-control-request-method' in request.headers
      const granted = { methods: [...methods], allowedHeaders, exposedHeaders, maxAge, preflight }
      decide(null, isAllowed ? { origin: [...origins], ...granted } : { origin: false })
    }
  })
}
