/** Credentials of a run: the place of each, and requests without it or with a wrong one. */
import { isHeaderName, type Operation, type SecurityScheme } from '@contract-first/engine/model'
import { addCredential, sections } from '@contract-first/engine/steps'
import type { RawRequest } from '../samples/requests/draft.ts'
import { type Expectation, unauthorized } from './requests/expectation.ts'
import type { GivenCredentials } from './secrets.ts'

/** Puts credentials into a request. */
export type Sending = (raw: RawRequest) => RawRequest

/** Sends a request without credentials. */
export const nothing: Sending = (raw) => raw

const sendingAll =
  (all: readonly Sending[]): Sending =>
  (raw) =>
    [...new Set(all)].reduce((sent, send) => send(sent), raw)

/** Credentials that a server must refuse. */
interface Variant {
  readonly expectation: Expectation
  readonly sent: Sending
}

const wrongToken = 'wrong-credential'

export class Credentials {
  readonly #schemes: Readonly<Record<string, SecurityScheme>>
  readonly #token: string | undefined
  /** Given headers by lower-case name. */
  readonly #headers: ReadonlyMap<string, string>
  /** Ways to send them; one header may hold several credentials. */
  readonly #sendings: ReadonlyMap<string, Sending>

  constructor(schemes: Readonly<Record<string, SecurityScheme>>, { token, headers = {} }: GivenCredentials) {
    const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    this.#schemes = schemes
    this.#token = token
    this.#headers = new Map(given)
    this.#sendings = new Map(given.map(([name, value]) => [name, headerSending(name, value)]))
  }

  /** Returns the given headers that no scheme describes. */
  get others(): Readonly<Record<string, string>> {
    const names = new Set(Object.values(this.#schemes).map(headerOf))
    return Object.fromEntries([...this.#headers].filter(([name]) => !names.has(name)))
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

  /** Returns the places of the parameters that credentials of an operation replace: `query/api_key`. */
  replacedBy({ security }: Operation): readonly string[] {
    return security.flat().flatMap((requirement) => {
      const scheme = this.#schemes[requirement.scheme]
      if (scheme?.type !== 'apiKey') return []
      const name = scheme.in === 'header' ? scheme.name.toLowerCase() : scheme.name
      return [`${sections[scheme.in]}/${name}`]
    })
  }

  /** Returns true for several credentials in `Authorization`, which has one value. */
  #collides(alternative: readonly string[]): boolean {
    return alternative.filter((name) => headerOf(this.#schemes[name]) === 'authorization').length > 1
  }

  #isInHeader(scheme: string): boolean {
    return this.#headers.has(headerOf(this.#schemes[scheme]) ?? '')
  }

  sentFor(alternative: readonly string[]): Sending {
    return sendingAll(alternative.map((scheme) => this.#sentFor(scheme) ?? nothing))
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
      const wrong = unauthorized('wrong-credentials', `with a wrong credential of ${name}`)
      return [
        { expectation: unauthorized('missing-credentials', what), sent: without },
        ...this.#wrongFor(scheme).map((sent) => ({ expectation: wrong, sent: sendingAll([without, sent]) }))
      ]
    })
  }

  #sentFor(name: string): Sending | undefined {
    const scheme = this.#schemes[name]
    if (scheme === undefined || scheme.type === 'mutualTLS') return scheme && nothing
    const header = headerOf(scheme) ?? ''
    if (header !== '' && !isHeaderName(header)) return undefined
    return (
      this.#sendings.get(header) ??
      (this.#token === undefined ? undefined : tokenSending(scheme, this.#token))
    )
  }

  /**
   * Returns a credential of the same form, and the first half of the right one, because a prefix must not be accepted.
   */
  #wrongFor(scheme: SecurityScheme): readonly Sending[] {
    const token = this.#token ?? ''
    const half = token.length >= 8 && scheme.type !== 'http' ? [token.slice(0, token.length / 2)] : []
    return [wrongToken, ...half].map((wrong) => tokenSending(scheme, wrong))
  }
}

/** Returns the header that carries the credential; undefined for a query parameter. */
function headerOf(scheme: SecurityScheme | undefined): string | undefined {
  if (scheme === undefined || scheme.type === 'mutualTLS') return undefined
  if (scheme.type !== 'apiKey') return 'authorization'
  if (scheme.in === 'query') return undefined
  return scheme.in === 'cookie' ? 'cookie' : scheme.name.toLowerCase()
}

/** Sends a header as it was given; a cookie follows those of the request. */
const headerSending =
  (name: string, value: string): Sending =>
  (raw) => {
    const before = name === 'cookie' ? raw.headers[name] : undefined
    const text = before === undefined ? value : `${before}; ${value}`
    return { ...raw, headers: { ...raw.headers, [name]: text } }
  }

/** Sends a token in the place of its scheme; that of Basic is `user:password`, or both at once. */
const tokenSending =
  (scheme: SecurityScheme, token: string): Sending =>
  (raw) => {
    const head = { target: raw.target, headers: { ...raw.headers } }
    const isBasic = scheme.type === 'http' && scheme.scheme === 'basic'
    addCredential(head, scheme, isBasic && !token.includes(':') ? `${token}:${token}` : token)
    return { ...raw, ...head }
  }
