/** Credentials of requests by security scheme (OpenAPI 3.1.0, section 4.8.27). */
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import type { SecurityRequirement, SecurityScheme } from '../../model/compiled-contract.ts'
import { cookieDecode, cookiePairs, formDecode, pairsOf } from '../parameters/pairs.ts'
import { queryOf } from '../parameters/request-path.ts'
import { headerLines } from '../transport/request-checks.ts'

export type Credential =
  | { readonly kind: 'absent' }
  /** Text that cannot be a credential of the scheme; the problem does not quote it. */
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'present'; readonly value: string | BasicCredential | object }

export type Present = Extract<Credential, { kind: 'present' }>

interface BasicCredential {
  readonly username: string
  readonly password: string
}

export type SecurityHandler = (
  credential: never,
  context: { readonly scopes: readonly string[]; readonly request: FastifyRequest }
) => unknown

/** Scheme of an alternative, with its handler. */
export interface Check extends SecurityRequirement {
  readonly definition: SecurityScheme
  readonly read: ReadCredential
  readonly handler: SecurityHandler
}

const absent: Credential = { kind: 'absent' }
const malformed = (problem: string): Credential => ({ kind: 'malformed', problem })
const present = (value: string | object): Credential => ({ kind: 'present', value })

export type ReadCredential = (request: IncomingMessage) => Credential

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

/** Returns the usual spelling of a scheme: `Bearer`. */
export function schemeName(scheme: string): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1)
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
