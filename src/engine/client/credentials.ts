/** Credentials of a request: the first alternative of its operation whose schemes are all given (OpenAPI 3.1.0, section 4.8.30). */
import type { Operation, SecurityRequirement, SecurityScheme } from '../model/compiled-contract.ts'
import { problemAt } from './mismatch.ts'
import type { RequestHead } from './request.ts'

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

/** A certificate (mutualTLS) belongs to the connection, and not to the request. */
export function chosenSecurity(
  { security }: Operation,
  schemes: Readonly<Record<string, SecurityScheme>>,
  givens: GivenSecurity
): readonly SecurityRequirement[] {
  const isGiven = ({ scheme }: SecurityRequirement) =>
    Object.hasOwn(givens, scheme) && givens[scheme] !== undefined
  const sent = security.map((all) => all.filter(({ scheme }) => schemes[scheme]?.type !== 'mutualTLS'))
  return sent.find((all) => all.length > 0 && all.every(isGiven)) ?? []
}

/** Adds a credential to the target or the headers, in place of a parameter of the same name. */
export function addCredential(head: RequestHead, scheme: SecurityScheme, credential?: Credential): void {
  const { headers } = head
  if (credential === undefined) return
  if (scheme.type !== 'apiKey') headers['authorization'] = authorization(scheme, credential)
  else if (scheme.in === 'header') headers[scheme.name.toLowerCase()] = String(credential)
  else {
    const name = encodeURIComponent(scheme.name)
    const withPair = (text = '', separator = '; ') => {
      const others = text.split(separator).filter((each) => each !== '' && !each.startsWith(`${name}=`))
      return [...others, `${name}=${encodeURIComponent(String(credential))}`].join(separator)
    }
    const [path = '', ...query] = head.target.split('?')
    if (scheme.in === 'query') head.target = `${path}?${withPair(query.join('?'), '&')}`
    else headers['cookie'] = withPair(headers['cookie'])
  }
}

/** RFC 7617 for Basic, in UTF-8, where a text is `name:password`; RFC 6750 for Bearer. */
function authorization(scheme: SecurityScheme, credential: Credential): string {
  const name = scheme.type === 'http' ? scheme.scheme : 'bearer'
  const text = typeof credential === 'string' ? credential : `${credential.username}:${credential.password}`
  if (name !== 'basic') return `${name === 'bearer' ? 'Bearer' : name} ${text}`
  if (typeof credential !== 'string' && credential.username.includes(':'))
    throw problemAt('headers/authorization', 'has a user name with a colon')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617, section 2, forbids them
  if (/[\0-\x1f\x7f]/.test(text)) throw problemAt('headers/authorization', 'has a control character')
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`
}
