/** The issuer's keys (RFC 7517): fetched, kept while the issuer is away, fetched again when they are old or one is missing. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwksCache } from 'jose'

export interface JwksTimes {
  /** Milliseconds after which keys are fetched again; also how long a withdrawn key goes on to count. */
  readonly refresh: number
  /** Milliseconds after an answer of the issuer in which an unknown key id does not make us ask again. */
  readonly cooldown: number
  /** The same after a failure. */
  readonly retry: number
  /** Milliseconds to wait for the issuer. */
  readonly timeout: number
}

export const usualTimes: JwksTimes = { refresh: 300_000, cooldown: 30_000, retry: 5_000, timeout: 5_000 }

/** The keys could not be had: not the client's fault, and it may try again. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

export interface Jwks {
  readonly getKey: JWTVerifyGetKey
  /** Changes when, and only when, the keys do. */
  readonly version: () => number
  readonly close: () => void
}

/** Unknown key ids and unusable algorithms are faults of the token; everything else that can happen here is not. */
const faultsOfToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

export function openJwks(url: URL, times: JwksTimes, onFailure: (error: unknown) => void): Jwks {
  // jose writes the keys it holds into it; it begins empty.
  const cache: Record<string, never> = {}
  const remote = createRemoteJWKSet(url, {
    // Never too old to be used: a refresh that fails leaves the last keys in force.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: times.cooldown,
    timeoutDuration: times.timeout,
    [customFetch]: restAfterFailure(times.retry),
    [jwksCache]: cache
  })
  const refresh = () => remote.reload().catch(onFailure)
  const timer = setInterval(refresh, times.refresh).unref()
  refresh()
  return {
    getKey: (header, token) =>
      remote(header, token).catch((error: unknown) => {
        if (faultsOfToken.some((fault) => error instanceof fault)) throw error
        throw new KeysUnavailable('the keys of the issuer can not be had', { cause: error })
      }),
    version: versionOf(cache),
    close: () => clearInterval(timer)
  }
}

type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** jose rests after a fetch that succeeded; without a rest after one that failed, every bad token would ask a struggling issuer. */
function restAfterFailure(retry: number): Fetch {
  let failure: { readonly until: number; readonly error: unknown } | undefined
  return async (url, options) => {
    if (failure !== undefined && performance.now() < failure.until) throw failure.error
    try {
      return ok(await fetch(url, options))
    } catch (error) {
      failure = { until: performance.now() + retry, error }
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
