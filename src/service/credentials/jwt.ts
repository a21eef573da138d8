/** Verifies JSON Web Tokens (RFC 7519, RFC 9068) with the keys that their issuer publishes. */
import { hash } from 'node:crypto'
import { FailureError } from '@contract-first/engine/errors'
import type { FastifyBaseLogger } from 'fastify'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwksCache,
  jwtVerify
} from 'jose'
import { LruMap } from 'toad-cache'
import type { Principal } from './scopes.ts'

/**
 * Returns the scopes of the claims `scope` (RFC 9068, section 2.2.3: text, separated by spaces) and `scp` (text or list,
 * as issuers write that are older). A claim of another type carries none.
 */
function jwtScopes({ scope, scp }: JWTPayload): readonly string[] {
  const listed = Array.isArray(scp) ? scp.filter((each) => typeof each === 'string') : wordsOf(scp)
  return [...new Set([...wordsOf(scope), ...listed])]
}

const wordsOf = (claim: unknown): readonly string[] =>
  typeof claim === 'string' ? claim.split(' ').filter((word) => word !== '') : []

type Refuse = (reason: string) => undefined

export interface JwtVerifier {
  /**
   * Verifies a token.
   * @param refuse called with the reason of a refusal, for the log
   * @throws {FailureError} `unavailable`, when there are no keys
   */
  readonly verify: (token: string, refuse?: Refuse) => Principal | undefined | Promise<Principal | undefined>
  readonly isReady: () => boolean
  readonly close: () => void
}

/** Asymmetric algorithms: `none` signs nothing, and with HMAC the public key would suffice to sign (RFC 8725, 3.1). */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

interface Verified {
  readonly principal: Principal
  /** Keys of the issuer when the check began. */
  readonly keys: unknown
  /** End of its validity, clock tolerance included, in milliseconds since the epoch. */
  readonly expiresMs: number
}

/** Maximum of cached tokens: about 10 MB with claims of 400 bytes each. */
const maxVerified = 10_000

/** Syntax of a compact JWS: three parts in base64url (RFC 7515, section 7.1). */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * Caches verified tokens until they expire or the keys are fetched again: a signature costs 100 to 200 µs, a look-up by
 * digest 1 µs. The digest covers the whole token, so the time of a look-up reveals nothing about a part of it.
 */
export function createJwtVerifier(
  { url, issuer, audience }: JwksConfig,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  times: JwksTimes = defaultTimes
): JwtVerifier {
  const jwks = openJwks(url, times, log)
  const expected = { issuer, audience, algorithms, requiredClaims: ['exp'], clockTolerance }
  const verified = new LruMap<Verified>(maxVerified)

  const check = async (token: string, digest: string, refuse: Refuse): Promise<Principal | undefined> => {
    const keys = jwks.keys()
    const verifiedToken = await jwtVerify(token, jwks.getKey, expected).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) return refuse(reasonOf(error))
      throw error
    })
    if (verifiedToken === undefined) return undefined
    const { payload, protectedHeader } = verifiedToken
    const problem = problemOf(payload, protectedHeader.typ)
    if (problem !== undefined) return refuse(problem)
    // Requests share the principal of a cached token, therefore it is frozen.
    const id = `jwt:${payload.sub ?? digest.slice(0, 8)}`
    const principal = deepFrozen({ id, scopes: jwtScopes(payload), claims: payload })
    verified.set(digest, { principal, keys, expiresMs: (Number(payload.exp) + clockTolerance) * 1000 })
    return principal
  }

  return {
    verify: (token, refuse = () => undefined) => {
      if (!compactJws.test(token)) return refuse('neither a known token nor a JWT')
      const digest = hash('sha256', token, 'base64url')
      const known = verified.get(digest)
      return known !== undefined && known.keys === jwks.keys() && Date.now() < known.expiresMs
        ? known.principal
        : check(token, digest, refuse)
    },
    isReady: () => jwks.keys() !== undefined,
    close: jwks.close
  }
}

/** Freezes a value made from JSON and everything in it, without recursion: a client may nest it deeply. */
function deepFrozen<Value extends object>(value: Value): Value {
  const pending: unknown[] = [value]
  for (const each of pending) {
    if (typeof each !== 'object' || each === null) continue
    for (const member of Object.values(Object.freeze(each))) pending.push(member)
  }
  return value
}

/** Accepted difference between the clock of the issuer and ours, in seconds (RFC 7519, sections 4.1.4 and 4.1.5). */
const clockTolerance = 5

/** Accepted `typ` (RFC 9068, section 2.1); other issuers send `JWT` or nothing. ID tokens have no type of their own. */
const acceptedTypes = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt'])

/**
 * Checks what jose does not check: `typ`, `sub`, and that the token was not issued in the future. RFC 9068, section
 * 2.2, requires `sub` in access tokens; RFC 7519, section 4.1.2, makes it optional in other JWTs.
 */
