/** Options of the Fastify server: those that the engine needs override those of the service. */
import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { ErrorLog } from './errors/callbacks.ts'
import { withGuardedCallbacks } from './guarded-options.ts'
import { withRequestLogs } from './request-log.ts'
import { transportOptions } from './transport/options.ts'
import type { RenderFailure } from './transport/raw-response.ts'

export function fastifyOptions(
  options: FastifyHttpOptions<Server> = {},
  render: RenderFailure,
  log: () => ErrorLog
): FastifyHttpOptions<Server> {
  const own = transportOptions(render)
  const given = withGuardedCallbacks(options, log)
  return {
    ...withRequestLogs(given, log),
    ...own,
    http: { connectionsCheckingInterval: 500, ...given.http, ...own.http },
    routerOptions: { maxParamLength: 16_384, ...given.routerOptions }
  }
}
