/** Credentials of a run: the place of each, and requests without it or with a wrong one. */
import type { Operation, SecurityScheme } from '@contract-first/engine/model'
import type { RawRequest } from '../samples/requests/raw-request.ts'
import type { GivenCredentials } from './secrets.ts'

/** Parts of a request that carry credentials. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly string[]
  readonly cookies: readonly string[]
}

/** Wrong credentials, with a description of the error. */
interface Variant {
  readonly check: 'missing-credentials-accepted' | 'wrong-credentials-accepted'
  /** Completes `a request …`. */
  readonly what: string
  readonly sent: Sent
}

export const nothing: Sent = { headers: {}, query: [], cookies: [] }
const wrongToken = 'wrong-credential'

export class Credentials {
  readonly #schemes: Readonly<Record<string, SecurityScheme>>
  readonly #token: string | undefined
  /** Headers by lower-case name. */
  readonly #headers: Readonly<Record<string, string>>

  constructor(schemes: Readonly<Record<string, SecurityScheme>>, { token, headers = {} }: GivenCredentials) {
    this.#schemes = schemes
    this.#token = token
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    )
  }

  /** Returns the given headers that no scheme describes. */
  get others(): Readonly<Record<string, string>> {
    const names = new Set(Object.values(this.#schemes).map(headerOf))
    return Object.fromEntries(Object.entries(this.#headers).filter(([name]) => !names.has(name)))
  }

  /**
   * Returns the alternatives of an operation that can be sent, which have a place for each credential; an empty list for
   * an operation without security.
   */
  alternativesOf({ security }: Operation): readonly (readonly string[])[] {
    const alternatives = security.map((all) => all.map(({ scheme }) => scheme))
    return alternatives.filter(
      (all) =>
        all.length > 0 && !this.#collides(all) && all.every((scheme) => this.#sentFor(scheme) !== undefined)
    )
  }

  /**
   * Returns whether the credentials are meant for this alternative: a token for several schemes may be valid for only
   * one.
   */
  isExplicit(alternative: readonly string[]): boolean {
    const byToken = Object.keys(this.#schemes).filter((scheme) => !this.#isInHeader(scheme))
    return alternative.every((scheme) => this.#isInHeader(scheme) || byToken.length === 1)
  }

  /** Returns true for several credentials in `Authorization`, which has one value. */
  #collides(alternative: readonly string[]): boolean {
    return alternative.filter((name) => headerOf(this.#schemes[name]) === 'authorization').length > 1
  }

  #isInHeader(scheme: string): boolean {
    return Object.hasOwn(this.#headers, headerOf(this.#schemes[scheme]) ?? '')
  }

  sentFor(alternative: readonly string[]): Sent {
    return merged(alternative.map((scheme) => this.#sentFor(scheme) ?? nothing))
  }

  /** Returns the variants that a server must refuse: each credential of the alternative missing, and wrong. */
  variantsOf({ security }: Operation, alternative: readonly string[]): readonly Variant[] {
    const satisfies = (schemes: readonly string[]) =>
      security.some((all) => all.every(({ scheme }) => schemes.includes(scheme)))
    return alternative.flatMap((name): Variant[] => {
      const others = alternative.filter((other) => other !== name)
      const scheme = this.#schemes[name]
      if (scheme === undefined || scheme.type === 'mutualTLS' || satisfies(others)) return []
      const without = this.sentFor(others)
      const what = alternative.length > 1 ? `without the credential of ${name}` : 'without credentials'
      const wrong = this.#wrongFor(scheme).map((sent): Variant => {
        return {
          check: 'wrong-credentials-accepted',
          what: `with a wrong credential of ${name}`,
          sent: merged([without, sent])
        }
      })
      return [{ check: 'missing-credentials-accepted', what, sent: without }, ...wrong]
    })
  }

  #sentFor(name: string): Sent | undefined {
    const scheme = this.#schemes[name]
    if (scheme === undefined || scheme.type === 'mutualTLS') return scheme && nothing
    const header = headerOf(scheme)
    const given = header === undefined ? undefined : this.#headers[header]
    if (header !== undefined && given !== undefined) return { ...nothing, headers: { [header]: given } }
    return this.#token === undefined ? undefined : carried(scheme, this.#token)
  }

  /**
   * Returns a credential of the same form, and the first half of the right one, because a prefix must not be accepted.
   */
  #wrongFor(scheme: Carried): readonly Sent[] {
    const token = this.#token ?? ''
    const half = token.length >= 8 && scheme.type !== 'http' ? [token.slice(0, token.length / 2)] : []
    return [wrongToken, ...half].map((wrong) => carried(scheme, wrong))
  }
}

type Carried = Exclude<SecurityScheme, { type: 'mutualTLS' }>

/** Returns the header that carries the credential; undefined for a query parameter. */
function headerOf(scheme: SecurityScheme | undefined): string | undefined {
  if (scheme === undefined || scheme.type === 'mutualTLS') return undefined
  if (scheme.type !== 'apiKey') return 'authorization'
  if (scheme.in === 'query') return undefined
  return scheme.in === 'cookie' ? 'cookie' : scheme.name.toLowerCase()
}

export function carried(scheme: Carried, token: string): Sent {
  if (scheme.type !== 'apiKey')
    return { ...nothing, headers: { authorization: authorization(scheme, token) } }
  const pair = `${encodeURIComponent(scheme.name)}=${encodeURIComponent(token)}`
  if (scheme.in === 'query') return { ...nothing, query: [pair] }
  return scheme.in === 'cookie'
    ? { ...nothing, cookies: [pair] }
    : { ...nothing, headers: { [scheme.name.toLowerCase()]: token } }
}

/** Formats the header: RFC 7617 for Basic, whose token is `user:password`; RFC 6750 for Bearer. */
function authorization(scheme: Carried, token: string): string {
  if (scheme.type !== 'http' || scheme.scheme.toLowerCase() === 'bearer') return `Bearer ${token}`
  if (scheme.scheme.toLowerCase() !== 'basic') return `${scheme.scheme} ${token}`
  const pair = token.includes(':') ? token : `${token}:${token}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

export function merged(all: readonly Sent[]): Sent {
  return {
    headers: Object.assign({}, ...all.map(({ headers }) => headers)),
    query: all.flatMap(({ query }) => query),
    cookies: all.flatMap(({ cookies }) => cookies)
  }
}

export function withCredentials(raw: RawRequest, { headers, query, cookies }: Sent): RawRequest {
  const cookie = [raw.headers['cookie'], headers['cookie'], ...cookies].filter((text) => text !== undefined)
  const separator = raw.target.includes('?') ? '&' : '?'
  return {
    ...raw,
    target: query.length === 0 ? raw.target : `${raw.target}${separator}${query.join('&')}`,
    headers: { ...raw.headers, ...headers, ...(cookie.length === 0 ? {} : { cookie: cookie.join('; ') }) }
  }
}
