/** Logs failures and successes of fetching the issuer's keys. */
import type { FastifyBaseLogger } from 'fastify'
import type { JwksEvents } from './jwks.ts'

export function jwksReporter(log: FastifyBaseLogger): JwksEvents {
  return {
    onFailure: (error, hasKeys) => {
      const state = hasKeys
        ? 'the last ones stay in force'
        : 'no JWT can be checked, and the service is not ready'
      log.warn({ err: error }, `AUTH_JWKS_URL: the keys could not be fetched; ${state}`)
    },
    onSuccess: () => log.info('AUTH_JWKS_URL: the keys are fetched')
  }
}
