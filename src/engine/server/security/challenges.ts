/** Failures 401 and 403 with their challenges (RFC 9110, section 11; RFC 6750, section 3). */
import { type Contract, isBearer, type SecurityScheme } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import type { Credential } from './credentials.ts'

/** Returns the usual spelling of a scheme: `Bearer`. */
export function schemeName(scheme: string): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1)
}

/** Returns the names of the contract, with placeholders in angle brackets. */
function expectedCredential(scheme: SecurityScheme): string {
  if (scheme.type === 'mutualTLS') return 'a client certificate'
  if (scheme.type === 'apiKey') return expectedKey[scheme.in](scheme.name)
  if (scheme.type !== 'http' || scheme.scheme === 'bearer') return 'Authorization: Bearer <token>'
  return `Authorization: ${schemeName(scheme.scheme)} <credentials>`
}

const expectedKey = {
  header: (name: string) => `${name}: <key>`,
  query: (name: string) => `?${name}=<key>`,
  cookie: (name: string) => `Cookie: ${name}=<key>`
} as const

interface Challenge {
  readonly definition: SecurityScheme
  /** Value of `WWW-Authenticate` where no credentials of the scheme were sent. */
  readonly absent: string
  /** … where they were refused. */
  readonly refused: string
}

/** Challenges of an operation, one for each scheme. */
export interface Challenges {
  readonly of: readonly Challenge[]
  /** Expected credentials in words: `Authorization: Bearer <token>`. */
  readonly expected: string
}

/** A credential with the scheme of which it is. */
export interface Sent {
  readonly definition: SecurityScheme
  readonly credential: Credential
}

/**
 * @param sent a credential for each scheme that was looked at; one of kind `present` was refused by its security handler
 * @param isIncomplete true where a credential was sent that counts beside another one only
 */
export function unauthorized(
  sent: readonly Sent[],
  challenges: Challenges,
  isIncomplete = false
): FailureError {
  const refused = sent.flatMap(({ definition, credential }) =>
    credential.kind === 'absent' ? [] : [{ definition, credential }]
  )
  const list = challenges.of.map((each) =>
    refused.some(({ definition }) => definition === each.definition) ? each.refused : each.absent
  )
  const headers = { 'www-authenticate': list }
  const credential = refused[0]?.credential
  if (credential?.kind === 'present') return new FailureError('credentials-refused', { headers })
  const missing = isIncomplete ? 'a credential is missing' : 'no credentials were sent'
  const problem = credential?.problem ?? missing
  const isAbsent = credential === undefined && !isIncomplete
  return new FailureError(isAbsent ? 'no-credentials' : 'credentials-refused', {
    message: `${problem}; expected ${challenges.expected}`,
    headers
  })
}

/**
 * Returns one challenge for each scheme that applies (RFC 9110, section 11.6.1).
 * @param alternatives schemes of each alternative
 */
export function challengesOf(
  { title }: Contract,
  alternatives: readonly (readonly SecurityScheme[])[]
): Challenges {
  const realm = `realm="${quoted(title)}"`
  const definitions = [...new Set(alternatives.flat())]
  const expected = alternatives.map((schemes) => schemes.map(expectedCredential).join(' and '))
  return {
    expected: [...new Set(expected)].filter((text) => text !== '').join(', or '),
    of: definitions.map((definition) => ({
      definition,
      absent: challenge(definition, realm, ''),
      refused: challenge(definition, realm, ', error="invalid_token"')
    }))
  }
}

function challenge(scheme: SecurityScheme, realm: string, error: string): string {
  if (scheme.type === 'apiKey') return `ApiKey ${realm}, in="${scheme.in}", name="${quoted(scheme.name)}"`
  if (scheme.type === 'mutualTLS') return `Mutual ${realm}`
  if (scheme.type !== 'http' || isBearer(scheme)) return `Bearer ${realm}${error}`
  return scheme.scheme === 'basic'
    ? `Basic ${realm}, charset="UTF-8"`
    : `${schemeName(scheme.scheme)} ${realm}`
}

/** Escapes text for a quoted-string (RFC 9110, section 5.6.4); characters that are not visible ASCII become `?`. */
function quoted(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')
}

/** Syntax of a scope (RFC 6749, section 3.3). No credential can carry another text, and no challenge may name it. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns the 403 to credentials that do not suffice (RFC 6750, section 3.1). */
export function forbidden(cause: unknown, scheme: SecurityScheme, scopes: readonly string[]): FailureError {
  const named = [...new Set(scopes)].filter((scope) => scopeToken.test(scope))
  const scope = named.length > 0 ? `, scope="${named.join(' ')}"` : ''
  return new FailureError('forbidden', {
    ...(cause instanceof FailureError ? { message: cause.message, principal: cause.principal } : {}),
    headers: isBearer(scheme) ? { 'www-authenticate': `Bearer error="insufficient_scope"${scope}` } : {},
    cause
  })
}

/** Merges the 403 of several schemes: the message of the first, the challenges of all. */
export function mergedRefusals(refusals: readonly FailureError[]): FailureError | undefined {
  const [first, second] = refusals
  if (first === undefined || second === undefined) return first
  const challenges = refusals.flatMap(({ failure }) => failure.headers['www-authenticate'] ?? [])
  return new FailureError('forbidden', {
    message: first.message,
    principal: refusals.map(({ principal }) => principal).find((principal) => principal !== undefined),
    headers: { 'www-authenticate': [...new Set(challenges)] },
    cause: first.cause
  })
}
