/** Scopes (RFC 6749, section 3.3): those that the contract requires, and the check of a principal against them. */
import { FailureError } from '@contract-first/engine/errors'
import type { Contract, Operation } from '@contract-first/engine/server'
import type { Principal } from './principal.ts'

interface Secured {
  readonly operations: readonly Pick<Operation, 'security'>[]
}

export function requiredScopes({ operations }: Secured): readonly string[] {
  const requirements = operations.flatMap(({ security }) => security.flat())
  return [...new Set(requirements.flatMap(({ scopes }) => scopes))]
}

/** Context of the security handler that calls `authenticate`. */
export interface SecurityContext {
  /** Scopes that the operation requires of the scheme. */
  readonly scopes: readonly string[]
  /** Request for which the reason of a refusal is noted. Its connection caches the last accepted token. */
  readonly request: object
}

/**
 * Returns the principal of a token that carries the scopes, or undefined when the token is refused.
 * @throws {FailureError} `forbidden`, when the token lacks a scope, or `unavailable`, when a JWT cannot be checked
 * because there are no keys
 */
export type Authenticate = (
  token: string,
  context: SecurityContext
) => Principal | undefined | Promise<Principal | undefined>

/**
 * Returns the principal of a bearer token, whatever its scopes, or undefined when it is refused.
 * @throws {FailureError} `unavailable`, when a JWT cannot be checked because there are no keys
 */
export type Identify = (
  token: string,
  context?: Pick<SecurityContext, 'request'>
) => Principal | undefined | Promise<Principal | undefined>

/** Adds the check of scopes, for a contract that requires any. */
export function requireScopes(identify: Identify, contract: Pick<Contract, 'operations'>): Authenticate {
  if (requiredScopes(contract).length === 0) return identify
  return (token, context) => {
    const { scopes } = checkedContext(context)
    const found = identify(token, context)
    return found instanceof Promise
      ? found.then((principal) => permitted(principal, scopes))
      : permitted(found, scopes)
  }
}

/** Refuses a call without scopes, which JavaScript allows: it would permit every token everything. */
function checkedContext(context: SecurityContext | undefined): SecurityContext {
  if (Array.isArray(context?.scopes)) return context
  throw new TypeError('authenticate needs the scopes: pass it the second argument of the security handler')
}

function permitted(principal: Principal | undefined, scopes: readonly string[]): Principal | undefined {
  const missing = principal === undefined ? [] : scopes.filter((scope) => !principal.scopes.includes(scope))
  if (missing.length === 0) return principal
  throw new FailureError('forbidden', { message: `the token lacks ${missing.join(', ')}`, principal })
}
