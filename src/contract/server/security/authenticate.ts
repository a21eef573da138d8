/**
 * Authentication and authorization, before a byte of body is read (OpenAPI 3.1.0, section 4.8.30): one of the
 * alternatives must be satisfied, with all of its schemes.
 */
import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import type {
  Contract,
  Operation,
  SecurityRequirement,
  SecurityScheme
} from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { type Credential, credentialOf } from './credentials.ts'

export type SecurityHandler = (
  credential: never,
  context: { readonly scopes: readonly string[]; readonly request: FastifyRequest }
) => unknown

/** @returns the principal, or a promise of it @throws {FailureError} 401 or 403 */
export type Authenticate = (request: FastifyRequest) => unknown

type Present = Extract<Credential, { kind: 'present' }>

/** One scheme of an alternative, with its handler. */
interface Check extends SecurityRequirement {
  readonly definition: SecurityScheme
  readonly handler: SecurityHandler
}

/** @returns undefined where the operation is open */
export function authenticator(
  contract: Contract,
  operation: Operation,
  handlers: Readonly<Record<string, SecurityHandler>>
): Authenticate | undefined {
  if (operation.security.length === 0) return undefined
  // The alternative without a scheme comes last: credentials that are sent count.
  const alternatives = operation.security
    .map((requirements) => requirements.map(checkOf))
    .toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0))
  const challenges = challengesOf(contract, alternatives.flat())
  const [check, ...further] = alternatives.flat()
  if (check !== undefined && alternatives.length + further.length === 1)
    return (request) => single(check, request, challenges)
  return (request) => several(alternatives, request, challenges)

  function checkOf(requirement: SecurityRequirement): Check {
    const definition = contract.securitySchemes[requirement.scheme]
    const handler = handlers[requirement.scheme]
    assert(definition !== undefined && handler !== undefined, 'boot-checks.ts')
    return { ...requirement, definition, handler }
  }
}

/** The most common case without a promise where the handler needs none. */
function single(check: Check, request: FastifyRequest, challenges: Challenges): unknown {
  const credential = credentialOf(check.definition, request.raw)
  if (credential.kind !== 'present') throw unauthorized(credential.kind !== 'absent', challenges)
  const result = call(check, credential, request)
  return result instanceof Promise
    ? result.then((principal) => sure(principal, challenges))
    : sure(result, challenges)
}

function sure(principal: unknown, challenges: Challenges): unknown {
  if (isPrincipal(principal)) return principal
  throw unauthorized(true, challenges)
}

/** Anything that is nothing refuses, and so does an error that is returned. */
function isPrincipal(value: unknown): boolean {
  return Boolean(value) && !(value instanceof Error)
}

async function several(
  alternatives: readonly Check[][],
  request: FastifyRequest,
  challenges: Challenges
): Promise<unknown> {
  let sent = false
  let denied: FailureError | undefined
  for (const checks of alternatives) {
    const credentials = checks.map(({ definition }) => credentialOf(definition, request.raw))
    if (credentials.some(({ kind }) => kind !== 'absent')) sent = true
    const present = credentials.filter((credential) => credential.kind === 'present')
    if (present.length < checks.length) continue
    const outcome = await allOf(checks, present, request)
    if (outcome instanceof FailureError) denied = outcome
    else if (outcome !== undefined) return outcome.principal
  }
  throw denied ?? unauthorized(sent, challenges)
}

/** Of one scheme its principal, of several an object of them by scheme, of none undefined. */
async function allOf(
  checks: readonly Check[],
  credentials: readonly Present[],
  request: FastifyRequest
): Promise<{ principal: unknown } | FailureError | undefined> {
  const principals: Record<string, unknown> = {}
  for (const [index, check] of checks.entries()) {
    try {
      const principal = await call(check, credentials[index] as Present, request)
      if (!isPrincipal(principal)) return undefined
      principals[check.scheme] = principal
    } catch (error) {
      if (error instanceof FailureError && error.failure.code === 'forbidden') return error
      throw error
    }
  }
  const values = Object.values(principals)
  return { principal: values.length > 1 ? principals : values[0] }
}

/** What is no promise and has a `then` is awaited all the same: it is no principal before it is settled. */
function call(check: Check, { value }: Present, request: FastifyRequest): unknown {
  const thrown = (error: unknown) => refusalOf(error, check)
  try {
    const result = check.handler(value as never, { scopes: check.scopes, request })
    return isThenable(result) ? Promise.resolve(result).catch(thrown) : result
  } catch (error) {
    return thrown(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

/**
 * A handler that throws has crashed, unless it says what it means: 401 is no principal, 403 is authenticated but not
 * permitted (RFC 6750, section 3.1), and any other failure of the table is answered as such.
 */
function refusalOf(error: unknown, { definition, scopes }: Check): undefined {
  if (isForbidden(error)) throw forbidden(error, definition, scopes)
  if (!(error instanceof FailureError)) throw new FailureError('internal', { cause: error })
  if (error.failure.status !== 401) throw error
}

function forbidden(cause: unknown, scheme: SecurityScheme, scopes: readonly string[]): FailureError {
  const scope = scopes.length > 0 ? `, scope="${quoted(scopes.join(' '))}"` : ''
  return new FailureError('forbidden', {
    ...(cause instanceof FailureError ? { message: cause.message } : {}),
    headers: isBearer(scheme) ? { 'www-authenticate': `Bearer error="insufficient_scope"${scope}` } : {},
    cause
  })
}

function isForbidden(error: unknown): boolean {
  if (error instanceof FailureError) return error.failure.code === 'forbidden'
  return error instanceof Error && Reflect.get(error, 'statusCode') === 403
}

interface Challenges {
  readonly absent: readonly string[]
  readonly refused: readonly string[]
}

function unauthorized(refused: boolean, challenges: Challenges): FailureError {
  const list = refused ? challenges.refused : challenges.absent
  return new FailureError(refused ? 'credentials-refused' : 'no-credentials', {
    headers: { 'www-authenticate': [...list] }
  })
}

/** One per scheme that applies (RFC 9110, section 11.6.1). */
function challengesOf({ title }: Contract, checks: readonly Check[]): Challenges {
  const realm = `realm="${quoted(title)}"`
  const unique = [...new Map(checks.map((check) => [check.scheme, check])).values()]
  return {
    absent: unique.map(({ definition }) => challenge(definition, realm, '')),
    refused: unique.map(({ definition }) => challenge(definition, realm, ', error="invalid_token"'))
  }
}

function challenge(scheme: SecurityScheme, realm: string, error: string): string {
  if (scheme.type === 'apiKey') return `ApiKey ${realm}, in="${scheme.in}", name="${quoted(scheme.name)}"`
  if (scheme.type === 'mutualTLS') return `Mutual ${realm}`
  if (scheme.type !== 'http' || isBearer(scheme)) return `Bearer ${realm}${error}`
  const name = scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1)
  return scheme.scheme === 'basic' ? `Basic ${realm}, charset="UTF-8"` : `${name} ${realm}`
}

function isBearer(scheme: SecurityScheme): boolean {
  if (scheme.type === 'http') return scheme.scheme === 'bearer'
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect'
}

/** The inside of a quoted-string (RFC 9110, section 5.6.4): visible ASCII, escaped. */
function quoted(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')
}
