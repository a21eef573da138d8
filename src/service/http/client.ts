/** The client that a request counts for. */
import type { FastifyRequest } from 'fastify'
import { principalOf } from '../../contract/server.ts'
import { principalId } from '../credentials/principal.ts'

/**
 * Returns the principal of a request, because clients behind one proxy share an address; its address where the security of the
 * project names no principal. Undefined outside the contract: health checks and the docs page count for no client.
 */
export function clientOf(request: FastifyRequest): string | undefined {
  if (request.routeOptions.config.operation === undefined) return undefined
  return principalId(principalOf(request)) ?? request.ip
}
