/** What is asked of every request before anything else, also of those to routes beside the contract. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { FailureError } from '../errors/failure.ts'
import { refusal } from './request-checks.ts'

/** @returns throws for a request that must not be served; every route of the server has it as its first hook */
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
    route.onRequest = [hook, ...[route.onRequest ?? []].flat()]
  })
  return guard
}

/** Fastify adds `Connection: close`; another process may be there by then (RFC 9110, section 15.6.4). */
function closing(): FailureError {
  return new FailureError('shutting-down', { headers: { 'retry-after': '1' } })
}
