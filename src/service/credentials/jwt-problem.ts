/** Names the claim or header for which a JWT is refused. The sentences quote nothing of the token. */
import { errors, type JWTPayload } from 'jose'

/** Accepted difference between the clock of the issuer and ours, in seconds (RFC 7519, sections 4.1.4 and 4.1.5). */
export const clockTolerance = 5

/** Accepted `typ` (RFC 9068, section 2.1); other issuers send `JWT` or nothing. ID tokens have no type of their own. */
const acceptedTypes = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt'])

/**
 * Checks what jose does not check: `typ`, `sub`, and that the token was not issued in the future. RFC 9068, section
 * 2.2, requires `sub` in access tokens; RFC 7519, section 4.1.2, makes it optional in other JWTs.
 */
export function problemOf({ sub, iat }: JWTPayload, typ: unknown): string | undefined {
  if (typ !== undefined && typeof typ !== 'string') return 'typ: is not text'
  if (!acceptedTypes.has(typ?.toLowerCase())) return 'typ: is neither absent, JWT nor at+jwt'
  if (sub === undefined && typ?.toLowerCase().endsWith('at+jwt'))
    return 'sub: is missing in an access token (at+jwt)'
  if (sub !== undefined && (typeof sub !== 'string' || sub === '')) return 'sub: is not a text, or empty'
  if (iat !== undefined && iat > Math.floor(Date.now() / 1000) + clockTolerance)
    return 'iat: is in the future'
  return undefined
}

const reasons = new Map<string, string>([
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'signature: does not fit'],
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'alg: is not one of the accepted algorithms'],
  ['ERR_JOSE_NOT_SUPPORTED', 'alg or crit: is not supported'],
  ['ERR_JWKS_NO_MATCHING_KEY', 'kid: the issuer has no such key'],
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'kid: the issuer has several keys that fit'],
  ['ERR_JWT_EXPIRED', 'exp: has expired']
])

const claims = new Map<string, string>([
  ['iss', 'iss: is not AUTH_ISSUER'],
  ['aud', 'aud: does not hold AUTH_AUDIENCE'],
  ['exp', 'exp: is missing, or not a number'],
  ['nbf', 'nbf: is in the future, or not a number'],
  ['iat', 'iat: is not a number']
])

/** @returns the reason of a refusal by jose */
export function reasonOf(error: errors.JOSEError): string {
  const claim = error instanceof errors.JWTClaimValidationFailed ? claims.get(error.claim) : undefined
  return claim ?? reasons.get(error.code) ?? 'not a well-formed JWT'
}
