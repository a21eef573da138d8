/** The issuer's keys (RFC 7517): fetched again when they are old or one is missing, and kept while the issuer does not answer. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwksCache } from 'jose'

export interface JwksTimes {
  /** Interval of fetching; a withdrawn key is accepted for as long. */
  readonly refreshMs: number
  /** Pause after a successful fetch, in which an unknown key id causes no other fetch. */
  readonly cooldownMs: number
  /** Pause after a failed fetch. */
  readonly retryMs: number
  readonly fetchTimeout: number
}

export const defaultTimes: JwksTimes = {
  refreshMs: 300_000,
  cooldownMs: 30_000,
  retryMs: 5_000,
  fetchTimeout: 5_000
}

/** The keys could not be fetched. The client may try again. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

export interface Jwks {
  readonly getKey: JWTVerifyGetKey
  /** Changes exactly when the keys change. */
  readonly version: () => number
  readonly close: () => void
}

/** Errors that a token causes; every other error comes from the issuer or the network. */
const tokenErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

export function openJwks(url: URL, times: JwksTimes, onFailure: (error: unknown) => void): Jwks {
  // jose writes the keys that it holds into this object.
  const cache: Record<string, never> = {}
  const remote = createRemoteJWKSet(url, {
    // Keys never expire: a failed refresh leaves the last ones in force.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: times.cooldownMs,
    timeoutDuration: times.fetchTimeout,
    [customFetch]: pausedAfterFailure(times.retryMs),
    [jwksCache]: cache
  })
  const refresh = () => remote.reload().catch(onFailure)
  const timer = setInterval(refresh, times.refreshMs).unref()
  refresh()
  return {
    getKey: (header, token) =>
      remote(header, token).catch((error: unknown) => {
        if (tokenErrors.some((each) => error instanceof each)) throw error
        throw new KeysUnavailable('the keys of the issuer can not be had', { cause: error })
      }),
    version: versionOf(cache),
    close: () => clearInterval(timer)
  }
}

type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** Pauses after a failed fetch; jose pauses only after a successful one, so every bad token would cause a request. */
function pausedAfterFailure(retryMs: number): Fetch {
  let failure: { readonly until: number; readonly error: unknown } | undefined
  return async (url, options) => {
    if (failure !== undefined && performance.now() < failure.until) throw failure.error
    try {
      return ok(await fetch(url, options))
    } catch (error) {
      failure = { until: performance.now() + retryMs, error }
      throw error
    }
  }
}

function ok(response: Response): Response {
  if (response.status === 200) return response
  throw new Error(`the issuer answered ${response.status}`)
}

function versionOf(cache: { readonly jwks?: unknown }): () => number {
  let version = 0
  let seen: unknown
  let text = ''
  return () => {
    if (cache.jwks === seen) return version
    const next = JSON.stringify(cache.jwks)
    if (next !== text) version += 1
    seen = cache.jwks
    text = next
    return version
  }
}
