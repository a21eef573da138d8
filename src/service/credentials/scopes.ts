/** Principals, their ids, and the scopes (RFC 6749, section 3.3) that the contract requires of them. */
import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import { FailureError } from '@contract-first/engine/errors'
import type { Contract, Operation } from '@contract-first/engine/server'

/** Client of a request whose credential was accepted. */
export interface Principal {
  /** Id for the log, not secret: `token:<8 hex of the digest>` or `jwt:<sub>`. */
  readonly id: string
  /** Scopes that the credential carries (RFC 6749, section 3.3). */
  readonly scopes: readonly string[]
  /** Claims of a JWT (RFC 7519, section 4); empty for any other token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Maximum of characters of an id, which log lines and rate limits keep. */
const maxLength = 256

/**
 * Returns the id of a principal, undefined where it has none, or cannot be read. A principal that is a string has none,
 * because it may be the credential. The end of a long id is replaced by its digest, so that ids stay distinct.
 */
export function principalId(principal: unknown): string | undefined {
  try {
    const { id } = Object(principal)
    if (typeof id !== 'string' && typeof id !== 'number') return undefined
    const text = String(id)
    return text.length <= maxLength
      ? text
      : `${text.slice(0, 200)}:${hash('sha256', text, 'hex').slice(0, 32)}`
  } catch {
    return undefined
  }
}

const problems = new WeakMap<object, string>()

/**
 * Notes the reason for which a credential was refused, for the log only.
 * @param request undefined where the reason is not logged
 */
export function noteCredentialProblem(request: object | undefined, problem: string): undefined {
  if (request !== undefined) problems.set(request, problem)
}

export const credentialProblemOf = (request: object): string | undefined => problems.get(request)

/** Matches an address with a port, as some proxies write it, or in brackets; and the zone of an IPv6 address. */
const withPort = /^(?:\[([^\]]*)\](?::\d*)?|(\d[\d.]*):\d*)$/
const zone = /%.*$/s

/**
 * Returns the IP address in a text that a client or a proxy has sent, without port, brackets and zone.
 * @returns undefined for every other text
 */
export function ipAddressOf(text: unknown): string | undefined {
  const [sent = ''] = typeof text === 'string' ? [text.trim()] : []
  const [, bracketed, plain] = withPort.exec(sent) ?? []
  const address = (bracketed ?? plain ?? sent).replace(zone, '')
  return isIP(address) === 0 ? undefined : address
}

export function requiredScopes(contract: {
  readonly operations: readonly Pick<Operation, 'security'>[]
}): readonly string[] {
  const requirements = contract.operations.flatMap(({ security }) => security.flat())
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
    // JavaScript allows a call without scopes, which would permit every token everything.
    if (!Array.isArray(context?.scopes)) throw new TypeError(withoutScopes)
    const { scopes } = context
    const found = identify(token, context)
    return found instanceof Promise
      ? found.then((principal) => permitted(principal, scopes))
      : permitted(found, scopes)
  }
}

const withoutScopes = 'authenticate needs the scopes: pass it the second argument of the security handler'

function permitted(principal: Principal | undefined, scopes: readonly string[]): Principal | undefined {
  const missing = principal === undefined ? [] : scopes.filter((scope) => !principal.scopes.includes(scope))
  if (missing.length === 0) return principal
  throw new FailureError('forbidden', { message: `the token lacks ${missing.join(', ')}`, principal })
}
