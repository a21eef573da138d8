/** Credentials of a request: the first alternative of its operation whose schemes are all given (OpenAPI 3.1.0, section 4.8.30). */
import type { Operation, SecurityRequirement, SecurityScheme } from '../model/compiled-contract.ts'
import type { RequestHead } from './request-target.ts'

/** Token or API key; name and password of `http basic`. */
export type Credential = string | { readonly username: string; readonly password: string }

export interface CredentialContext {
  readonly operation: string
  /** Scopes that the operation requires of the scheme. */
  readonly scopes: readonly string[]
  /** True for the second call, after the server has refused the first credential (401). */
  readonly rejected: boolean
}

/** Credential, or a function that gives one for each request; undefined sends none. */
export type GivenCredential<Value = Credential> =
  | Value
  | ((context: CredentialContext) => Value | undefined | Promise<Value | undefined>)

export type GivenSecurity = Readonly<Record<string, GivenCredential | undefined>>

/** Scheme of the chosen alternative, and what is given for it. */
interface Chosen {
  readonly scheme: SecurityScheme
  readonly given: GivenCredential
  readonly scopes: readonly string[]
}

/** A certificate (mutualTLS) belongs to the connection, and not to the request. */
export function chosenSecurity(
  { security }: Operation,
  schemes: Readonly<Record<string, SecurityScheme>>,
  givens: GivenSecurity
): readonly Chosen[] {
  const alternatives = security.map((all) =>
    all.filter(({ scheme }) => schemes[scheme]?.type !== 'mutualTLS')
  )
  const isGiven = ({ scheme }: SecurityRequirement) => givens[scheme] !== undefined
  const found = alternatives.find((all) => all.length > 0 && all.every(isGiven)) ?? []
  return found.map(({ scheme, scopes }) => {
    return { scheme: schemes[scheme] as SecurityScheme, given: givens[scheme] as GivenCredential, scopes }
  })
}

/** @returns the head with the credentials */
export async function withCredentials(
  head: RequestHead,
  chosen: readonly Chosen[],
  { operationId, rejected }: { readonly operationId: string; readonly rejected: boolean }
): Promise<RequestHead> {
  let { target } = head
  const headers = { ...head.headers }
  for (const { scheme, given, scopes } of chosen) {
    const context = { operation: operationId, scopes, rejected }
    const credential = typeof given === 'function' ? await given(context) : given
    if (credential === undefined) continue
    if (scheme.type !== 'apiKey') headers['authorization'] = authorization(scheme, credential)
    else if (scheme.in === 'header') headers[scheme.name.toLowerCase()] = String(credential)
    else {
      const pair = `${encodeURIComponent(scheme.name)}=${encodeURIComponent(String(credential))}`
      if (scheme.in === 'query') target += `${target.includes('?') ? '&' : '?'}${pair}`
      else headers['cookie'] = [headers['cookie'] ?? [], pair].flat().join('; ')
    }
  }
  return { target, headers }
}

/** RFC 7617 for Basic, in UTF-8, where a text is `name:password`; RFC 6750 for Bearer. */
function authorization(scheme: SecurityScheme, credential: Credential): string {
  const name = scheme.type === 'http' ? scheme.scheme : 'bearer'
  const text = typeof credential === 'string' ? credential : `${credential.username}:${credential.password}`
  if (name !== 'basic') return `${name === 'bearer' ? 'Bearer' : name} ${text}`
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`
}
