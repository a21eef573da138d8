/** Reads the scopes of a JWT. */
import type { JWTPayload } from 'jose'

/**
 * Returns the scopes of the claims `scope` (RFC 9068, section 2.2.3: text, separated by spaces) and `scp` (text or list,
 * as issuers write that are older). A claim of another type carries none.
 */
export function jwtScopes({ scope, scp }: JWTPayload): readonly string[] {
  const listed = Array.isArray(scp) ? scp.filter((each) => typeof each === 'string') : wordsOf(scp)
  return [...new Set([...wordsOf(scope), ...listed])]
}

const wordsOf = (claim: unknown): readonly string[] =>
  typeof claim === 'string' ? claim.split(' ').filter((word) => word !== '') : []
