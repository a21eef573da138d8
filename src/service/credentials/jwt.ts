/** JSON Web Tokens as bearer tokens (RFC 7519, RFC 9068), checked against the keys that their issuer publishes. */
import { hash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LruMap } from 'toad-cache'
import { FailureError } from '../../contract/errors.ts'
import type { JwksConfig } from '../config/config.ts'
import { type JwksTimes, KeysUnavailable, openJwks, usualTimes } from './jwks.ts'
import type { Principal } from './principal.ts'

export interface JwtVerifier {
  /** @throws {FailureError} `unavailable`, when there are no keys to check the token with */
  readonly verify: (token: string) => Principal | undefined | Promise<Principal | undefined>
  readonly close: () => void
}

/** Asymmetric only: with `none` nothing is signed, and with HMAC anybody who knows the public key could sign (RFC 8725, section 3.1). */
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
  /** Milliseconds since the epoch: its `exp`. */
  readonly expires: number
}

/** So many take about 3 MB. */
const mostVerified = 10_000

/** Three parts in base64url (RFC 7515, section 7.1); anything else is not worth a look. */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * A token that was verified is not verified again until it expires or the keys change: the signature costs 100 to 200 µs, the
 * digest by which it is remembered one. That digest is of the whole token, so nothing can be found out about it piece by piece.
 */
export function createJwtVerifier(
  { url, issuer, audience }: JwksConfig,
  onFailure: (error: unknown) => void,
  times: JwksTimes = usualTimes
): JwtVerifier {
  const jwks = openJwks(url, times, onFailure)
  const expected = { issuer, audience, algorithms, requiredClaims: ['exp'] }
  const verified = new LruMap<Verified>(mostVerified)
  let version = jwks.version()

  const forgetWithdrawn = () => {
    if (jwks.version() === version) return
    version = jwks.version()
    verified.clear()
  }
  const check = async (token: string, digest: string): Promise<Principal | undefined> => {
    const before = version
    const payload = await payloadOf(token)
    if (payload?.exp === undefined) return undefined
    const principal = principalOf(payload, digest)
    forgetWithdrawn()
    // Keys that changed meanwhile (other than from none) may no longer hold the one that this token was verified with.
    if (version === before || before === 0) verified.set(digest, { principal, expires: payload.exp * 1000 })
    return principal
  }
  const payloadOf = (token: string): Promise<JWTPayload | undefined> =>
    jwtVerify(token, jwks.getKey, expected).then(({ payload }) => payload, refused(times))

  return {
    verify: (token) => {
      if (!compactJws.test(token)) return undefined
      forgetWithdrawn()
      const digest = hash('sha256', token, 'base64url')
      const known = verified.get(digest)
      return known !== undefined && Date.now() < known.expires ? known.principal : check(token, digest)
    },
    close: jwks.close
  }
}

const refused =
  (times: JwksTimes) =>
  (error: unknown): undefined => {
    if (error instanceof KeysUnavailable) throw unavailable(error, times)
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }

function unavailable(cause: KeysUnavailable, { retry }: JwksTimes): FailureError {
  const headers = { 'retry-after': String(Math.ceil(retry / 1000)) }
  return new FailureError('unavailable', { message: 'tokens can not be checked now', headers, cause })
}

const principalOf = ({ sub }: JWTPayload, digest: string): Principal =>
  Object.freeze({ id: `jwt:${sub ?? digest.slice(0, 8)}` })
