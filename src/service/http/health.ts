/** `/-/live`: the process answers. `/-/ready`: a create would be likely to succeed. */
import type { FastifyInstance } from 'fastify'
import { FailureError } from '../../contract/errors.ts'

export interface Readiness {
  readonly ready: () => Promise<boolean>
}

export function registerHealth(app: FastifyInstance, basePath: string, { ready }: Readiness): void {
  app.get(`${basePath}/-/live`, async () => ({ status: 'live' }))
  app.get(`${basePath}/-/ready`, async () => {
    if (await ready()) return { status: 'ready' }
    throw new FailureError('unavailable', {
      message: 'the store is unavailable',
      headers: { 'retry-after': '1' }
    })
  })
}
