/**
 * Refuses unsafe requests that a page of another origin makes with credentials that the browser adds by itself, and knows
 * the hosts that are this machine.
 */

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Operation, SecurityScheme } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import type { Check, SecurityHandler } from './credentials.ts'

export interface CrossSiteRules {
  /** Origins of other sites whose pages may call, such as `https://app.example`; compared exactly. */
  readonly origins: readonly string[]
}

/** @param option `refuseCrossSite` of a server */
export function crossSiteRules(option: boolean | CrossSiteRules = false): CrossSiteRules | undefined {
  if (option === true) return { origins: [] }
  return option === false ? undefined : option
}

/** Methods that change nothing (RFC 9110, section 9.2.1), and QUERY. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/**
 * Adds the check to the handlers of an alternative. An alternative with a credential that only a page itself can add,
 * such as a header, needs none.
 */
export function guardedAlternative(
  checks: readonly Check[],
  { method }: Operation,
  rules: CrossSiteRules | undefined
): readonly Check[] {
  const isOpen = safeMethods.has(method) || !checks.every(({ definition }) => isAmbient(definition))
  if (rules === undefined || isOpen) return checks
  return checks.map((check) => ({ ...check, handler: guardedHandler(check.handler, rules) }))
}

/** Returns true for a cookie, a client certificate and what a browser asks its user for: Basic, Digest, Negotiate. */
function isAmbient(scheme: SecurityScheme): boolean {
  if (scheme.type === 'apiKey') return scheme.in === 'cookie'
  return scheme.type === 'mutualTLS' || (scheme.type === 'http' && scheme.scheme !== 'bearer')
}

function guardedHandler(handler: SecurityHandler, rules: CrossSiteRules): SecurityHandler {
  return (credential, context) => {
    if (isCrossSite(context.request, rules))
      throw new FailureError('forbidden', { message: 'a page of another origin may not do this' })
    return handler(credential, context)
  }
}

/**
 * Decides by `Sec-Fetch-Site` (Fetch Metadata Request Headers, section 2.2), for browsers without it by `Origin` (Fetch
 * Standard, section 3.1). A request without either comes from no page.
 */
function isCrossSite({ headers, host }: FastifyRequest, { origins }: CrossSiteRules): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && origins.includes(origin)) return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase()
}

/** Returns whether a host name or address is this machine's alone, as browsers decide (Secure Contexts, section 3.1). */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1|\[::1\])$/i.test(hostname)

/**
 * Returns whether a request means this server: by an address, a name of this machine, or one of its own. Another name may
 * have been led here by the DNS server of a foreign page (DNS rebinding), which then reads answers as its own.
 * @param host value of `Host`, which every browser sends
 */
export function isOwnHost(host: string | undefined, own: readonly (string | undefined)[]): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? ''
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return host === undefined || isAddress || isLoopback(hostname) || own.includes(hostname)
}
