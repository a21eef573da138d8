/** Log line of a start: contract, store, credentials and limits, without secrets. */
import { hash } from 'node:crypto'
import type { Contract } from '@contract-first/engine/server'
import type { Config } from '../config/config.ts'
import type { BearerAuth } from '../credentials/bearer.ts'
import type { StoreOrigin } from '../definition.ts'
import { byteLimits, limits } from '../http/limits.ts'

export interface Running {
  readonly config: Config
  readonly auth: BearerAuth
  readonly origin: StoreOrigin | undefined
}

export function summaryOf({ title, version, sources }: Contract, { config, auth, origin }: Running): object {
  const { bodyLimit, requestTimeout, shutdownTimeout, rateLimit } = config
  return {
    contract: { title, version, sha256: digestOf(sources) },
    store: origin,
    credentials: config.usesTokens ? credentialsOf(config, auth) : undefined,
    limits: {
      bodyLimit,
      requestTimeout,
      shutdownTimeout,
      rateLimit: rateLimit ?? 'off',
      ...limits,
      ...byteLimits(config)
    },
    production: config.production
  }
}

const credentialsOf = ({ auth: { tokens, tokensFile, jwks } }: Config, auth: BearerAuth): object => ({
  tokens: auth.tokens().length,
  fromEnvironment: tokens.length,
  file: tokensFile,
  issuer: jwks?.issuer
})

/** Returns the digest of one file as `sha256sum` prints it; for several files, the digest of their digests. */
function digestOf(sources: Contract['sources']): string {
  const [only, ...others] = sources.map(({ sha256 }) => sha256)
  if (only !== undefined && others.length === 0) return only
  return hash('sha256', [only, ...others].join())
}
