/** First check of every route: 400 for HTTP violations, 503 while the server is closing. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { FailureError } from '../errors/failure.ts'
import { refusal } from './request-checks.ts'

/**
 * Adds it as the first onRequest hook of every later route outside the contract. Operations call it themselves, because
 * another hook costs as much as the check.
 * @returns a function that throws FailureError for a request that must not be served
 */
export function guardRoutes(app: FastifyInstance): (request: FastifyRequest) => void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const guard = (request: FastifyRequest): void => {
    const refused = refusal(request.raw) ?? (isClosing ? closing() : undefined)
    if (refused !== undefined) throw refused
  }
  const hook: onRequestHookHandler = (request, _reply, done) => {
    guard(request)
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) return
    route.onRequest = [hook, ...[route.onRequest ?? []].flat()]
  })
  return guard
}

/** Returns a 503 (RFC 9110, section 15.6.4). Fastify adds `Connection: close`; another process may serve the retry. */
function closing(): FailureError {
  return new FailureError('shutting-down', { headers: { 'retry-after': '1' } })
}
