/** Verifies JSON Web Tokens (RFC 7519, RFC 9068) with the keys that their issuer publishes. */
import { hash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LruMap } from 'toad-cache'
import { FailureError } from '../../contract/errors.ts'
import { defaultTimes, type JwksTimes, KeysUnavailable, openJwks } from './jwks.ts'
import type { JwksConfig } from './options.ts'
import type { Principal } from './principal.ts'

export interface JwtVerifier {
  /** @throws {FailureError} `unavailable`, when there are no keys */
  readonly verify: (token: string) => Principal | undefined | Promise<Principal | undefined>
  readonly close: () => void
}

/** Asymmetric algorithms only: `none` signs nothing, and with HMAC the public key would be enough to sign (RFC 8725, section 3.1). */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519'
]

interface Verified {
  readonly principal: Principal
  /** `exp` in milliseconds since the epoch. */
  readonly expiresMs: number
}

/** Takes about 3 MB. */
const maxVerified = 10_000

/** Three parts in base64url (RFC 7515, section 7.1). */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * Caches verified tokens until they expire or the keys change: a signature costs 100 to 200 µs, a look-up by digest one. The
 * digest covers the whole token, so the time of a look-up reveals nothing about a part of it.
 */
export function createJwtVerifier(
  { url, issuer, audience }: JwksConfig,
  onFailure: (error: unknown) => void,
  times: JwksTimes = defaultTimes
): JwtVerifier {
  const jwks = openJwks(url, times, onFailure)
  const expected = { issuer, audience, algorithms, requiredClaims: ['exp'] }
  const verified = new LruMap<Verified>(maxVerified)
  let version = jwks.version()

  const clearIfKeysChanged = () => {
    if (jwks.version() === version) return
    version = jwks.version()
    verified.clear()
  }
  const check = async (token: string, digest: string): Promise<Principal | undefined> => {
    const before = version
    const payload = await payloadOf(token)
    if (payload?.exp === undefined) return undefined
    const principal = jwtPrincipal(payload, digest)
    clearIfKeysChanged()
    // If the keys changed during the check, the key of this token may be gone. Version 0 means that there were none before.
    if (version === before || before === 0) verified.set(digest, { principal, expiresMs: payload.exp * 1000 })
    return principal
  }
  const payloadOf = (token: string): Promise<JWTPayload | undefined> =>
    jwtVerify(token, jwks.getKey, expected).then(({ payload }) => payload, refusal(times))

  return {
    verify: (token) => {
      if (!compactJws.test(token)) return undefined
      clearIfKeysChanged()
      const digest = hash('sha256', token, 'base64url')
      const known = verified.get(digest)
      return known !== undefined && Date.now() < known.expiresMs ? known.principal : check(token, digest)
    },
    close: jwks.close
  }
}

const refusal =
  (times: JwksTimes) =>
  (error: unknown): undefined => {
    if (error instanceof KeysUnavailable) throw unavailable(error, times)
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }

function unavailable(cause: KeysUnavailable, { retryMs }: JwksTimes): FailureError {
  const headers = { 'retry-after': String(Math.ceil(retryMs / 1000)) }
  return new FailureError('unavailable', { message: 'tokens can not be checked now', headers, cause })
}

const jwtPrincipal = ({ sub }: JWTPayload, digest: string): Principal =>
  Object.freeze({ id: `jwt:${sub ?? digest.slice(0, 8)}` })
