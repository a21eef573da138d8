/** Bearer tokens known beforehand (RFC 6750), compared by digest. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { digestOf } from './digest.ts'
import type { Principal } from './principal.ts'

export type TokenVerifier = (token: string) => Principal | undefined

/**
 * Every known digest is compared, in constant time each and without an early exit: how long a refusal takes tells neither
 * how much of a token was right nor which one it was near to. No cache by token stands before it, for a table of plain
 * tokens would compare them byte by byte again; the whole costs about half a microsecond and 50 ns for each further token.
 */
export function createTokenVerifier(digests: readonly Buffer[]): TokenVerifier {
  const known = digests.map((digest) => ({ digest, principal: principalOf(digest) }))
  return (token) => {
    const presented = digestOf(token)
    let principal: Principal | undefined
    for (const each of known) {
      if (timingSafeEqual(each.digest, presented)) principal = each.principal
    }
    return principal
  }
}

const principalOf = (digest: Buffer): Principal =>
  Object.freeze({ id: `token:${digest.toString('hex', 0, 4)}` })

/** 256 random bits, with a prefix by which people and secret scanners know what it opens. */
export const newToken = (): string => `plant_${randomBytes(32).toString('base64url')}`
