/** Options of the Fastify server: those that the engine needs override those of the service. */
import type { Server } from 'node:http'
// Imports the default export, because the banner of an ES bundle declares `createRequire`.
import module from 'node:module'
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
    ...(schemaController && { schemaController }),
    ...withRequestLogs(given, log),
    ...own,
    http: { connectionsCheckingInterval: 500, ...given.http, ...own.http },
    routerOptions: { maxParamLength: 16_384, ...given.routerOptions }
  }
}

type Compiler = (...given: unknown[]) => unknown

/**
 * Loads Fastify's schema compilers with the first route outside the contract that has a schema. No operation needs
 * them, and loading them at boot costs 40 ms of CPU (16 against 56 ms for this contract's createContractServer and
 * ready). Write header schemas in lower case: Fastify passes them to a custom compiler unchanged.
 * @param resolve `import.meta.resolve`, which a bundle of CommonJS does not have
 * @returns undefined in a bundle, where Fastify loads its compilers at boot
 */
export function lateCompilers(resolve: ((name: string) => string) | undefined) {
  let requireOfFastify: NodeJS.Require
  try {
    requireOfFastify = module.createRequire(String(resolve?.('fastify')))
  } catch {
    return undefined
  }
  const compilersFactory: Readonly<Record<string, Compiler>> = {
    buildValidator: (...given) => requireOfFastify('@fastify/ajv-compiler')()(...given),
    buildSerializer: (...given) => requireOfFastify('@fastify/fast-json-stringify-compiler')()(...given)
  }
  return { compilersFactory }
}

const schemaController = lateCompilers(import.meta.resolve)
