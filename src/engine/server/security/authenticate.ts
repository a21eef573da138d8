/**
 * Authenticates and authorizes a request before its body is read (OpenAPI 3.1.0, section 4.8.30): all schemes of one
 * alternative must accept it.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import type {
  Contract,
  Operation,
  SecurityRequirement,
  SecurityScheme
} from '../../model/compiled-contract.ts'
import { isThenable } from '../errors/callbacks.ts'
import { FailureError, statusCodeOf } from '../errors/failure.ts'
import { cookieDecode, cookiePairs, formDecode, pairsOf } from '../parameters/pairs.ts'
import { queryOf } from '../parameters/request-path.ts'
import { headerLines } from '../transport/request-checks.ts'
import {
  type Challenges,
  challengesOf,
  forbidden,
  mergedRefusals,
  type Sent,
  schemeName,
  unauthorized
} from './challenges.ts'
import type { Check, Credential, Present, ReadCredential, SecurityHandler } from './credentials.ts'
import { type CrossSiteRules, guardedAlternative } from './cross-site.ts'

/**
 * Returns the principal, or a promise of it.
 * @throws {FailureError} 401 or 403
 */
export type Authenticate = (request: FastifyRequest) => unknown

/** Parts of a server that decide about credentials. */
export interface Security {
  readonly contract: Contract
  /** Security handlers by the name of their scheme. */
  readonly security: Readonly<Record<string, SecurityHandler>>
  /** Rules for requests that pages of other origins make; undefined: all are accepted. */
  readonly crossSite?: CrossSiteRules | undefined
}

/** @returns undefined for an operation without security */
export function authenticator(
  operation: Operation,
  { contract, security, crossSite }: Security
): Authenticate | undefined {
  if (operation.security.length === 0) return undefined
  // The alternative without a scheme comes last, so that credentials that are sent are checked.
  const alternatives = operation.security
    .map((requirements) => guardedAlternative(requirements.map(checkOf), operation, crossSite))
    .toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0))
  const challenges = challengesOf(
    contract,
    alternatives.map((checks) => checks.map(({ definition }) => definition))
  )
  const [check, ...further] = alternatives.flat()
  if (check !== undefined && alternatives.length + further.length === 1)
    return schemeAuthenticator(check, challenges)
  return (request) => requireAlternative(alternatives, request, challenges)

  function checkOf(requirement: SecurityRequirement): Check {
    const definition = contract.securitySchemes[requirement.scheme]
    const handler = security[requirement.scheme]
    assert(definition !== undefined && handler !== undefined, 'boot-checks.ts')
    return { ...requirement, definition, read: credentialReader(definition), handler }
  }
}

/** Checks one scheme, the most common case; returns a promise only if the handler does. */
function schemeAuthenticator(check: Check, challenges: Challenges): Authenticate {
  const { definition, read } = check
  const refusal = (credential: Credential) => unauthorized([{ definition, credential }], challenges)
  return (request) => {
    const credential = read(request.raw)
    if (credential.kind !== 'present') throw refusal(credential)
    const principal = callHandler(check, credential, request)
    if (principal === undefined) throw refusal(credential)
    if (!(principal instanceof Promise)) return principal
    return principal.then((value: unknown) => {
      if (value === undefined) throw refusal(credential)
      return value
    })
  }
}

async function requireAlternative(
  alternatives: readonly (readonly Check[])[],
  request: FastifyRequest,
  challenges: Challenges
): Promise<unknown> {
  const sent: Sent[] = []
  const denied: FailureError[] = []
  let isIncomplete = false
  for (const checks of alternatives) {
    const credentials = checks.map(({ read }) => read(request.raw))
    const present = credentials.filter((credential) => credential.kind === 'present')
    const isWhole = present.length === checks.length
    isIncomplete ||= !isWhole && present.length > 0
    for (const [index, { definition }] of checks.entries()) {
      const credential = credentials[index] as Credential
      // Nobody has judged a credential beside which another one is missing.
      if (isWhole || credential.kind !== 'present') sent.push({ definition, credential })
    }
    if (!isWhole) continue
    const outcome = await requireAll(checks, present, request)
    if (outcome instanceof FailureError) denied.push(outcome)
    else if (outcome !== undefined) return outcome.principal
  }
  throw mergedRefusals(denied) ?? unauthorized(sent, challenges, isIncomplete)
}

/**
 * Checks all schemes. The principal is that of a single scheme, an object by scheme, or undefined for no scheme.
 * @returns undefined when one credential is refused, or the 403 when all are accepted and one does not suffice
 */
async function requireAll(
  checks: readonly Check[],
  credentials: readonly Present[],
  request: FastifyRequest
): Promise<{ principal: unknown } | FailureError | undefined> {
  const principals: Record<string, unknown> = {}
  const denied: FailureError[] = []
  for (const [index, check] of checks.entries()) {
    try {
      const principal = await callHandler(check, credentials[index] as Present, request)
      if (principal === undefined) return undefined
      principals[check.scheme] = principal
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.code !== 'forbidden') throw error
      denied.push(error)
    }
  }
  if (denied.length > 0) return mergedRefusals(denied)
  const values = Object.values(principals)
  return { principal: values.length > 1 ? principals : values[0] }
}

