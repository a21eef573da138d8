/** `/-/live`: the process answers. `/-/ready`: the next request is likely to succeed. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FailureError } from '../../contract/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A health check: never refused because of load, and logged at debug only. */
    readonly isProbe?: boolean
  }
}

export interface Readiness {
  readonly ready: () => Promise<boolean>
}

const config = { isProbe: true }

export function registerHealth(app: FastifyInstance, basePath: string, { ready }: Readiness): void {
  app.get(`${basePath}/-/live`, { config }, async () => ({ status: 'live' }))
  app.get(`${basePath}/-/ready`, { config }, async () => {
    if (await ready()) return { status: 'ready' }
    throw new FailureError('unavailable', {
      message: 'the store is unavailable',
      headers: { 'retry-after': '1' }
    })
  })
}

export const isProbe = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isProbe === true