function problemOf({ sub, iat }: JWTPayload, typ: unknown): string | undefined {
  if (typ !== undefined && typeof typ !== 'string') return 'typ: is not text'
  if (!acceptedTypes.has(typ?.toLowerCase())) return 'typ: is neither absent, JWT nor at+jwt'
  if (sub === undefined && typ?.toLowerCase().endsWith('at+jwt'))
    return 'sub: is missing in an access token (at+jwt)'
  if (sub !== undefined && (typeof sub !== 'string' || sub === '')) return 'sub: is not a text, or empty'
  if (iat !== undefined && iat > Math.floor(Date.now() / 1000) + clockTolerance)
    return 'iat: is in the future'
  return undefined
}

/** Reasons by the code of an error, or by the claim that it names. */
const reasons = new Map<string, string>([
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'signature: does not fit'],
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'alg: is not one of the accepted algorithms'],
  ['ERR_JOSE_NOT_SUPPORTED', 'alg or crit: is not supported'],
  ['ERR_JWKS_NO_MATCHING_KEY', 'kid: the issuer has no such key'],
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'kid: the issuer has several keys that fit'],
  ['ERR_JWT_EXPIRED', 'exp: has expired'],
  ['iss', 'iss: is not AUTH_ISSUER'],
  ['aud', 'aud: does not hold AUTH_AUDIENCE'],
  ['exp', 'exp: is missing, or not a number'],
  ['nbf', 'nbf: is in the future, or not a number'],
  ['iat', 'iat: is not a number']
])

/** @returns the reason of a refusal by jose, which quotes nothing of the token */
function reasonOf(error: errors.JOSEError): string {
  const claim = error instanceof errors.JWTClaimValidationFailed ? reasons.get(error.claim) : undefined
  return claim ?? reasons.get(error.code) ?? 'not a well-formed JWT'
}

/** Issuer of JWTs, and the claims that its tokens must have. */
export interface JwksConfig {
  readonly url: URL
  readonly issuer: string
  readonly audience: string
}

interface JwksTimes {
  /** Interval between two fetches; a revoked key is accepted for that long. */
  readonly refreshMs: number
  /** Pause after a successful fetch, in which an unknown key id causes no other fetch. */
  readonly cooldownMs: number
  /** Pause after a failed fetch. */
  readonly retryMs: number
  readonly fetchTimeout: number
}

const defaultTimes: JwksTimes = {
  refreshMs: 300_000,
  cooldownMs: 30_000,
  retryMs: 5_000,
  fetchTimeout: 5_000
}

/** Errors that the token causes; every other error comes from the issuer or the network. */
const tokenErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

function openJwks(url: URL, times: JwksTimes, log: Pick<FastifyBaseLogger, 'info' | 'warn'>) {
  // jose writes its keys into this object.
  const cache: { readonly jwks?: unknown } = {}
  const remote = createRemoteJWKSet(url, {
    // Keys never expire: a failed refresh leaves the last ones in force.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: times.cooldownMs,
    timeoutDuration: times.fetchTimeout,
    [customFetch]: pausedAfterFailure(times.retryMs),
    [jwksCache]: cache as Record<string, never>
  })
  let isClosed = false
  let isFailing = true
  let timer: NodeJS.Timeout | undefined
  // Without keys every JWT is refused, therefore the first fetch is retried soon.
  const refresh = async () => {
    try {
      await remote.reload()
      if (isFailing) log.info('AUTH_JWKS_URL: the keys are fetched')
      isFailing = false
    } catch (err) {
      isFailing = true
      const state = cache.jwks
        ? 'the last ones stay in force'
        : 'no JWT can be checked, and the service is not ready'
      log.warn({ err }, `AUTH_JWKS_URL: the keys could not be fetched; ${state}`)
    }
    if (!isClosed) timer = setTimeout(refresh, cache.jwks ? times.refreshMs : times.retryMs).unref()
  }
  void refresh()
  const getKey: JWTVerifyGetKey = (header, token) =>
    remote(header, token).catch((cause: unknown) => {
      if (tokenErrors.some((each) => cause instanceof each)) throw cause
      const headers = { 'retry-after': String(Math.ceil(times.retryMs / 1000)) }
      throw new FailureError('unavailable', { message: 'tokens cannot be checked now', headers, cause })
    })
  return {
    getKey,
    /** Returns the keys of the last successful fetch, another object after each; undefined before the first. */
    keys: () => cache.jwks,
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
      const response = await fetch(url, options)
      if (response.status === 200) return response
      throw new Error(`the issuer answered ${response.status}`)
    } catch (error) {
      failure = { until: performance.now() + retryMs, error }
      throw error
    }
  }
}
