/** Keys of the issuer (RFC 7517): fetched again when old or incomplete, kept while the issuer does not answer. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwksCache } from 'jose'

/** Issuer of JWTs, and the claims that its tokens must have. */
export interface JwksConfig {
  readonly url: URL
  readonly issuer: string
  readonly audience: string
}

export interface JwksTimes {
  /** Interval between two fetches; a revoked key is accepted for that long. */
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

/** Error for keys that could not be fetched. The client may retry. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

export interface JwksEvents {
  /** @param hasKeys true: the last keys stay in force; false: no JWT can be verified */
  readonly onFailure: (error: unknown, hasKeys: boolean) => void
  /** Called after the first successful fetch, and after the first one that follows a failure. */
  readonly onSuccess: () => void
}

interface Jwks {
  readonly getKey: JWTVerifyGetKey
  /** Returns true if keys were fetched at least once. */
  readonly hasKeys: () => boolean
  /** Returns a number that changes exactly when the keys change. */
  readonly version: () => number
  readonly close: () => void
}

/** Errors that the token causes; every other error comes from the issuer or the network. */
const tokenErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

export function openJwks(url: URL, times: JwksTimes, events: JwksEvents): Jwks {
  // jose writes its keys into this object.
  const cache: Record<string, never> = {}
  const remote = createRemoteJWKSet(url, {
    // Keys never expire: a failed refresh leaves the last ones in force.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: times.cooldownMs,
    timeoutDuration: times.fetchTimeout,
    [customFetch]: pausedAfterFailure(times.retryMs),
    [jwksCache]: cache
  })
  const hasKeys = () => remote.jwks() !== undefined
  let isClosed = false
  let isFailing = true
  const succeed = () => {
    if (isFailing) events.onSuccess()
    isFailing = false
  }
  const fail = (error: unknown) => {
    isFailing = true
    events.onFailure(error, hasKeys())
  }
  let timer: NodeJS.Timeout | undefined
  // Without keys every JWT is refused, therefore the first fetch is retried soon.
  const refresh = async () => {
    await remote.reload().then(succeed, fail)
    if (!isClosed) timer = setTimeout(refresh, hasKeys() ? times.refreshMs : times.retryMs).unref()
  }
  void refresh()
  return {
    getKey: (header, token) =>
      remote(header, token).catch((error: unknown) => {
        if (tokenErrors.some((each) => error instanceof each)) throw error
        throw new KeysUnavailable('the keys of the issuer are not available', { cause: error })
      }),
    version: versionOf(cache),
    hasKeys,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    }
  }
}

type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** Pauses after a failed fetch. jose pauses after a successful one only, so every bad token would cause a request. */
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