/**
 * Returns the principal, or a promise of it; undefined means "not authenticated". Thenables become promises, so that a
 * query builder is never taken for a principal.
 * @throws {FailureError} or returns a promise that rejects with it
 */
function callHandler(check: Check, { value }: Present, request: FastifyRequest): unknown {
  try {
    const result = check.handler(value as never, { scopes: check.scopes, request })
    if (!isThenable(result)) return principalOf(result)
    return Promise.resolve(result)
      .then(principalOf)
      .catch((error: unknown) => refusalOf(error, check))
  } catch (error) {
    return refusalOf(error, check)
  }
}

/**
 * Returns undefined for a falsy value, an Error, and what is no data.
 * @throws {FailureError} that a handler has returned instead of thrown: a 403 stays a 403
 */
function principalOf(result: unknown): unknown {
  if (result instanceof FailureError) throw result
  if (!result || result instanceof Error) return undefined
  // A function is a call that was forgotten; it must not let everybody in.
  return typeof result === 'function' || typeof result === 'symbol' ? undefined : result
}

/**
 * Interprets an error. A FailureError 401 means "not authenticated"; the status 403 means "not permitted" (RFC 6750,
 * section 3.1); any other FailureError is thrown as it is; any other error is a defect of the handler (500).
 */
function refusalOf(error: unknown, { definition, scheme, scopes }: Check): undefined {
  const isFailure = error instanceof FailureError
  const isForbidden = isFailure ? error.failure.code === 'forbidden' : statusCodeOf(error) === 403
  if (isForbidden) throw forbidden(error, definition, scopes)
  if (!isFailure)
    throw new FailureError('internal', { cause: error, reason: `the security handler ${scheme} failed` })
  if (error.failure.status !== 401) throw error
}

const absent: Credential = { kind: 'absent' }
const malformed = (problem: string): Credential => ({ kind: 'malformed', problem })
const present = (value: string | object): Credential => ({ kind: 'present', value })

export function credentialReader(scheme: SecurityScheme): ReadCredential {
  if (scheme.type === 'mutualTLS') return certificate
  if (scheme.type !== 'apiKey') return authorization(scheme.type === 'http' ? scheme.scheme : 'bearer')
  const { in: place, name } = scheme
  return place === 'header' ? headerKey(name.toLowerCase()) : (request) => pairedKey(place, name, request)
}

/** Reads the Authorization header (RFC 9110, section 11.6.2). Refuses two header lines, because they are ambiguous. */
function authorization(scheme: string): ReadCredential {
  return (request) => {
    const header = request.headers.authorization
    if (header === undefined || header === '') return absent
    if (headerLines(request, 'authorization') > 1)
      return malformed('there is more than one Authorization header')
    const space = header.indexOf(' ')
    if (space !== scheme.length || header.slice(0, space).toLowerCase() !== scheme)
      return malformed(`Authorization does not begin with the word ${schemeName(scheme)} and a space`)
    const text = header.slice(space + 1).trim()
    if (scheme === 'bearer')
      return token68.test(text) ? { kind: 'present', value: text } : malformed('the token is not well-formed')
    return scheme === 'basic' ? basic(text) : present(text)
  }
}

/** Syntax of a bearer token (RFC 6750, section 2.1); nothing may follow it. */
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/

/** Reads basic credentials (RFC 7617, section 2). */
function basic(text: string): Credential {
  const decoded = token68.test(text) ? Buffer.from(text, 'base64').toString('utf8') : ''
  const colon = decoded.indexOf(':')
  if (colon < 0) return malformed('the user name and the password are not well-formed')
  return present({ username: decoded.slice(0, colon), password: decoded.slice(colon + 1) })
}

const repeatedKey = 'the API key was sent more than once'

function headerKey(name: string): ReadCredential {
  return (request) => {
    const value = String(request.headers[name] ?? '')
    if (headerLines(request, name) > 1) return malformed(repeatedKey)
    return value === '' ? absent : present(value)
  }
}

function pairedKey(place: 'query' | 'cookie', name: string, { headers, url }: IncomingMessage): Credential {
  const pairs =
    place === 'cookie'
      ? cookiePairs(headers.cookie ?? '', /;/)
      : pairsOf(queryOf(String(url)), '&', formDecode).pairs
  const [value = '', ...others] = (pairs.get(name) ?? []).map(cookieDecode)
  if (value === '') return absent
  return others.length > 0 ? malformed(repeatedKey) : present(value)
}

function certificate({ socket }: IncomingMessage): Credential {
  const { authorized, getPeerCertificate } = socket as TLSSocket
  return authorized === true && typeof getPeerCertificate === 'function'
    ? present((socket as TLSSocket).getPeerCertificate())
    : absent
}
