/** The options of the Fastify server: what the engine relies on wins over what the service sets. */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { FastifyHttpOptions } from 'fastify'
import { withRequestLogs } from './request-log.ts'
import { transportOptions } from './transport/options.ts'
import type { RenderFailure } from './transport/raw-response.ts'

export function fastifyOptions(
  given: FastifyHttpOptions<Server> = {},
  render: RenderFailure
): FastifyHttpOptions<Server> {
  const own = transportOptions(render)
  return {
    schemaController,
    ...withRequestLogs(given),
    ...own,
    http: { connectionsCheckingInterval: 500, ...given.http, ...own.http },
    routerOptions: { maxParamLength: 16_384, ...given.routerOptions }
  }
}

const requireOfFastify = createRequire(import.meta.resolve('fastify'))

/**
 * Fastify's own schema compilers, loaded by the first route beside the contract that has a schema. No operation needs
 * them, and loading them at boot costs 40 ms of CPU (16 against 56 ms for this contract's createContractServer and
 * ready). Write header schemas in lower case: Fastify passes them to a custom compiler unchanged.
 */
const schemaController = {
  compilersFactory: {
    buildValidator: (...given: unknown[]) => requireOfFastify('@fastify/ajv-compiler')()(...given),
    buildSerializer: (...given: unknown[]) =>
      requireOfFastify('@fastify/fast-json-stringify-compiler')()(...given)
  }
}
