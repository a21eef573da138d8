/**
 * Allows cross-origin requests from browsers (Fetch Standard, section 3.2), if configured. Origins are compared
 * exactly. Credentials in the sense of the standard (cookies, client certificates) are never allowed: a page sends its
 * bearer token itself, for which `authorization` among the allowed headers suffices.
 */

import type { Contract } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'

interface CorsOptions {
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly requestHeaders: readonly string[]
  readonly responseHeaders: readonly string[]
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
/** Seconds for which a preflight is cached; browsers limit it to two hours at most. */
const maxAge = 7_200

/** Must be called before authentication is added, because a preflight has no token. */
export async function allowOrigins(app: FastifyInstance, options: CorsOptions): Promise<void> {
  const { origins, methods, requestHeaders, responseHeaders } = options
  if (origins.length === 0) return
  const { default: cors } = await import('@fastify/cors')
  const headers = {
    allowedHeaders: [...new Set([...allowedHeaders, ...requestHeaders])],
    exposedHeaders: [...new Set([...exposedHeaders, ...responseHeaders])]
  }
  // Responses without an origin also vary: a shared cache must not serve them to pages of an allowed origin.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('vary', 'Origin')
  })
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const isAllowed = origins.includes(request.headers.origin ?? '')
      const preflight = 'access-control-request-method' in request.headers
      const granted = { ...headers, methods: [...methods], maxAge, preflight }
      decide(null, isAllowed ? { origin: [...origins], ...granted } : { origin: false })
    }
  })
}

/** Returns the names of the headers that a contract declares, API keys included, in lower case. */
export function headersOf({
  operations,
  securitySchemes
}: Pick<Contract, 'operations' | 'securitySchemes'>): Pick<
  CorsOptions,
  'requestHeaders' | 'responseHeaders'
> {
  const parameters = operations.flatMap((operation) => operation.parameters)
  const keys = Object.values(securitySchemes).filter((scheme) => scheme.type === 'apiKey')
  const sent = [...parameters, ...keys].filter((each) => each.in === 'header')
  const responses = operations.flatMap((operation) => Object.values(operation.responses))
  return {
    requestHeaders: sent.map(({ name }) => name.toLowerCase()),
    responseHeaders: responses.flatMap(({ headers }) => headers.map(({ name }) => name))
  }
}
